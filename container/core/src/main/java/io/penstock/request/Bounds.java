package io.penstock.request;

import io.penstock.http.FormLimits;
import io.penstock.http.MultipartLimits;
import io.penstock.http.Violation;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.RequestLimits;

/**
 * The configured limits of parameters and parts, and the counters of requests that exceed them.
 *
 * <p>Thread: any.
 */
public record Bounds(RequestLimits limits, Counters counters) {

    FormLimits form() {
        return FormLimits.of(limits);
    }

    /** @param totalBytes what the servlet's MultipartConfig allows; negative if it has none */
    MultipartLimits multipart(long totalBytes) {
        return MultipartLimits.of(limits, totalBytes < 0 ? Long.MAX_VALUE : totalBytes);
    }

    void count(Violation violation) {
        Key limit = violation.limit();
        Counter counter = limit == null ? null : limit.consequence().counter();
        if (counter != null) {
            counters.increment(counter);
        }
    }
}
