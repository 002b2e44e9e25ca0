package io.penstock.pipe;

import java.io.IOException;

/** Thrown to the reader of a body that will not arrive whole. The cause is the failure that the reactor saw. */
public final class BodyFailure extends IOException {
    private static final long serialVersionUID = 1L;

    BodyFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
