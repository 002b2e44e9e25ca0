package io.penstock.pipe;

import java.io.IOException;

/** What a writer gets when his client is gone; the cause is what ended the connection. */
public final class ConnectionEnded extends IOException {
    private static final long serialVersionUID = 1L;

    ConnectionEnded(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
