package io.penstock.http;

import java.nio.charset.StandardCharsets;

/** The grammar of hosts in URIs, with their ports (RFC 3986 section 3.2). The methods do not decode, and make no DNS queries. Thread: any. */
final class HostSyntax {
    private static final int GROUPS = 8;
    private static final boolean[] NAME = new boolean[128];

    static {
        for (char c = 0; c < NAME.length; c++) {
            NAME[c] = isLetter(c) || isDigit(c) || "-._~!$&'()*+,;=".indexOf(c) >= 0;
        }
    }

    private HostSyntax() {}

    /** Whether the text is a host with an optional port. The host must not be empty. */
    static boolean isAuthority(String text) {
        byte[] in = text.getBytes(StandardCharsets.ISO_8859_1);
        return isAuthority(in, 0, in.length);
    }

    /** Checks the bytes between two offsets in the same way as {@link #isAuthority(String)}. */
    static boolean isAuthority(byte[] in, int start, int end) {
        int hostEnd;
        if (start < end && in[start] == '[') {
            int close = find(']', in, start, end);
            if (close == end
                    || !isAddressLiteral(new String(in, start + 1, close - start - 1, StandardCharsets.ISO_8859_1))) {
                return false;
            }
            hostEnd = close + 1;
        } else {
            hostEnd = find(':', in, start, end);
            if (!isName(in, start, hostEnd)) {
                return false;
            }
        }
        return hostEnd == end || (in[hostEnd] == ':' && isPort(in, hostEnd + 1, end));
    }

    /** The index of the first {@code c}; {@code end} if there is none. */
    private static int find(char c, byte[] in, int start, int end) {
        int at = start;
        while (at < end && in[at] != c) {
            at++;
        }
        return at;
    }

    private static boolean isPort(byte[] in, int start, int end) {
        if (end - start > 5) {
            return false;
        }
        int port = 0;
        for (int i = start; i < end; i++) {
            if (in[i] < '0' || in[i] > '9') {
                return false;
            }
            port = port * 10 + in[i] - '0';
        }
        return port <= 65535;
    }

    /**
     * Whether the bytes are a {@code reg-name}, which can also be an IPv4 address. The name must not be empty, since an http URI always has
     * a host.
     */
    static boolean isName(byte[] in, int start, int end) {
        for (int i = start; i < end; i++) {
            if (in[i] == '%') {
                if (i + 2 >= end || !isHex(in[i + 1]) || !isHex(in[i + 2])) {
                    return false;
                }
            } else if (!isNameCharacter(in[i])) {
                return false;
            }
        }
        return start < end;
    }

    /**
     * Whether the text can be between the brackets of an {@code IP-literal}. Zones are not allowed, because a zone has a meaning only on
     * one machine.
     */
    static boolean isAddressLiteral(String text) {
        boolean future = text.startsWith("v") || text.startsWith("V");
        return future ? isFutureAddress(text) : isIpv6Address(text);
    }

    /** Whether the text matches {@code "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )}. */
    private static boolean isFutureAddress(String text) {
        int dot = text.indexOf('.');
        if (dot < 2 || dot + 1 == text.length()) {
            return false;
        }
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean fits = i < dot ? isHex(c) : c == ':' || isNameCharacter(c);
            if (!fits) {
                return false;
            }
        }
        return true;
    }

    /** Whether the text has eight groups, or fewer groups and one {@code ::}. An IPv4 address may replace the last two groups. */
    private static boolean isIpv6Address(String text) {
        int groups = 0;
        boolean elided = text.startsWith("::");
        int at = elided ? 2 : 0;
        while (at < text.length()) {
            int colon = text.indexOf(':', at);
            if (colon < 0) {
                String last = text.substring(at);
                groups += isGroup(last) ? 1 : isIpv4Address(last) ? 2 : GROUPS + 1;
                at = text.length();
            } else {
                groups += isGroup(text.substring(at, colon)) ? 1 : GROUPS + 1;
                at = colon + 1;
                if (text.startsWith(":", at)) {
                    if (elided) {
                        return false;
                    }
                    elided = true;
                    at++;
                } else if (at == text.length()) {
                    return false;
                }
            }
        }
        return elided ? groups < GROUPS : groups == GROUPS;
    }

    /** Whether the text is an {@code h16}. */
    private static boolean isGroup(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isHex(text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= 4;
    }

    private static boolean isIpv4Address(String text) {
        String[] octets = text.split("\\.", -1);
        for (String octet : octets) {
            if (!isDecOctet(octet)) {
                return false;
            }
        }
        return octets.length == 4;
    }

    /** Whether the text is a number from 0 to 255 without leading zeros. */
    private static boolean isDecOctet(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (!isDigit(text.charAt(i))) {
                return false;
            }
        }
        boolean leadingZero = text.length() > 1 && text.charAt(0) == '0';
        return !text.isEmpty() && text.length() <= 3 && !leadingZero && Integer.parseInt(text) <= 255;
    }

    /** Whether the character is in {@code unreserved / sub-delims}. */
    private static boolean isNameCharacter(int c) {
        return c >= 0 && c < NAME.length && NAME[c];
    }

    private static boolean isHex(int c) {
        int small = c | 0x20;
        return isDigit(c) || (small >= 'a' && small <= 'f');
    }

    private static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }
}
