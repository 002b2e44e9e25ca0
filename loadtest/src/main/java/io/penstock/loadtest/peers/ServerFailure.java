package io.penstock.loadtest.peers;

import java.io.IOException;

/** A server could not be started, or has ended. The message tells the user what is wrong, and what to do. */
public final class ServerFailure extends IOException {
    private static final long serialVersionUID = 1L;

    public ServerFailure(String message) {
        super(message);
    }

    public ServerFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
