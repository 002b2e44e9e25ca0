package io.penstock.http;

/**
 * Part of a representation.
 *
 * @param first the position of the first byte
 * @param last the position of the last byte, inclusive
 */
public record ByteRange(long first, long last) {

    public long length() {
        return last - first + 1;
    }

    /** The value of {@code Content-Range} (RFC 9110 section 14.4). */
    public String contentRange(long completeLength) {
        return "bytes " + first + "-" + last + "/" + completeLength;
    }
}
