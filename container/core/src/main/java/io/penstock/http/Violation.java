package io.penstock.http;

import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;

/**
 * Text of a client broke the grammar or a limit: the status to answer and the reason for the log. Parsers throw it, and their callers must
 * handle it. A body that cannot be read is an {@code exchange.ClientFault} instead, an {@code IOException} that the application may see. Without
 * a stack trace, since clients can provoke it at will.
 */
public final class Violation extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient @Nullable Key limit;

    /**
     * A breach of the grammar.
     *
     * @param status 400 to 599
     * @param reason for logs; quotes nothing that the client sent
     */
    public Violation(int status, String reason) {
        super(reason, null, false, false);
        this.status = status;
        this.limit = null;
    }

    /** A limit was reached; the status is the one that the table of limits gives it. */
    public Violation(Key limit) {
        super(limit.id(), null, false, false);
        this.status = limit.consequence().status();
        this.limit = limit;
    }

    public int status() {
        return status;
    }

    /** The limit that was reached, if it was one. */
    public @Nullable Key limit() {
        return limit;
    }
}
