package io.penstock.exchange;

import io.penstock.http.RequestHead;
import io.penstock.http.Version;
import io.penstock.http.Violation;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The state of the expectation 100-continue of a client (RFC 9110 section 10.1.1). A client with this expectation waits for the response
 * 100 (Continue) before it sends the body.
 *
 * <pre>
 *   OWED (the reactor sends the 100 after the earlier responses) --+
 *   HELD (the application's first read sends the 100) -------------+--> MET (100 sent, or no longer needed)
 * </pre>
 *
 * <p>Thread: any.
 */
public final class Expectation {
    public static final Expectation NONE = new Expectation(State.MET);

    public enum State {
        OWED,
        HELD,
        MET
    }

    private final AtomicReference<State> state;

    public Expectation(State state) {
        this.state = new AtomicReference<>(state);
    }

    /**
     * Whether the client waits for 100 (Continue). Called only for a head with the field {@code Expect}.
     *
     * @throws Violation with the status 417 if the head has another expectation
     */
    public static boolean isContinue(RequestHead head) throws Violation {
        if (head.version() == Version.HTTP_1_0) {
            return false;
        }
        boolean expects = false;
        for (String expectation : head.fields().all("Expect")) {
            if (!expectation.equalsIgnoreCase("100-continue")) {
                throw new Violation(417, "unknown expectation");
            }
            expects = true;
        }
        return expects;
    }

    public boolean is(State expected) {
        return state.get() == expected;
    }

    public void meet() {
        state.set(State.MET);
    }
}
