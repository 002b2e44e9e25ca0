package io.penstock.proxy;

import io.penstock.address.IpLiteral;
import io.penstock.proxy.ProxyHeader.Malformed;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a header of the PROXY protocol, version 1 or 2 (HAProxy's specification, sections 2.1 and 2.2). The header may arrive in pieces.
 * The reader fails at the first byte that cannot belong to a header.
 *
 * <p>In version 2, the reader uses only addresses of IPv4 and IPv6 over TCP. It skips other kinds of addresses, for example addresses of
 * Unix domain sockets, as the specification demands. It also skips the further values (TLV).
 *
 * <p>Thread: one at a time.
 *
 * <pre>
 *   (first byte) --P--> TEXT --CR LF--> (header)
 *        +--CR--> SIGNATURE --16 bytes--> ADDRESSES --their length--> VALUES --the length of the header--> (header)
 * </pre>
 */
final class HeaderReader {
    /** The longest header of version 1, including its line end. */
    static final int MAX_TEXT = 107;

    /** The longest header of version 2, without its first 16 bytes. */
    static final int MAX_BINARY = 16 * 1024;

    private static final byte[] TEXT = "PROXY ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SIGNATURE = {'\r', '\n', '\r', '\n', 0, '\r', '\n', 'Q', 'U', 'I', 'T', '\n'};
    private static final int FIXED = 16;
    private static final int IPV4 = 12;
    private static final int IPV6 = 36;
    private static final String UNKNOWN = "UNKNOWN";
    private static final int LOCAL = 0;

    private final byte[] bytes = new byte[MAX_TEXT];
    private int size;

    // Used only in version 2. Set when the first 16 bytes have arrived.
    private int addresses; // number of bytes of the addresses
    private int skipped; // number of bytes behind the addresses that must still be skipped

    /** Whether a part of a header has arrived. */
    boolean isInside() {
        return size > 0;
    }

    /**
     * Takes the bytes of the header, but no bytes behind it. Returns null if the header is not complete.
     *
     * @throws Malformed if the bytes are not a header
     */
    @Nullable
    ProxyHeader read(ByteBuffer in) throws Malformed {
        while (in.hasRemaining()) {
            if (hasAddresses()) {
                int count = Math.min(skipped, in.remaining());
                in.position(in.position() + count);
                skipped -= count;
            } else {
                bytes[size++] = in.get();
                if (bytes[0] != TEXT[0]) {
                    binary();
                } else if (text()) {
                    return ofText();
                }
            }
            if (hasAddresses() && skipped == 0) {
                return ofBinary();
            }
        }
        return null;
    }

    /** Whether the header has version 2 and its addresses have been read. The remaining bytes of this header are skipped. */
    private boolean hasAddresses() {
        return size >= FIXED && bytes[0] != TEXT[0] && size == FIXED + addresses;
    }

    // ---- version 1

    /** Checks the next byte of the line. Returns whether it was the last byte. */
    private boolean text() throws Malformed {
        int last = size - 1;
        if (last < TEXT.length) {
            require(bytes[last] == TEXT[last], "it does not begin with PROXY");
            return false;
        }
        boolean afterReturn = bytes[last - 1] == '\r';
        boolean ends = bytes[last] == '\n';
        require(afterReturn == ends, "its line does not end with CR LF");
        require(ends || size < MAX_TEXT, "its line is too long");
        return ends;
    }

    private ProxyHeader ofText() throws Malformed {
        String line = new String(bytes, TEXT.length, size - TEXT.length - 2, StandardCharsets.ISO_8859_1);
        if (line.equals(UNKNOWN) || line.startsWith(UNKNOWN + " ")) {
            return ProxyHeader.UNKNOWN; // receivers must ignore the other words of the line
        }
        String[] words = line.split(" ", -1);
        require(words.length == 5, "its line has not six words");
        boolean ipv6 = words[0].equals("TCP6");
        require(ipv6 || words[0].equals("TCP4"), "its protocol is none of TCP4, TCP6 and UNKNOWN");
        return new ProxyHeader(
                new InetSocketAddress(address(words[1], ipv6), port(words[3])),
                new InetSocketAddress(address(words[2], ipv6), port(words[4])));
    }

    private static InetAddress address(String text, boolean ipv6) throws Malformed {
        InetAddress address = text.indexOf(':') >= 0 == ipv6 ? IpLiteral.read(text) : null;
        if (address == null) {
            throw new Malformed("it has a malformed address");
        }
        return address;
    }

    private static int port(String text) throws Malformed {
        boolean digits = !text.isEmpty() && text.length() <= 5 && text.chars().allMatch(c -> c >= '0' && c <= '9');
        require(digits && (text.equals("0") || text.charAt(0) != '0'), "it has a malformed port");
        int port = Integer.parseInt(text);
        require(port <= 65535, "it has a malformed port");
        return port;
    }

    // ---- version 2

    /** Checks the next byte. */
    private void binary() throws Malformed {
        int last = size - 1;
        if (last < SIGNATURE.length) {
            require(bytes[last] == SIGNATURE[last], "it begins with neither PROXY nor the signature of version 2");
        } else if (size == FIXED) {
            begin();
        }
    }

    /** Reads the lengths from the first 16 bytes. Called when these bytes have arrived. */
    private void begin() throws Malformed {
        int version = bytes[12] >> 4 & 0xF;
        int command = command();
        int family = bytes[13] >> 4 & 0xF;
        int transport = bytes[13] & 0xF;
        int length = (bytes[14] & 0xFF) << 8 | bytes[15] & 0xFF;
        require(version == 2, "its version is not 2");
        require(command <= 1, "its command is neither LOCAL nor PROXY");
        require(length <= MAX_BINARY, "it is too long");
        if (command == LOCAL) {
            skipped = length; // receivers must ignore family and addresses
            return;
        }
        boolean none = family == 0 && transport == 0;
        boolean some = family >= 1 && family <= 3 && (transport == 1 || transport == 2);
        require(none || some, "its address family or protocol is unknown");
        if (transport == 1 && family <= 2) {
            addresses = family == 1 ? IPV4 : IPV6;
            require(length >= addresses, "it is shorter than its addresses");
        }
        skipped = length - addresses;
    }

    private int command() {
        return bytes[12] & 0xF;
    }

    private ProxyHeader ofBinary() {
        if (addresses == 0) {
            return command() == LOCAL ? ProxyHeader.LOCAL : ProxyHeader.UNKNOWN;
        }
        int octets = addresses == IPV4 ? 4 : 16;
        int ports = FIXED + 2 * octets;
        return new ProxyHeader(endpoint(FIXED, octets, ports), endpoint(FIXED + octets, octets, ports + 2));
    }

    private InetSocketAddress endpoint(int from, int octets, int port) {
        return new InetSocketAddress(
                IpLiteral.address(Arrays.copyOfRange(bytes, from, from + octets)),
                (bytes[port] & 0xFF) << 8 | bytes[port + 1] & 0xFF);
    }

    private static void require(boolean condition, String reason) throws Malformed {
        if (!condition) {
            throw new Malformed(reason);
        }
    }
}
