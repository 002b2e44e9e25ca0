package io.penstock.http;

import io.penstock.limits.ParameterLimits;

/**
 * Limits on one multipart body: those of {@link ParameterLimits}, and the servlet's limit on the whole body.
 *
 * @param parts the most parts
 * @param partHeaderBytes all header lines of one part together, in bytes
 * @param totalBytes the whole body, including preamble and delimiters; beyond it 413. It has no key, since the servlet sets it
 */
public record MultipartLimits(int parts, int partHeaderBytes, long totalBytes) {

    public MultipartLimits {
        if (parts < 1 || partHeaderBytes < 64 || totalBytes < 0) {
            throw new IllegalArgumentException(
                    "multipart limits too small: " + parts + ", " + partHeaderBytes + ", " + totalBytes);
        }
    }

    public static MultipartLimits defaults() {
        return of(ParameterLimits.defaults(), Long.MAX_VALUE);
    }

    public static MultipartLimits of(ParameterLimits given, long totalBytes) {
        return new MultipartLimits(given.parts(), given.partHeaderBytes(), totalBytes);
    }
}
