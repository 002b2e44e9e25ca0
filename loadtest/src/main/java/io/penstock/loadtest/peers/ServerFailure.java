package io.penstock.loadtest.peers;

import java.io.IOException;

/** Thrown if a server could not be started, or has ended. The message explains to the user what is wrong, and what to do. */
public final class ServerFailure extends IOException {
    private static final long serialVersionUID = 1L;

    public ServerFailure(String message) {
        super(message);
    }

    public ServerFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
