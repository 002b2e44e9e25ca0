package io.penstock.exchange;

import java.io.IOException;

/**
 * Ends a connection whose client is gone: the client has reset it, or a write to it has failed. The end of the client's input alone is not
 * that. It has no stack trace, since clients can cause it at will.
 */
public final class ClientGone extends IOException {
    private static final long serialVersionUID = 1L;

    public ClientGone(IOException cause) {
        super(cause.getMessage(), cause);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
