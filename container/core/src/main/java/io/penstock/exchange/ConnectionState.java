package io.penstock.exchange;

import java.util.Locale;

/** The event that a connection waits for. If a connection has several requests, the state of the most advanced request counts. */
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

    private final String waitsFor;

    ConnectionState(String waitsFor) {
        this.waitsFor = waitsFor;
    }

    /** The event that the connection waits for, as a phrase for operators. */
    public String waitsFor() {
        return waitsFor;
    }

    /** The name of the state in lower case, for operators. */
    public String shown() {
        return name().toLowerCase(Locale.ROOT);
    }
}
