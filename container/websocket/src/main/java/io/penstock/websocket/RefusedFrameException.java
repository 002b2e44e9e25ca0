package io.penstock.websocket;

import jakarta.websocket.CloseReason;

/** A WebSocket frame was refused. The connection must be closed. */
final class RefusedFrameException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient CloseReason reason;

    RefusedFrameException(CloseReason.CloseCodes code, String why) {
        super(why, null, false, false); // no stack trace: a client caused the exception
        this.reason = new CloseReason(code, why);
    }

    CloseReason reason() {
        return reason;
    }
}
