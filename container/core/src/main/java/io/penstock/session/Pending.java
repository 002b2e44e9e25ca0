package io.penstock.session;

/** Marks what the next commits fill. */
@SuppressWarnings("TypeParameterUnusedInFormals")
public final class Pending {
    private Pending() {}

    public static <T> T pending() {
        return fail("not written yet");
    }

    private static <T> T fail(String what) {
        if (!what.isEmpty()) {
            throw new UnsupportedOperationException(what);
        }
        throw new IllegalStateException();
    }
}
