package io.penstock.http;

import io.penstock.limits.ParameterLimits;

/**
 * Limits on one multipart body: those of {@link ParameterLimits}, and that of the servlet on the whole.
 *
 * @param parts most parts
 * @param partHeaderBytes all header lines of one part together, in bytes
 * @param totalBytes the whole body, preamble and delimiters included; beyond it 413. The servlet sets this one, so it has no key
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
