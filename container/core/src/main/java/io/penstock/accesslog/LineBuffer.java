package io.penstock.accesslog;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Lines on their way to the disk, as bytes. Whatever text is put in, by whichever of the escapes, comes out as printable ASCII: it can end no
 * line, close no quote, and move no cursor of a terminal.
 *
 * <p>Thread: one at a time.
 */
final class LineBuffer {
    private static final String HEX = "0123456789ABCDEF";

    // What each of the escapes leaves as it is.
    private static final boolean[] QUOTED = printableBut("\"\\");
    private static final boolean[] WORD = printableBut("\"\\ ");
    private static final boolean[] FIELD = printableBut(" \"#%");
    private static final boolean[] TARGET = printableBut(" \"#");

    private final int usual;
    private byte[] bytes;
    private int length;

    /** @param usual bytes for which it has room, before it takes more */
    LineBuffer(int usual) {
        this.usual = usual;
        this.bytes = new byte[usual];
    }

    int length() {
        return length;
    }

    /** A copy of what is in it. */
    byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    /** What is in it; valid until the next change. */
    ByteBuffer content() {
        return ByteBuffer.wrap(bytes, 0, length);
    }

    void clear() {
        length = 0;
        if (bytes.length > 4 * usual) {
            bytes = new byte[usual]; // a client's long line is no reason to hold so much for ever
        }
    }

    /** Forgets what came behind that length. */
    void cut(int newLength) {
        length = newLength;
    }

    // ---- our own words

    /** Text of the format's, not of a client's. */
    LineBuffer plain(String ascii) {
        int count = ascii.length();
        reserve(count);
        for (int i = 0; i < count; i++) {
            bytes[length + i] = (byte) ascii.charAt(i);
        }
        length += count;
        return this;
    }

    /** The same as bytes: also a line, as another of these has made it. */
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

    /** With that many digits behind the point, of a number that counts the last of them. */
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

    // ---- the words of others

    /** {@code \xHH} for all but printable ASCII, for quote and backslash; beyond ISO-8859-1, {@code \}{@code uHHHH}. */
    LineBuffer escaped(String text) {
        return escaped(text, QUOTED);
    }

    /** The same where no quotes stand around it: a blank is escaped, too. */
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

    /** Puts what may stand as it is, from there on; returns where it ends. */
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

    /** Printable ASCII but for these. */
    private static boolean[] printableBut(String others) {
        boolean[] asItIs = new boolean[0x7F];
        Arrays.fill(asItIs, ' ', 0x7F, true);
        others.chars().forEach(c -> asItIs[c] = false);
        return asItIs;
    }

    /** A string of JSON (RFC 8259 section 7), with its quotes. */
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

    /** {@code %HH} for all but printable ASCII, for blank, quote, number sign and percent sign. */
    LineBuffer percent(String text) {
        return percent(text, FIELD);
    }

    /** The same of a request target, whose percent signs are the client's own escapes. */
    LineBuffer target(String text) {
        return percent(text, TARGET);
    }

    private LineBuffer percent(String text, boolean[] asItIs) {
        for (int i = leading(text, 0, asItIs); i < text.length(); i = leading(text, i + 1, asItIs)) {
            percent(text.charAt(i));
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

    private void put(char ascii) {
        reserve(1);
        bytes[length++] = (byte) ascii;
    }

    /** Makes room for so many more. */
    private void reserve(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }
}
