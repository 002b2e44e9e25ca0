package io.penstock.http;

/**
 * Bounds on one multipart body; beyond any of them 413.
 *
 * @param parts most parts
 * @param partHeaderBytes all header lines of one part together, in bytes
 * @param totalBytes the whole body, preamble and delimiters included
 */
public record MultipartLimits(int parts, int partHeaderBytes, long totalBytes) {

    public MultipartLimits {
        if (parts < 1 || partHeaderBytes < 64 || totalBytes < 0) {
            throw new IllegalArgumentException(
                    "multipart limits too small: " + parts + ", " + partHeaderBytes + ", " + totalBytes);
        }
    }

    public static MultipartLimits defaults() {
        return new MultipartLimits(1000, 8 * 1024, Long.MAX_VALUE);
    }
}
