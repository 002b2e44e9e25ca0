package io.penstock.request;

import io.penstock.http.MultipartLimits;
import io.penstock.http.Violation;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.ParameterLimits;
import io.penstock.memory.ByteAccount;

/**
 * The configured {@link ParameterLimits}, and the counters for requests that exceed a limit.
 *
 * @param memory the account of the bytes of the parsed values of all requests
 *
 * <p>Thread: any.
 */
public record CountedLimits(ParameterLimits values, Counters counters, ByteAccount memory) {

    public CountedLimits(ParameterLimits values, Counters counters) {
        this(values, counters, new ByteAccount(values.budget()));
    }

    /** @param totalBytes the largest size of the whole form, from the servlet's MultipartConfig; negative for no limit */
    MultipartLimits multipart(long totalBytes) {
        return new MultipartLimits(values, totalBytes < 0 ? Long.MAX_VALUE : totalBytes);
    }

    /** Counts the violation if a limit was reached, and returns the violation. A syntax error is not counted. */
    Violation counted(Violation violation) {
        Key limit = violation.limit();
        if (limit != null) {
            counters.reached(limit);
        }
        return violation;
    }
}
