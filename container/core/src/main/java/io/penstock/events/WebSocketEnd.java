package io.penstock.events;

import java.util.Locale;

/** The reason why a WebSocket session ended. Each session has exactly one; later events do not change it. */
public enum WebSocketEnd {
    /** The client sent the first close frame. */
    CLIENT_CLOSED("the client sent the first close frame"),
    /** The application closed the session, or the user has logged out (close code 1008). */
    ENDPOINT_CLOSED("the application closed it, or its user logged out"),
    /** The server or the application stops: close code 1001. */
    STOPPING("the server or the application stopped"),
    /** The endpoint failed: close code 1011. */
    ENDPOINT_FAILED("the endpoint failed (close code 1011)"),
    /** The client violated the protocol: close code 1002. */
    PROTOCOL_ERROR("the client violated the protocol (close code 1002)"),
    /** A text was not UTF-8, or a compressed message was corrupt: close code 1007. */
    INVALID_DATA("a text was not UTF-8, or a compressed message was corrupt (close code 1007)"),
    /** A message was too large: close code 1009. */
    MESSAGE_TOO_BIG("a message was too large (close code 1009)"),
    /** The unfinished messages of all clients needed too much memory. */
    UNFINISHED_MESSAGES("the unfinished messages of all clients needed too much memory"),
    /** No frame was sent or received for the idle timeout that the application has set. */
    SESSION_IDLE("no frame was sent or received for the session's idle timeout"),
    /** Neither side sent a byte for {@code upgrade-idle-timeout}. */
    UPGRADE_IDLE_TIMEOUT("neither side sent a byte for `upgrade-idle-timeout`"),
    /** The client accepted no byte for {@code write-stall-timeout}. */
    WRITE_STALL_TIMEOUT("the client took no byte for `write-stall-timeout`"),
    /** A part of a message had been sent when the send timeout of the application had passed. */
    SEND_TIMEOUT("a message was sent only in part when the application's send timeout had passed"),
    /** The connection ended without a close frame. */
    CLIENT_GONE("the connection ended without a close frame"),
    /** The handshake failed after the session had been counted, or the client disconnected before the session was open. */
    NOT_OPENED("the handshake failed, or the client left before the session was open");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String meaning;

    WebSocketEnd(String meaning) {
        this.meaning = meaning;
    }

    /** The name for operators, such as {@code message-too-big}. */
    public String id() {
        return id;
    }

    /** A description for the documentation. */
    public String meaning() {
        return meaning;
    }
}
