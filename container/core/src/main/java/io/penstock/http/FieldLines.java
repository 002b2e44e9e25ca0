package io.penstock.http;

import io.penstock.memory.HeapSize;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Field lines, stored as offsets into the bytes of their head. A name or a value becomes a string only when it is read. One thread adds the
 * lines; afterwards the object is immutable.
 */
final class FieldLines implements Fields {
    private static final int WIDTH = 4; // name start, name end, value start, value end
    private static final int FIRST = 4; // enough lines for the request of a simple client (not a browser)
    private static final int SECOND = 16; // enough lines for a browser's request

    private static final byte[] NONE = new byte[0];

    private byte[] bytes = NONE;
    private int[] marks = new int[FIRST * WIDTH];
    private int size;

    /**
     * Adds the line between two offsets (RFC 9112 section 5).
     *
     * @return the offset at which the name of the field ends
     * @throws Violation 400 for white space before the colon, folding, an empty name, or a byte that is not allowed
     */
    int add(byte[] in, int start, int end) throws Violation {
        int colon = FieldSyntax.tokenEnd(in, start, end);
        if (colon == end || in[colon] != ':' || colon == start) {
            throw new Violation(400, "field line with a malformed name");
        }
        int valueStart = colon + 1;
        int valueEnd = end;
        while (valueStart < valueEnd && isBlank(in[valueStart])) {
            valueStart++;
        }
        while (valueEnd > valueStart && isBlank(in[valueEnd - 1])) {
            valueEnd--;
        }
        for (int i = valueStart; i < valueEnd; i++) {
            byte b = in[i];
            if ((b < ' ' && b >= 0 && b != '\t') || b == 127) {
                throw new Violation(400, "control character in a field value");
            }
        }
        mark(start, colon, valueStart, valueEnd);
        return colon;
    }

    /** Moves the end of the last line's value. */
    void endLastAt(int valueEnd) {
        marks[size * WIDTH - 1] = valueEnd;
    }

    /** Sets the array to which the offsets refer. Called after the last line. */
    void over(byte[] finalBytes) {
        bytes = finalBytes;
    }

    /** The memory of the offsets. */
    int held() {
        return HeapSize.array(marks.length * Integer.BYTES);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public String name(int index) {
        return text(check(index) * WIDTH);
    }

    @Override
    public String value(int index) {
        return text(check(index) * WIDTH + 2);
    }

    @Override
    public boolean isNamed(int index, String name) {
        int at = check(index) * WIDTH;
        int start = marks[at];
        if (marks[at + 1] - start != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            int a = bytes[start + i];
            int b = name.charAt(i);
            if (a != b && (lower(a) != lower(b))) {
                return false;
            }
        }
        return true;
    }

    /** Whether the value of the first line with the name {@code name} is a host with an optional port. Makes no string. */
    boolean isAuthority(String name) {
        int line = 0;
        while (!isNamed(line, name)) {
            line++;
        }
        return HostSyntax.isAuthority(bytes, marks[line * WIDTH + 2], marks[line * WIDTH + 3]);
    }

    private static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    private int check(int index) {
        if (index < 0 || index >= size) {
            throw new IndexOutOfBoundsException(index);
        }
        return index;
    }

    private String text(int at) {
        return new String(bytes, marks[at], marks[at + 1] - marks[at], StandardCharsets.ISO_8859_1);
    }

    /** Adds a line whose offsets the caller knows, and whose name and value it has checked. */
    void mark(int nameStart, int nameEnd, int valueStart, int valueEnd) {
        int at = size * WIDTH;
        if (at == marks.length) {
            marks = Arrays.copyOf(marks, Math.max(SECOND * WIDTH, 2 * at));
        }
        marks[at] = nameStart;
        marks[at + 1] = nameEnd;
        marks[at + 2] = valueStart;
        marks[at + 3] = valueEnd;
        size++;
    }
}
