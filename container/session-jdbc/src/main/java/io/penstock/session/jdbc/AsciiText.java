package io.penstock.session.jdbc;

import java.io.IOException;

/**
 * Encodes text as printable ASCII, which each database stores unchanged. The encoding is necessary because some attribute names begin with
 * NUL, which PostgreSQL cannot store. Backslashes and all UTF-16 code units outside printable ASCII become escapes. An escape is a
 * backslash and four lower-case hexadecimal digits. Different texts have different encodings.
 */
final class AsciiText {
    private static final char ESCAPE = '\\';
    private static final int DIGITS = 4;

    private AsciiText() {}

    static String encode(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + DIGITS);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                encoded.append(c);
            } else {
                encoded.append(ESCAPE);
                for (int shift = 12; shift >= 0; shift -= 4) {
                    encoded.append(Character.forDigit(c >> shift & 0xf, 16));
                }
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(char c) {
        return c >= ' ' && c <= '~' && c != ESCAPE;
    }

    /** @throws IOException if {@code encoded} is not a result of {@link #encode} */
    static String decode(String encoded) throws IOException {
        StringBuilder text = new StringBuilder(encoded.length());
        int at = 0;
        while (at < encoded.length()) {
            char c = encoded.charAt(at++);
            if (c == ESCAPE) {
                c = decodedUnit(encoded, at);
                at += DIGITS;
            }
            text.append(c);
        }
        if (!encode(text.toString()).equals(encoded)) {
            throw new IOException("the name of an attribute is not in the form of this server");
        }
        return text.toString();
    }

    private static char decodedUnit(String encoded, int at) throws IOException {
        if (encoded.length() - at < DIGITS) {
            throw new IOException("the name of an attribute ends within an escape");
        }
        int unit = 0;
        for (int i = at; i < at + DIGITS; i++) {
            int digit = Character.digit(encoded.charAt(i), 16);
            if (digit < 0) {
                throw new IOException("the name of an attribute has a malformed escape");
            }
            unit = unit << 4 | digit;
        }
        return (char) unit;
    }
}
