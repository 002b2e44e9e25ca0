package io.penstock.address;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Encodes a path for a URI, and decodes it. */
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

    /** Replaces the percent escapes. Returns null if an escape is malformed, or if the octets are not UTF-8. */
    public static @Nullable String decode(String encoded) {
        if (encoded.indexOf('%') < 0) {
            return encoded;
        }
        byte[] given = encoded.getBytes(StandardCharsets.UTF_8);
        byte[] octets = new byte[given.length];
        int count = 0;
        for (int i = 0; i < given.length; i++) {
            octets[count++] = given[i];
            if (given[i] == '%') {
                int high = i + 2 < given.length ? Character.digit(given[i + 1], 16) : -1;
                int low = high < 0 ? -1 : Character.digit(given[i + 2], 16);
                if (low < 0) {
                    return null;
                }
                octets[count - 1] = (byte) (high << 4 | low);
                i += 2;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(octets, 0, count))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    private static boolean isPlain(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || AS_IS.indexOf(c) >= 0);
    }
}
