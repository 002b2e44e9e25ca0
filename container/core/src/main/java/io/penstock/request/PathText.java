package io.penstock.request;

import java.nio.charset.StandardCharsets;

/** Encodes a decoded path for a URI. */
public final class PathText {
    private static final String AS_IS = "-._~!$&'()*+,=:@/";

    private PathText() {}

    /** Escapes characters that a path may not contain, and characters that have a special meaning in a path (RFC 3986 section 3.3). */
    public static String encode(String decoded) {
        int plain = 0;
        while (plain < decoded.length() && isPlain(decoded.charAt(plain))) {
            plain++;
        }
        if (plain == decoded.length()) {
            return decoded;
        }
        StringBuilder encoded = new StringBuilder(decoded.length() + 16);
        for (byte octet : decoded.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            if (isPlain(c)) {
                encoded.append(c);
            } else {
                encoded.append('%');
                encoded.append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                encoded.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || AS_IS.indexOf(c) >= 0);
    }
}
