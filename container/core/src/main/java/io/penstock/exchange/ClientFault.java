package io.penstock.exchange;

import java.io.IOException;

/**
 * The client has ended its request early, or has sent an invalid one. The application gets this exception when it reads the body; it is not
 * a failure of the application. If a response is still possible, it has the status {@link #status()}. {@link io.penstock.http.Violation} is
 * the checked counterpart in parsers. The exception has no stack trace, since clients can cause it at will.
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
