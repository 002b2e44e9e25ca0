package io.penstock.http;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What tells one state of a representation from another (RFC 9110 section 8.8).
 *
 * @param lastModified in whole seconds, as it can be sent
 */
public record Validators(@Nullable EntityTag tag, @Nullable Instant lastModified) {

    /** No state: there is no representation, or nothing is known about it. */
    public static final Validators NONE = new Validators(null, null);

    public Validators {
        lastModified = lastModified == null ? null : lastModified.truncatedTo(ChronoUnit.SECONDS);
    }
}
