package io.penstock.http1;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether a client holds its body back until it is asked for it (RFC 9110 section 10.1.1).
 *
 * <pre>
 *   OWED (the reactor asks once earlier answers are out) --+
 *   HELD (the application asks by its first read) ---------+--> MET (asked, or the body came unasked, or nobody will ask)
 * </pre>
 *
 * <p>Thread: any.
 */
final class Expectation {
    static final Expectation NONE = new Expectation(State.MET);

    enum State {
        OWED,
        HELD,
        MET
    }

    private final AtomicReference<State> state;

    Expectation(State state) {
        this.state = new AtomicReference<>(state);
    }

    boolean is(State expected) {
        return state.get() == expected;
    }

    void meet() {
        state.set(State.MET);
    }
}
