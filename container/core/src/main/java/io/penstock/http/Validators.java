package io.penstock.http;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The validators of one state of a representation (RFC 9110 section 8.8).
 *
 * @param lastModified the time of the last change in whole seconds, as in the field {@code Last-Modified}
 */
public record Validators(@Nullable EntityTag tag, @Nullable Instant lastModified) {

    /** No validators: the representation does not exist, or its state is unknown. */
    public static final Validators NONE = new Validators(null, null);

    public Validators {
        lastModified = lastModified == null ? null : lastModified.truncatedTo(ChronoUnit.SECONDS);
    }
}
