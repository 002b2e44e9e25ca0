package io.penstock.pipe;

import java.io.IOException;

/** Thrown to the reader of a request body that was not received completely. The cause is the failure that the reactor reported. */
public final class BodyFailure extends IOException {
    private static final long serialVersionUID = 1L;

    BodyFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
