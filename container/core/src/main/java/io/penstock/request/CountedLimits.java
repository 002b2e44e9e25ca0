package io.penstock.request;

import io.penstock.http.MultipartLimits;
import io.penstock.http.Violation;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ParameterLimits;

/**
 * The configured {@link ParameterLimits}, with the counters of the requests that exceed them.
 *
 * <p>Thread: any.
 */
public record CountedLimits(ParameterLimits values, Counters counters) {

    /** @param totalBytes the limit of the servlet's MultipartConfig; negative for none */
    MultipartLimits multipart(long totalBytes) {
        return new MultipartLimits(values, totalBytes < 0 ? Long.MAX_VALUE : totalBytes);
    }

    /** Counts that a limit was reached, and returns the violation. An error of the grammar has no counter. */
    Violation counted(Violation violation) {
        Key limit = violation.limit();
        if (limit != null) {
            counters.reached(limit);
        }
        return violation;
    }
}
