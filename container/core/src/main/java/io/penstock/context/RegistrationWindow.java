package io.penstock.context;

/**
 * Whether a context can still be configured: until it calls {@code contextInitialized} (Servlet 6.1, 4.4).
 *
 * <p>Thread: any.
 */
final class RegistrationWindow {
    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        CLOSED
    }

    void close() {
        state = State.CLOSED;
    }

    /** @throws IllegalStateException once the context has been initialised */
    void requireOpen() {
        if (state == State.CLOSED) {
            throw new IllegalStateException(
                    "the context has already been initialised: nothing can be registered any more");
        }
    }
}
