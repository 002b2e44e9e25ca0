package io.penstock.soak;

/** Thrown if a client receives wrong bytes, bytes of another client, or no complete response. */
public final class MixUp extends AssertionError {
    private static final long serialVersionUID = 1L;

    MixUp(String what) {
        super(what);
    }

    MixUp(String what, Throwable cause) {
        super(what, cause);
    }
}
