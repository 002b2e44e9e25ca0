package io.penstock.loadtest.client;

/** The reason for which a connection or a call on it has failed. */
public enum Failure {
    /** No process listens at the address of the server. */
    CONNECT_REFUSED("connection refused"),
    /** The connection was not made within the connect timeout. */
    CONNECT_TIMED_OUT("connect timed out"),
    /** The connection could not be made for another reason: no route, no file descriptor, no port. */
    CONNECT_FAILED("connect failed"),
    /** The connection has failed: the server has reset it, or the network has failed. */
    RESET("connection reset"),
    /** The server has closed the connection before the response was complete. */
    CLOSED_EARLY("closed early"),
    /** The call's deadline passed before its response was complete. */
    DEADLINE("deadline"),
    /** The received bytes are not a valid response to the request. */
    BAD_RESPONSE("bad response"),
    /** The client has reached its limit of open connections. */
    NO_ROOM("no room for a connection"),
    /**
     * The call has ended without a failure of its own: the client was closed, another call on the same connection failed, or the server
     * closed the connection after an earlier response.
     */
    ABANDONED("abandoned"),
    /** The code that handles the call has thrown an exception. */
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
