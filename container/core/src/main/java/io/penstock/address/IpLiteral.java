package io.penstock.address;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Parses IP addresses, without DNS lookups. An IPv4 address has four decimal octets. An IPv6 address has the form of RFC 4291 section 2.2.
 * An IPv4-mapped IPv6 address (RFC 4291 section 2.5.5.2) is read as the IPv4 address. Zone ids are not allowed, because they have a meaning
 * only on one machine.
 *
 * <p>Thread: any.
 */
public final class IpLiteral {
    private static final int IPV4_BYTES = 4;
    private static final int IPV6_BYTES = 16;
    private static final int LONGEST = "0000:0000:0000:0000:0000:0000:255.255.255.255".length();

    private IpLiteral() {}

    /** Parses an address; null if the text is no address. */
    public static @Nullable InetAddress read(String text) {
        byte[] octets = text.length() > LONGEST ? null : text.indexOf(':') < 0 ? ipv4(text) : ipv6(text);
        return octets == null ? null : address(octets);
    }

    /** An address from 4 or 16 bytes. */
    public static InetAddress address(byte[] octets) {
        try {
            return InetAddress.getByAddress(octets);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("no address has " + octets.length + " bytes", e);
        }
    }

    private static byte @Nullable [] ipv4(String text) {
        byte[] octets = new byte[IPV4_BYTES];
        return ipv4(text, 0, octets, 0) ? octets : null;
    }

    /** Reads an IPv4 address that begins at {@code from} and ends with the text. */
    private static boolean ipv4(String text, int from, byte[] into, int at) {
        int next = from;
        for (int i = 0; i < IPV4_BYTES; i++) {
            int end = i + 1 == IPV4_BYTES ? text.length() : text.indexOf('.', next);
            int octet = end < 0 ? -1 : number(text, next, end, 3, 10);
            boolean leadingZero = end - next > 1 && text.charAt(next) == '0';
            if (octet < 0 || octet > 255 || leadingZero) {
                return false;
            }
            into[at + i] = (byte) octet;
            next = end + 1;
        }
        return true;
    }

    private static byte @Nullable [] ipv6(String text) {
        byte[] octets = new byte[IPV6_BYTES];
        int filled = 0;
        int elided = -1; // the position of the omitted zeros
        int next = 0;
        if (text.startsWith("::")) {
            elided = 0;
            next = 2;
        }
        while (next < text.length()) {
            int colon = text.indexOf(':', next);
            int end = colon < 0 ? text.length() : colon;
            int group = number(text, next, end, 4, 16);
            if (group >= 0 && filled + 2 <= IPV6_BYTES) {
                octets[filled++] = (byte) (group >> 8);
                octets[filled++] = (byte) group;
            } else if (colon < 0 && filled + IPV4_BYTES <= IPV6_BYTES && ipv4(text, next, octets, filled)) {
                filled += IPV4_BYTES;
            } else {
                return null;
            }
            next = end + 1;
            if (text.startsWith(":", next) && colon >= 0) {
                if (elided >= 0) {
                    return null;
                }
                elided = filled;
                next++;
            } else if (colon >= 0 && next == text.length()) {
                return null; // the text ends with a single colon
            }
        }
        return spread(octets, filled, elided);
    }

    /** Inserts the omitted zeros. */
    private static byte @Nullable [] spread(byte[] octets, int filled, int elided) {
        if (elided < 0) {
            return filled == IPV6_BYTES ? octets : null;
        }
        if (filled == IPV6_BYTES) {
            return null; // two colons stand for at least one group
        }
        byte[] all = new byte[IPV6_BYTES];
        System.arraycopy(octets, 0, all, 0, elided);
        System.arraycopy(octets, elided, all, IPV6_BYTES - (filled - elided), filled - elided);
        return all;
    }

    /** Parses the number between two offsets; -1 if the text is no number, or has more than {@code most} digits. */
    private static int number(String text, int from, int end, int most, int radix) {
        if (end == from || end - from > most) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            number = number * radix + digit;
        }
        return number;
    }
}
