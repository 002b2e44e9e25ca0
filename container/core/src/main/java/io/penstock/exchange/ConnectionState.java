package io.penstock.exchange;

import java.util.List;
import java.util.Locale;

/**
 * The event that a connection waits for. If a connection has several requests, the state that needs the server most counts ({@link
 * #busier}). So a connection with a request at a worker is {@link #RUNNING}, whatever its other requests wait for.
 */
public enum ConnectionState {
    HANDSHAKE("the client: its part of a handshake"),
    IDLE("a request"),
    HEAD("the client: the rest of a head"),
    BODY("the client: the rest of a body"),
    STORING("the disk: the last of a body"),
    QUEUED("a worker"),
    RUNNING("the application"),
    DRAINING("the client: to take a response"),
    UPGRADED("nothing: upgraded connection"),
    CLOSING("the client: to close");

    /** The states from the one that needs the server least to the one that needs it most. */
    private static final List<ConnectionState> BY_NEED =
            List.of(CLOSING, HANDSHAKE, IDLE, HEAD, BODY, DRAINING, UPGRADED, STORING, QUEUED, RUNNING);

    private final String waitsFor;

    ConnectionState(String waitsFor) {
        this.waitsFor = waitsFor;
    }

    /** The event that the connection waits for, as a phrase for operators. */
    public String waitsFor() {
        return waitsFor;
    }

    /** The state of a connection with two requests in these states. */
    public static ConnectionState busier(ConnectionState one, ConnectionState other) {
        return BY_NEED.indexOf(one) < BY_NEED.indexOf(other) ? other : one;
    }

    /** The name of the state in lower case, for operators. */
    public String shown() {
        return name().toLowerCase(Locale.ROOT);
    }
}
