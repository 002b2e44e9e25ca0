package io.penstock.exchange;

import java.io.IOException;

/**
 * The client has ended its request early, or has sent an invalid request. The application gets this exception when it reads the body. The
 * exception is not counted as a failure of the application. If the response has not begun, the server sends a response with the status
 * {@link #status()}. Parsers throw {@link io.penstock.http.Violation} instead of this exception. The exception has no stack trace, since
 * clients can cause many of these exceptions and stack traces are expensive.
 */
public final class ClientFault extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    /**
     * @param status the status of the response: 400 to 499, or 503
     * @param reason the reason, for the log. The reason is never sent to the client
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
