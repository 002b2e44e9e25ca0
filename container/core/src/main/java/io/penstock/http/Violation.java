package io.penstock.http;

import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;

/**
 * A message of a client violates the grammar or a limit. The exception contains the status of the response and the reason for the log.
 * Parsers throw it, and their callers must handle it. For a body that cannot be read, {@code exchange.ClientFault} is thrown instead, an
 * {@code IOException} that the application may see. The exception has no stack trace, since clients can provoke it at will.
 */
public final class Violation extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient @Nullable Key limit;

    /**
     * A violation of the grammar.
     *
     * @param status 400 to 599
     * @param reason for logs; must quote nothing that the client sent
     */
    public Violation(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
        this.limit = null;
    }

    /** A limit was exceeded. The status is that of the limit's {@link Key}. */
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
