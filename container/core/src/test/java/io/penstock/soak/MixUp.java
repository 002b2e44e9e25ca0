package io.penstock.soak;

/** A client has got what is not his, or not what is his. */
public final class MixUp extends AssertionError {
    private static final long serialVersionUID = 1L;

    MixUp(String what) {
        super(what);
    }

    MixUp(String what, Throwable cause) {
        super(what, cause);
    }
}
