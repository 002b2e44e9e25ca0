package io.penstock.loadtest.client;

/** The reason for which a connection or a call on it has failed. */
public enum Failure {
    /** No process listens at the address of the server. */
    CONNECT_REFUSED("connection refused"),
    CONNECT_TIMED_OUT("connect timed out"),
    /** The connection could not be made for another reason: no route, no file descriptor, no port. */
    CONNECT_FAILED("connect failed"),
    /** The connection has failed: the server has reset it, or the network has failed. */
    RESET("connection reset"),
    CLOSED_EARLY("closed early"),
    DEADLINE("deadline"),
    BAD_RESPONSE("bad response"),
    NO_ROOM("no room for a connection"),
    /**
     * The call has ended without a failure of its own: the client was closed, another call on the same connection failed, or the server
     * closed the connection after an earlier response.
     */
    ABANDONED("abandoned"),
    HANDLER_FAILED("handler failed");

    private final String label;

    Failure(String label) {
        this.label = label;
    }

    /** The name of the failure in tables and messages, such as {@code connect timed out}. */
    public String label() {
        return label;
    }
}
