package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * The elements of a field that is a list (RFC 9110 section 5.6.1), over all lines of that name. The last element comes first. Empty
 * elements are left out. Not for fields whose values may contain quoted commas.
 *
 * <p>Thread: one.
 */
final class ListFromEnd {
    private final Fields fields;
    private final String name;
    private int line;
    private String value = "";
    private int end = -1; // the end of the unread part of the value; -1 if all is read

    ListFromEnd(Fields fields, String name) {
        this.fields = fields;
        this.name = name;
        this.line = fields.size();
    }

    /** The element before the last one that was returned; null if there is none. */
    @Nullable
    String next() {
        while (end >= 0 || previousLine()) {
            int comma = value.lastIndexOf(',', end - 1);
            String element = trimmed(value, comma + 1, end);
            end = comma;
            if (!element.isEmpty()) {
                return element;
            }
        }
        return null;
    }

    private boolean previousLine() {
        while (line > 0) {
            line--;
            if (fields.isNamed(line, name)) {
                value = fields.value(line);
                end = value.length();
                return true;
            }
        }
        return false;
    }

    /** The text between two offsets, without the white space around it (RFC 9110 section 5.6.3). */
    private static String trimmed(String text, int from, int to) {
        int start = from;
        int stop = to;
        while (start < stop && FieldSyntax.isBlank(text.charAt(start))) {
            start++;
        }
        while (stop > start && FieldSyntax.isBlank(text.charAt(stop - 1))) {
            stop--;
        }
        return text.substring(start, stop);
    }
}
