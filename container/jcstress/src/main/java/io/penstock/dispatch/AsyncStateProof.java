package io.penstock.dispatch;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the events of an asynchronous request in pairs: completion, dispatch, time-out, disconnection, and the return of the first
 * dispatch. Two threads cause two events at the same time. In any order, the listeners must be notified of the end once, and the client
 * must get one response.
 */
public class AsyncStateProof {

    @JCStressTest
    @State
    @Outcome(
            id = {
                "accepted, timeouts 0, told 1, answered once",
                "accepted, timeouts 1, told 1, answered once",
                "refused, timeouts 1, told 1, answered once"
            },
            expect = ACCEPTABLE,
            desc = "before the time-out, during its listeners, or after the time-out")
    @Outcome(expect = FORBIDDEN, desc = "not exactly one notification and response")
    public static class CompleteAgainstTimeout extends AsyncRace {
        private boolean accepted;

        public CompleteAgainstTimeout() {
            begin();
        }

        @Actor
        public void application() {
            accepted = complete();
        }

        @Actor
        public void scheduler() {
            timeIsOver();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted" : "refused") + ", timeouts " + timeouts + ", " + end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {
                "accepted, timeouts 0, again 1, told 1, answered once",
                "accepted, timeouts 1, again 1, told 1, answered once",
                "refused, timeouts 1, again 0, told 1, answered once"
            },
            expect = ACCEPTABLE,
            desc = "before the time-out, during its listeners, or after the time-out")
    @Outcome(expect = FORBIDDEN, desc = "not exactly one notification and response")
    public static class DispatchAgainstTimeout extends AsyncRace {
        private boolean accepted;

        public DispatchAgainstTimeout() {
            begin();
        }

        @Actor
        public void application() {
            accepted = dispatch();
        }

        @Actor
        public void scheduler() {
            timeIsOver();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted" : "refused") + ", timeouts " + timeouts + ", again " + again + ", " + end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"completed, again 0, told 1, answered once", "dispatched, again 1, told 1, answered once"},
            expect = ACCEPTABLE,
            desc = "exactly one call was accepted")
    @Outcome(expect = FORBIDDEN, desc = "both calls were accepted, or no call")
    public static class CompleteAgainstDispatch extends AsyncRace {
        private boolean completed;
        private boolean dispatched;

        public CompleteAgainstDispatch() {
            begin();
        }

        @Actor
        public void one() {
            completed = complete();
        }

        @Actor
        public void other() {
            dispatched = dispatch();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (completed ? "completed" : "") + (dispatched ? "dispatched" : "") + ", again " + again + ", "
                    + end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {
                "accepted, errors 0, told 1, answered once",
                "accepted, errors 1, told 1, answered once",
                "refused, errors 1, told 1, answered once"
            },
            expect = ACCEPTABLE,
            desc = "before the disconnection, during its listeners, or after the disconnection")
    @Outcome(expect = FORBIDDEN, desc = "not exactly one notification and response")
    public static class CompleteAgainstDisconnect extends AsyncRace {
        private boolean accepted;

        public CompleteAgainstDisconnect() {
            begin();
        }

        @Actor
        public void application() {
            accepted = complete();
        }

        @Actor
        public void reactor() {
            disconnect();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted" : "refused") + ", errors " + errors + ", " + end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {
                "accepted, errors 0, again 1, told 1, answered once",
                "accepted, errors 1, again 1, told 1, answered once",
                "refused, errors 1, again 0, told 1, answered once"
            },
            expect = ACCEPTABLE,
            desc = "before the disconnection, during its listeners, or after the disconnection")
    @Outcome(expect = FORBIDDEN, desc = "not exactly one notification and response")
    public static class DispatchAgainstDisconnect extends AsyncRace {
        private boolean accepted;

        public DispatchAgainstDisconnect() {
            begin();
        }

        @Actor
        public void application() {
            accepted = dispatch();
        }

        @Actor
        public void reactor() {
            disconnect();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted" : "refused") + ", errors " + errors + ", again " + again + ", " + end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"timeouts 1, errors 0, told 1, answered once", "timeouts 0, errors 1, told 1, answered once"},
            expect = ACCEPTABLE,
            desc = "exactly one event was reported")
    @Outcome(expect = FORBIDDEN, desc = "both events were reported, or no event")
    public static class TimeoutAgainstDisconnect extends AsyncRace {

        public TimeoutAgainstDisconnect() {
            begin();
        }

        @Actor
        public void scheduler() {
            timeIsOver();
        }

        @Actor
        public void reactor() {
            disconnect();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "timeouts " + timeouts + ", errors " + errors + ", " + end();
        }
    }

    /** A thread of the application calls complete() while the first dispatch returns. */
    @JCStressTest
    @State
    @Outcome(id = "accepted, told 1, answered once", expect = ACCEPTABLE, desc = "during or after the dispatch")
    @Outcome(expect = FORBIDDEN, desc = "not exactly one notification and response")
    public static class CompleteAgainstReturn extends AsyncRace {
        private boolean accepted;

        @Actor
        public void worker() {
            begin();
        }

        @Actor
        public void application() {
            accepted = complete();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted" : "refused") + ", " + end();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = "accepted, again 1, told 1, answered once",
            expect = ACCEPTABLE,
            desc = "during the dispatch, or after the dispatch")
    @Outcome(expect = FORBIDDEN, desc = "not exactly one notification and response")
    public static class DispatchAgainstReturn extends AsyncRace {
        private boolean accepted;

        @Actor
        public void worker() {
            begin();
        }

        @Actor
        public void application() {
            accepted = dispatch();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted" : "refused") + ", again " + again + ", " + end();
        }
    }
}
