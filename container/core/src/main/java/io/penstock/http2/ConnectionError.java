package io.penstock.http2;

/**
 * A fault of the client that ends the connection with GOAWAY (RFC 9113 section 5.4.1). It has no stack trace, because clients can cause any
 * number of faults.
 */
final class ConnectionError extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** @param reason the reason for logs. It must not contain text that the client has sent */
    ConnectionError(ErrorCode code, String reason) {
        super(reason, null, false, false);
        this.code = code;
    }

    ErrorCode code() {
        return code;
    }
}
