package io.penstock.websocket.frame;

/** The peer has violated the protocol or a limit, so that the connection must be closed with a code of RFC 6455 section 7.4.1. */
final class Violation extends Exception {
    static final int PROTOCOL_ERROR = 1002;
    static final int NOT_CONSISTENT = 1007;
    static final int TOO_BIG = 1009;

    private static final long serialVersionUID = 1L;

    private final int code;

    /** @param reason at most 123 bytes of ASCII */
    Violation(int code, String reason) {
        super(reason, null, false, false);
        this.code = code;
    }

    int code() {
        return code;
    }
}
