package io.penstock.accesslog;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link LogRing}. Each accepted record must be taken once and in order. No record may stay in the ring while the writer sleeps.
 */
public class LogRingProof {

    /** A thread offers a record while the writer goes to sleep. */
    @JCStressTest
    @State
    @Outcome(id = "awake", expect = ACCEPTABLE, desc = "the writer saw the record and does not sleep")
    @Outcome(
            id = "asleep, then woken",
            expect = ACCEPTABLE,
            desc = "the offering thread saw that the writer sleeps, and woke it")
    @Outcome(id = "asleep", expect = FORBIDDEN, desc = "lost wake-up")
    public static class OfferAgainstFallingAsleep {
        private final LogRing<String> ring = new LogRing<>(4);
        private boolean asleep;

        @Actor
        public void anyone() {
            ring.offer("a");
        }

        @Actor
        public void writer() {
            asleep = ring.mayFallAsleep();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = !asleep ? "awake" : ring.isAsleep() ? "asleep" : "asleep, then woken";
        }
    }

    /** A thread offers a record to a full ring while the writer empties it. */
    @JCStressTest
    @State
    @Outcome(
            id = {"x, refused", "x a, taken"},
            expect = ACCEPTABLE,
            desc = "each accepted record is taken once")
    @Outcome(expect = FORBIDDEN, desc = "a record is lost, taken twice, or out of order")
    public static class OfferAgainstPoll {
        private final LogRing<String> ring = new LogRing<>(1);
        private final StringBuilder taken = new StringBuilder();
        private boolean offered;

        public OfferAgainstPoll() {
            ring.offer("x");
        }

        @Actor
        public void anyone() {
            offered = ring.offer("a");
        }

        @Actor
        public void writer() {
            taken.append(ring.poll());
        }

        @Arbiter
        public void outcome(L_Result r) {
            for (String item = ring.poll(); item != null; item = ring.poll()) {
                taken.append(' ').append(item);
            }
            r.r1 = taken + (offered ? ", taken" : ", refused");
        }
    }

    /** Two threads compete for the last free place. */
    @JCStressTest
    @State
    @Outcome(
            id = {"a", "b"},
            expect = ACCEPTABLE,
            desc = "exactly one thread has the place")
    @Outcome(expect = FORBIDDEN, desc = "both threads have the place, or no thread has it")
    public static class TwoOfferOnePlace {
        private final LogRing<String> ring = new LogRing<>(1);
        private boolean a;
        private boolean b;

        @Actor
        public void first() {
            a = ring.offer("a");
        }

        @Actor
        public void second() {
            b = ring.offer("b");
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = a == b ? "offered " + a + ' ' + b : ring.poll();
        }
    }

    /** Two threads offer records to a ring with one free place, while the writer takes a record. This test needs three processors. */
    @JCStressTest
    @State
    @Outcome(
            id = {"x a", "x b", "x a b", "x b a"},
            expect = ACCEPTABLE,
            desc = "each accepted record is taken once")
    @Outcome(expect = FORBIDDEN, desc = "a record is lost, taken twice, or out of order")
    public static class TwoOfferWhileOneIsTaken {
        private final LogRing<String> ring = new LogRing<>(2);
        private final StringBuilder taken = new StringBuilder();
        private boolean a;
        private boolean b;

        public TwoOfferWhileOneIsTaken() {
            ring.offer("x");
        }

        @Actor
        public void first() {
            a = ring.offer("a");
        }

        @Actor
        public void second() {
            b = ring.offer("b");
        }

        @Actor
        public void writer() {
            taken.append(ring.poll());
        }

        @Arbiter
        public void outcome(L_Result r) {
            for (String item = ring.poll(); item != null; item = ring.poll()) {
                taken.append(' ').append(item);
            }
            boolean asRefused = taken.indexOf("a") >= 0 == a && taken.indexOf("b") >= 0 == b;
            r.r1 = asRefused ? taken.toString() : taken + ", but offered " + a + ' ' + b;
        }
    }
}
