package io.penstock.accesslog;

import io.penstock.events.Request;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** Formats the client's address. The address is never resolved to a host name. */
final class Client {
    /** The decimal text of each octet. */
    private static final byte[][] OCTETS = IntStream.range(0, 256)
            .mapToObj(octet -> Integer.toString(octet).getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    private Client() {}

    /** Adds the address as one word. An IPv4 address is added without an intermediate string. */
    static void put(Request request, LineBuffer out) {
        if (request.remote() instanceof InetSocketAddress remote
                && remote.getAddress() instanceof Inet4Address address) {
            byte[] octets = address.getAddress();
            for (int i = 0; i < octets.length; i++) {
                if (i > 0) {
                    out.plain('.');
                }
                out.plain(OCTETS[octets[i] & 0xFF]);
            }
        } else {
            String text = address(request);
            out.escapedWord(text.isEmpty() ? "-" : text);
        }
    }

    /** The address as text; empty for a client of a Unix domain socket without a name. */
    static String address(Request request) {
        if (!(request.remote() instanceof InetSocketAddress remote)) {
            return request.remote().toString();
        }
        InetAddress address = remote.getAddress();
        return address == null ? remote.getHostString() : address.getHostAddress();
    }

    /** The port; 0 if the address has none. */
    static int port(Request request) {
        return request.remote() instanceof InetSocketAddress remote ? remote.getPort() : 0;
    }
}
