package io.penstock.pipe;

import java.io.IOException;

/** Thrown to a writer whose client has disconnected. The cause is that of the end of the connection. */
public final class ConnectionEnded extends IOException {
    private static final long serialVersionUID = 1L;

    ConnectionEnded(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
