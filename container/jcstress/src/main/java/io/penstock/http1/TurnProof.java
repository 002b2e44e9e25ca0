package io.penstock.http1;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** A client's next request is begun by exactly one: the reactor that framed it, or the worker that ends the one before. */
public class TurnProof {

    /** An answer that counts how often it has been given up. */
    private static final class Counting implements Turn.Answer {
        int discarded;

        @Override
        public void discard() {
            discarded++;
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "RUNS", expect = ACCEPTABLE, desc = "the one before was over: the reactor has the turn")
    @Outcome(id = "PARKED, taken", expect = ACCEPTABLE, desc = "the worker takes what the reactor has parked")
    @Outcome(expect = FORBIDDEN, desc = "nobody begins it, or both do")
    public static class BeginAgainstNext {
        private final Turn turn = new Turn();
        private final Counting second = new Counting();
        private Turn.Begun begun;
        private Turn.Answer next;

        public BeginAgainstNext() {
            turn.begin(new Counting());
        }

        @Actor
        public void reactor() {
            begun = turn.begin(second);
        }

        @Actor
        public void worker() {
            next = turn.next();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = begun + (next == null ? "" : next == second ? ", taken" : ", another");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "taken", expect = ACCEPTABLE, desc = "its worker finds out that the client is gone")
    @Outcome(id = "discarded", expect = ACCEPTABLE, desc = "what it holds has been given back")
    @Outcome(expect = FORBIDDEN, desc = "lost, or both")
    public static class CloseAgainstNext {
        private final Turn turn = new Turn();
        private final Counting second = new Counting();
        private Turn.Answer next;

        public CloseAgainstNext() {
            turn.begin(new Counting());
            turn.begin(second);
        }

        @Actor
        public void reactor() {
            turn.close();
        }

        @Actor
        public void worker() {
            next = turn.next();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (next == null ? "" : "taken") + (second.discarded == 1 ? "discarded" : "");
        }
    }
}
