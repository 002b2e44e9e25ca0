package io.penstock.accesslog;

import io.penstock.events.Request;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;

/** Where a request came from, as lines show it. No name is ever looked up. */
final class Client {
    /** Each number that an octet may be, in decimal digits. */
    private static final byte[][] OCTETS = IntStream.range(0, 256)
            .mapToObj(octet -> Integer.toString(octet).getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);

    private Client() {}

    /** Puts the address where an address is always one word: the usual one without making a text of it. */
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
            out.escaped(text.isEmpty() ? "-" : text);
        }
    }

    /** Empty for the client of a Unix domain socket, which has no name, mostly. */
    static String address(Request request) {
        if (!(request.remote() instanceof InetSocketAddress remote)) {
            return request.remote().toString();
        }
        InetAddress address = remote.getAddress();
        return address == null ? remote.getHostString() : address.getHostAddress();
    }

    /** 0 where there are no ports. */
    static int port(Request request) {
        return request.remote() instanceof InetSocketAddress remote ? remote.getPort() : 0;
    }
}
