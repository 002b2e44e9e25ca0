package io.penstock;

import io.penstock.reactor.ListenException;
import io.penstock.server.ServerStartException;
import java.util.OptionalInt;

/**
 * The server cannot start because of its port, a file, an application or a configured value. The message is one line for operators, and
 * names the reason. The cause, if there is one, is for developers.
 */
public final class StartException extends Exception {
    private final boolean unforeseen;

    StartException(String message, Throwable cause) {
        this(message, cause, false);
    }

    StartException(String message, Throwable cause, boolean unforeseen) {
        super(message, cause);
        this.unforeseen = unforeseen;
    }

    static StartException of(ServerStartException e) {
        return new StartException(String.valueOf(e.getMessage()), e.reason(), e.isUnforeseen());
    }

    /** The TCP port on which the server cannot listen, if the port is the reason of the failure. */
    public OptionalInt unavailablePort() {
        return getCause() instanceof ListenException e ? e.port() : OptionalInt.empty();
    }

    /**
     * Whether the failure is a bug of an application or of this server. The message does not explain such a bug, so the log needs the stack
     * trace of the cause.
     */
    public boolean isUnforeseen() {
        return unforeseen;
    }
}
