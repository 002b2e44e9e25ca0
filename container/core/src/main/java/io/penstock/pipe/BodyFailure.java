package io.penstock.pipe;

import java.io.IOException;

/** What a reader gets when the body he reads will not arrive whole; the cause is what the reactor saw. */
public final class BodyFailure extends IOException {
    private static final long serialVersionUID = 1L;

    BodyFailure(IOException cause) {
        super(cause.getMessage(), cause);
    }
}
