package io.penstock.http;

import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a message of a client violates the grammar or a limit. The exception contains the status of the response and the reason for
 * the log. Parsers throw this exception, and their callers must handle it. An application that reads a malformed body gets an {@code
 * exchange.ClientFault} instead, which is an {@code IOException}. A violation has no stack trace, because clients can cause any number of
 * violations.
 */
public final class Violation extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient @Nullable Key limit;

    /**
     * Makes the exception for a violation of the grammar.
     *
     * @param status 400 to 599
     * @param reason the reason for logs. It must not contain text that the client has sent
     */
    public Violation(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
        this.limit = null;
    }

    /** Makes the exception for a limit that was exceeded. The {@link Key} of the limit decides the status. */
    public Violation(Key limit) {
        super(limit.id(), null, false, false);
        this.status = limit.consequence().status();
        this.limit = limit;
    }

    public int status() {
        return status;
    }

    /** The exceeded limit; null for a violation of the grammar. */
    public @Nullable Key limit() {
        return limit;
    }
}
