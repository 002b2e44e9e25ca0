package io.penstock.http;

import io.penstock.limits.ParameterLimits;

/**
 * Limits on one multipart body: the {@link ParameterLimits}, and the servlet's limit on the whole body.
 *
 * @param values the configured limits on parts
 * @param totalBytes the most bytes of the whole body, including preamble and delimiters; beyond it 413. This limit has no key, since the
 * servlet sets it
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

    /** The maximum number of parts. */
    int parts() {
        return values.parts();
    }

    /** The most bytes of all header lines of one part together. */
    int partHeaderBytes() {
        return values.partHeaderBytes();
    }
}
