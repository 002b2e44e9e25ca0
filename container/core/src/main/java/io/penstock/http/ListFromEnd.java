package io.penstock.http;

import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of a field that is a list (RFC 9110 section 5.6.1), beginning with the last element. All lines with the name of the
 * field are read as one list. Empty elements are ignored. This class must not be used for fields whose values may contain quoted commas.
 *
 * <p>Thread: one at a time.
 */
final class ListFromEnd {
    private final Fields fields;
    private final String name;
    private int line;
    private String value = "";
    private int end = -1; // the end of the unread part of {@code value}; -1 if {@code value} has been read

    ListFromEnd(Fields fields, String name) {
        this.fields = fields;
        this.name = name;
        this.line = fields.size();
    }

    /** Returns the element before the element that the last call has returned. Returns null if there is none. */
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
