package io.penstock.admin;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Writes a JSON text (RFC 8259). The caller adds the parts of the text in their order. This class escapes the characters that could end a
 * script or a tag. So the text is safe inside an HTML page.
 *
 * <p>Thread: one.
 */
final class Json {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder out = new StringBuilder(4096);
    private final Deque<Character> ends = new ArrayDeque<>();

    Json object() {
        return open('{', '}');
    }

    Json array() {
        return open('[', ']');
    }

    private Json open(char begin, char end) {
        separate();
        out.append(begin);
        ends.push(end);
        return this;
    }

    /** Ends the innermost open object or array. */
    Json end() {
        out.append(ends.pop());
        return this;
    }

    /** Writes the name of the next value. */
    Json name(String name) {
        string(name);
        out.append(':');
        return this;
    }

    Json value(String text) {
        string(text);
        return this;
    }

    Json value(long number) {
        separate();
        out.append(number);
        return this;
    }

    /** Writes a number with a fraction. NaN and infinity become 0. */
    Json value(double number) {
        separate();
        out.append(Double.isFinite(number) ? number : 0);
        return this;
    }

    Json field(String name, String text) {
        return name(name).value(text);
    }

    Json field(String name, boolean truth) {
        name(name);
        separate();
        out.append(truth);
        return this;
    }

    Json field(String name, long number) {
        return name(name).value(number);
    }

    Json field(String name, double number) {
        return name(name).value(number);
    }

    /** The JSON text. The caller must have ended all objects and arrays. */
    @Override
    public String toString() {
        if (!ends.isEmpty()) {
            throw new IllegalStateException("objects and arrays that have not ended: " + ends);
        }
        return out.toString();
    }

    private void separate() {
        if (out.length() > 0 && "{[:".indexOf(out.charAt(out.length() - 1)) < 0) {
            out.append(',');
        }
    }

    private void string(String text) {
        separate();
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' '
                    || c == '<'
                    || c == '>'
                    || c == '&'
                    || c >= 0x7f && c < 0xa0
                    || c == 0x2028
                    || c == 0x2029) {
                escape(c);
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    private void escape(char c) {
        out.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            out.append(HEX.charAt(c >> shift & 0xf));
        }
    }
}
