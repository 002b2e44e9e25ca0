package io.penstock.pipe;

import java.io.IOException;

/** Thrown to the writer of a response if the connection has ended. The cause is the failure that has ended the connection. */
public final class ConnectionEnded extends IOException {
    private static final long serialVersionUID = 1L;

    ConnectionEnded(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
