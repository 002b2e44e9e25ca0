package io.penstock.accesslog;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Lines on their way to the disk, as bytes. Whatever text is put in, by whichever of the escapes, comes out as printable ASCII: it can end no
 * line, close no quote, and move no cursor of a terminal.
 *
 * <p>Thread: one, the writer's.
 */
final class LineBuffer {
    private static final int USUAL = 80 << 10;
    private static final String HEX = "0123456789ABCDEF";

    private byte[] bytes = new byte[USUAL];
    private int length;

    int length() {
        return length;
    }

    /** What is in it; valid until the next change. */
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    void clear() {
        length = 0;
        if (bytes.length > 4 * USUAL) {
            bytes = new byte[USUAL]; // a client's long line is no reason to hold so much for ever
        }
    }

    /** Forgets what came behind that length. */
    void cut(int newLength) {
        length = newLength;
    }

    // ---- our own words

    /** Text of the format's, not of a client's. */
    LineBuffer plain(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            put(ascii.charAt(i));
        }
        return this;
    }

    LineBuffer plain(char ascii) {
        put(ascii);
        return this;
    }

    LineBuffer number(long value) {
        return plain(Long.toString(value));
    }

    /** With that many digits behind the point, of a number that counts the last of them. */
    LineBuffer fixed(long value, int digits) {
        String text = Long.toString(Math.max(0, value));
        String padded = "0".repeat(Math.max(0, digits + 1 - text.length())) + text;
        int point = padded.length() - digits;
        return plain(padded.substring(0, point)).plain('.').plain(padded.substring(point));
    }

    // ---- the words of others

    /** {@code \xHH} for all but printable ASCII, for quote and backslash; beyond ISO-8859-1, {@code \}{@code uHHHH}. */
    LineBuffer escaped(String text) {
        return escaped(text, "\"\\");
    }

    /** The same where no quotes stand around it: a blank is escaped, too. */
    LineBuffer escapedWord(String text) {
        return escaped(text, "\"\\ ");
    }

    private LineBuffer escaped(String text, String alsoEscaped) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPrintable(c) && alsoEscaped.indexOf(c) < 0) {
                put(c);
            } else if (c <= 0xFF) {
                put('\\');
                put('x');
                hex(c, 2);
            } else {
                unicode(c);
            }
        }
        return this;
    }

    /** A string of JSON (RFC 8259 section 7), with its quotes. */
    LineBuffer json(String text) {
        put('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                put('\\');
                put(c);
            } else if (isPrintable(c)) {
                put(c);
            } else {
                unicode(c);
            }
        }
        put('"');
        return this;
    }

    /** {@code %HH} for all but printable ASCII, for blank, quote, number sign and percent sign. */
    LineBuffer percent(String text) {
        return percent(text, " \"#%");
    }

    /** The same of a request target, whose percent signs are the client's own escapes. */
    LineBuffer target(String text) {
        return percent(text, " \"#");
    }

    private LineBuffer percent(String text, String alsoEscaped) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPrintable(c) && alsoEscaped.indexOf(c) < 0) {
                put(c);
            } else {
                percent(c);
            }
        }
        return this;
    }

    /** The texts of a head have one char an octet; others, such as a name, may have more: then it is {@code %uHHHH}. */
    private void percent(char c) {
        put('%');
        if (c > 0xFF) {
            put('u');
            hex(c, 4);
        } else {
            hex(c, 2);
        }
    }

    private void unicode(char c) {
        put('\\');
        put('u');
        hex(c, 4);
    }

    private void hex(int value, int digits) {
        for (int i = digits - 1; i >= 0; i--) {
            put(HEX.charAt((value >>> (4 * i)) & 15));
        }
    }

    private static boolean isPrintable(char c) {
        return c >= ' ' && c < 0x7F;
    }

    private void put(char ascii) {
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, length * 2);
        }
        bytes[length++] = (byte) ascii;
    }
}
