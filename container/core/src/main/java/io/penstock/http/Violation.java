package io.penstock.http;

import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;

/**
 * A client's text broke the grammar or a limit. The exception has the status of the response and the reason for the log. Parsers throw it,
 * and their callers must handle it. A body that cannot be read is an {@code exchange.ClientFault} instead, an {@code IOException} that the
 * application may see. It has no stack trace, since clients can provoke it at will.
 */
public final class Violation extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient @Nullable Key limit;

    /**
     * An error of the grammar.
     *
     * @param status 400 to 599
     * @param reason for logs; quotes nothing that the client sent
     */
    public Violation(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
        this.limit = null;
    }

    /** A limit was reached. The status is that of the limit's {@link Key}. */
    public Violation(Key limit) {
        super(limit.id(), null, false, false);
        this.status = limit.consequence().status();
        this.limit = limit;
    }

    public int status() {
        return status;
    }

    /** The limit that was reached; null for an error of the grammar. */
    public @Nullable Key limit() {
        return limit;
    }
}
