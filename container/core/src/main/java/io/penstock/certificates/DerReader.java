package io.penstock.certificates;

import java.util.Arrays;

/** Reads a sequence of values in DER (ITU-T X.690). */
final class DerReader {
    private final byte[] bytes;
    private int position;

    DerReader(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean hasMore() {
        return position < bytes.length;
    }

    /** Whether the next value has this tag. */
    boolean isNext(int tag) {
        return hasMore() && (bytes[position] & 0xFF) == tag;
    }

    /** Reads the next value, and returns its bytes with the tag and the length. */
    byte[] value() {
        int begin = position;
        skip();
        return Arrays.copyOfRange(bytes, begin, position);
    }

    /**
     * Reads the next value, and returns its content.
     *
     * @throws IllegalArgumentException if the value has another tag, or if the bytes are not DER
     */
    byte[] content(int tag) {
        if (!isNext(tag)) {
            throw new IllegalArgumentException("unexpected structure");
        }
        int begin = skip();
        return Arrays.copyOfRange(bytes, begin, position);
    }

    /** Skips the next value, and returns the position of its content. */
    private int skip() {
        int at = position + 1;
        long length = at < bytes.length ? bytes[at++] & 0xFF : bytes.length;
        if (length >= 0x80) {
            int digits = (int) length & 0x7F;
            if (digits == 0 || digits > 4 || digits > bytes.length - at) {
                throw new IllegalArgumentException("cut off, or not DER");
            }
            length = 0;
            for (int i = 0; i < digits; i++) {
                length = length << 8 | bytes[at++] & 0xFF;
            }
        }
        if (length > bytes.length - at) {
            throw new IllegalArgumentException("cut off, or not DER");
        }
        position = at + (int) length;
        return at;
    }
}
