package io.penstock.websocket;

import jakarta.websocket.CloseReason;

/** A frame that ends its connection. */
final class RefusedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient CloseReason reason;

    RefusedFrameException(CloseReason.CloseCodes code, String why) {
        super(why, null, false, false); // no stack trace: a client has caused it
        this.reason = new CloseReason(code, why);
    }

    CloseReason reason() {
        return reason;
    }
}
