package io.penstock.soak;

/** A client has got wrong bytes, or bytes of another client. */
public final class MixUp extends AssertionError {
    private static final long serialVersionUID = 1L;

    MixUp(String what) {
        super(what);
    }

    MixUp(String what, Throwable cause) {
        super(what, cause);
    }
}
