package io.penstock.context;

/**
 * Whether a context can still be configured. Configuration ends when all {@code contextInitialized} methods have returned (Servlet 6.1,
 * 4.4). Code can add context listeners only before the first {@code contextInitialized} method is called.
 *
 * <p>Thread: any; the thread that starts the context changes the state.
 */
final class RegistrationWindow {
    private volatile State state = State.OPEN;

    private enum State {
        OPEN,
        OPEN_EXCEPT_CONTEXT_LISTENERS,
        CLOSED
    }

    void closeForContextListeners() {
        state = State.OPEN_EXCEPT_CONTEXT_LISTENERS;
    }

    void close() {
        state = State.CLOSED;
    }

    boolean isOpen() {
        return state != State.CLOSED;
    }

    boolean isOpenForContextListeners() {
        return state == State.OPEN;
    }

    /** @throws IllegalStateException if the context has been initialised */
    void requireOpen() {
        if (!isOpen()) {
            throw new IllegalStateException(
                    "the context has already been initialised: nothing can be registered any more");
        }
    }
}
