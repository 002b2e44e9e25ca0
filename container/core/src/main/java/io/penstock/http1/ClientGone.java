package io.penstock.http1;

import java.io.IOException;

/**
 * What ends a connection whose client is gone: it has reset the connection, or a write to it has failed. The end of its input alone is
 * not that. It has no stack trace: clients can go at will.
 */
final class ClientGone extends IOException {
    private static final long serialVersionUID = 1L;

    ClientGone(IOException cause) {
        super(cause.getMessage(), cause);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
