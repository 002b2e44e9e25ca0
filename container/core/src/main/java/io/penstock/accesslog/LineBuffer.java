package io.penstock.accesslog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects the bytes of lines before they are written. All added text is converted to printable ASCII. Each method that adds text of
 * clients replaces all other characters by escapes. So a client's text cannot end a line, close a quote, or control a terminal.
 *
 * <p>Thread: one at a time.
 */
final class LineBuffer {
    private static final String HEX = "0123456789ABCDEF";

    // Each kind of escape has a table. The table contains the characters that are added unchanged.
    private static final boolean[] QUOTED = printableBut("\"\\");
    private static final boolean[] WORD = printableBut("\"\\ ");
    private static final boolean[] FIELD = printableBut(" \"#%");
    private static final boolean[] TARGET = printableBut(" \"#");

    private final int usual;
    private byte[] bytes;
    private int length;

    /** @param usual the initial capacity in bytes */
    LineBuffer(int usual) {
        this.usual = usual;
        this.bytes = new byte[usual];
    }

    int length() {
        return length;
    }

    /** A copy of the content. */
    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** The content as text. */
    String text() {
        return new String(bytes, 0, length, StandardCharsets.US_ASCII);
    }

    /** The content of this buffer. It is valid until the next change of the buffer. */
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    void clear() {
        length = 0;
        if (bytes.length > 4 * usual) {
            bytes = new byte[usual]; // releases the memory of a long line
        }
    }

    /** Truncates the content to {@code newLength} bytes. */
    void cut(int newLength) {
        length = newLength;
    }

    // ---- text of the formats

    /** Adds fixed text of the log format, without escapes. Text from a client needs another method. */
    LineBuffer plain(String ascii) {
        int count = ascii.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[length + i] = (byte) ascii.charAt(i);
        }
        length += count;
        return this;
    }

    /** Adds fixed bytes of the log format, or a line from another buffer. */
    LineBuffer plain(byte[] ascii) {
        reserve(ascii.length);
        System.arraycopy(ascii, 0, bytes, length, ascii.length);
        length += ascii.length;
        return this;
    }

    LineBuffer plain(char ascii) {
        put(ascii);
        return this;
    }

    LineBuffer number(long value) {
        if (value < 0) {
            return plain(Long.toString(value));
        }
        int count = 1;
        for (long rest = value / 10; rest > 0; rest /= 10) {
            count++;
        }
        digits(value, count);
        return this;
    }

    /**
     * Adds a decimal fraction with {@code digits} digits after the decimal point: {@code value} divided by ten to the power of {@code
     * digits}.
     */
    LineBuffer fixed(long value, int digits) {
        long one = 1;
        for (int i = 0; i < digits; i++) {
            one *= 10;
        }
        long number = Math.max(0, value);
        number(number / one).plain('.').digits(number % one, digits);
        return this;
    }

    private void digits(long value, int count) {
        reserve(count);
        long rest = value;
        for (int i = count - 1; i >= 0; i--) {
            bytes[length + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        length += count;
    }

    // ---- text of clients

    /**
     * Adds text with {@code \xHH} for a quote, a backslash, and all characters except printable ASCII. A character outside ISO-8859-1
     * becomes {@code \}{@code uHHHH}.
     */
    LineBuffer escaped(String text) {
        return escaped(text, QUOTED);
    }

    /** Adds text that is not in quotes. The escapes are those of {@link #escaped}. A blank is escaped, too. */
    LineBuffer escapedWord(String text) {
        return escaped(text, WORD);
    }

    private LineBuffer escaped(String text, boolean[] asItIs) {
        for (int i = leading(text, 0, asItIs); i < text.length(); i = leading(text, i + 1, asItIs)) {
            char c = text.charAt(i);
            if (c <= 0xFF) {
                put('\\');
                put('x');
                hex(c, 2);
            } else {
                unicode(c);
            }
        }
        return this;
    }

    /**
     * Adds the characters from index {@code from} on, up to the first character that needs an escape. Returns the index of that character.
     */
    private int leading(String text, int from, boolean[] asItIs) {
        int end = text.length();
        reserve(end - from);
        byte[] target = bytes;
        int at = length;
        int i = from;
        for (; i < end; i++) {
            char c = text.charAt(i);
            if (c >= asItIs.length || !asItIs[c]) {
                break;
            }
            target[at++] = (byte) c;
        }
        length = at;
        return i;
    }

    /** The table of all printable ASCII characters except {@code others}. */
    private static boolean[] printableBut(String others) {
        boolean[] asItIs = new boolean[0x7F];
        Arrays.fill(asItIs, ' ', 0x7F, true);
        others.chars().forEach(c -> asItIs[c] = false);
        return asItIs;
    }

    /** Adds a JSON string (RFC 8259 section 7), with its quotes. */
    LineBuffer json(String text) {
        put('"');
        for (int i = leading(text, 0, QUOTED); i < text.length(); i = leading(text, i + 1, QUOTED)) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                put('\\');
                put(c);
            } else {
                unicode(c);
            }
        }
        put('"');
        return this;
    }

    /** Adds text with {@code %HH} for a blank, a quote, a number sign, a percent sign, and all characters except printable ASCII. */
    LineBuffer percent(String text) {
        return percent(text, FIELD);
    }

    /**
     * Adds a request target. The escapes are those of {@link #percent(String)}. Percent signs are kept, because they are escapes of the
     * client.
     */
    LineBuffer target(String text) {
        return percent(text, TARGET);
    }

    private LineBuffer percent(String text, boolean[] asItIs) {
        for (int i = leading(text, 0, asItIs); i < text.length(); i = leading(text, i + 1, asItIs)) {
            percent(text.charAt(i));
        }
        return this;
    }

    /**
     * Adds the escape of one character. The text of a request head has one char for each octet. Other text, such as a user's name, can have
     * characters above {@code 0xFF}. These characters become {@code %uHHHH}.
     */
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

    private void put(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
    }

    /** Makes room for {@code count} more bytes. */
    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }
}
