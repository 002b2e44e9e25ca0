package io.penstock.http;

import io.penstock.limits.ParameterLimits;

/**
 * Limits on one multipart body: those of {@link ParameterLimits}, which checks them, and the servlet's limit on the whole body.
 *
 * @param values the configured limits on parts
 * @param totalBytes the whole body, including preamble and delimiters; beyond it 413. It has no key, since the servlet sets it
 */
public record MultipartLimits(ParameterLimits values, long totalBytes) {

    public MultipartLimits {
        if (totalBytes < 0) {
            throw new IllegalArgumentException("negative limit on a multipart body: " + totalBytes);
        }
    }

    public static MultipartLimits defaults() {
        return new MultipartLimits(ParameterLimits.defaults(), Long.MAX_VALUE);
    }

    /** The most parts. */
    int parts() {
        return values.parts();
    }

    /** All header lines of one part together, in bytes. */
    int partHeaderBytes() {
        return values.partHeaderBytes();
    }
}
