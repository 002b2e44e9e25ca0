package io.penstock.http;

import io.penstock.limits.ParameterLimits;
import io.penstock.limits.ServerConfig;

/**
 * Limits on one multipart body: the {@link ParameterLimits}, and the servlet's limit on the whole body.
 *
 * @param values the configured limits on parts
 * @param totalBytes the maximum size of the whole body in bytes, including preamble and delimiters. A larger body is answered 413. This
 *     limit has no key in the configuration, because the servlet sets it
 */
public record MultipartLimits(ParameterLimits values, long totalBytes) {

    public MultipartLimits {
        if (totalBytes < 0) {
            throw new IllegalArgumentException("negative limit on a multipart body: " + totalBytes);
        }
    }

    public static MultipartLimits defaults() {
        return new MultipartLimits(ServerConfig.defaults().parameters(), Long.MAX_VALUE);
    }

    /** The maximum number of parts. */
    int parts() {
        return values.parts();
    }

    /** The maximum size of all header lines of one part together, in bytes. */
    int partHeaderBytes() {
        return values.partHeaderBytes();
    }

    /** The maximum size of all header lines of all parts together, in bytes. */
    int multipartHeaderBytes() {
        return values.multipartHeaderBytes();
    }
}
