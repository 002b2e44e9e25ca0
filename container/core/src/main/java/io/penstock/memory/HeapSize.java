package io.penstock.memory;

/**
 * Sizes of objects in the heap, in bytes. They are those of the usual JVM with compressed references, that is, with a heap below 32 GB. In
 * a larger heap an object with many references can take up to twice as much.
 */
public final class HeapSize {
    private static final int ARRAY = 16;
    private static final int STRING = 24;

    private HeapSize() {}

    /** The size of an array whose elements take {@code bytes} together. */
    public static int array(int bytes) {
        return ARRAY + bytes + 7 & ~7;
    }

    /** The size of a string in which each char takes one byte. A string with a char beyond U+00FF takes two bytes for each char. */
    public static int text(int chars) {
        return STRING + array(chars);
    }

    /** The size of a string. */
    public static int text(String text) {
        int chars = text.length();
        for (int i = 0; i < chars; i++) {
            if (text.charAt(i) > 0xFF) {
                return text(2 * chars);
            }
        }
        return text(chars);
    }
}
