package io.penstock.exchange;

import java.io.IOException;

/**
 * The client ended or spoiled its own request. Its status is sent if a response is still possible. It is no failure of the application,
 * which gets it as an {@code IOException} of the body. {@link io.penstock.http.Violation} is its counterpart in parsers: it names the
 * limit, and a caller must handle it. It has no stack trace, since clients can provoke it at will.
 */
public final class ClientFault extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status 400 to 499, or 503
     * @param reason for the log; never for the client
     */
    public ClientFault(int status, String reason) {
        super(reason);
        this.status = status;
    }

    public int status() {
        return status;
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
