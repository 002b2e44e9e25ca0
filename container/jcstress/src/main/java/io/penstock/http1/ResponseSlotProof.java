package io.penstock.http1;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks that exactly one thread begins the next request of a client. This thread is the reactor that parsed the request, or the worker
 * that ends the previous request.
 */
public class ResponseSlotProof {

    /** A response that counts the calls of {@link #discard}. */
    private static final class Counting implements ResponseSlot.Parkable {
        int discarded;

        @Override
        public void discard() {
            discarded++;
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "CURRENT", expect = ACCEPTABLE, desc = "the previous request had ended: the reactor begins the next")
    @Outcome(id = "PARKED, taken", expect = ACCEPTABLE, desc = "the worker begins the request that the reactor parked")
    @Outcome(expect = FORBIDDEN, desc = "no thread begins the request, or both threads do")
    public static class BeginAgainstNext {
        private final ResponseSlot slot = new ResponseSlot();
        private final Counting second = new Counting();
        private ResponseSlot.Begun begun;
        private ResponseSlot.Parkable next;

        public BeginAgainstNext() {
            slot.begin(new Counting());
        }

        @Actor
        public void reactor() {
            begun = slot.begin(second);
        }

        @Actor
        public void worker() {
            next = slot.next();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = begun + (next == null ? "" : next == second ? ", taken" : ", another");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "taken", expect = ACCEPTABLE, desc = "the worker has the request, and will notice the disconnection")
    @Outcome(id = "discarded", expect = ACCEPTABLE, desc = "the resources of the request are released")
    @Outcome(expect = FORBIDDEN, desc = "the request is neither taken nor discarded, or both")
    public static class CloseAgainstNext {
        private final ResponseSlot slot = new ResponseSlot();
        private final Counting second = new Counting();
        private ResponseSlot.Parkable next;

        public CloseAgainstNext() {
            slot.begin(new Counting());
            slot.begin(second);
        }

        @Actor
        public void reactor() {
            slot.onClosed();
        }

        @Actor
        public void worker() {
            next = slot.next();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (next == null ? "" : "taken") + (second.discarded == 1 ? "discarded" : "");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "second, third", expect = ACCEPTABLE, desc = "the requests run in order, and once")
    @Outcome(expect = FORBIDDEN, desc = "a request is lost or overtaken")
    public static class BeginBehindAParkedOneAgainstNext {
        private final ResponseSlot slot = new ResponseSlot();
        private final Counting second = new Counting();
        private final Counting third = new Counting();
        private ResponseSlot.Parkable next;

        public BeginBehindAParkedOneAgainstNext() {
            slot.begin(new Counting());
            slot.begin(second);
        }

        @Actor
        public void reactor() {
            slot.begin(third);
        }

        @Actor
        public void worker() {
            next = slot.next();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(next) + ", " + name(slot.next());
        }

        private String name(ResponseSlot.Parkable response) {
            return response == second ? "second" : response == third ? "third" : "none";
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "taken, 1", expect = ACCEPTABLE, desc = "the worker has the first request; the second is aborted")
    @Outcome(id = "2", expect = ACCEPTABLE, desc = "both requests are aborted")
    @Outcome(expect = FORBIDDEN, desc = "a request is lost, or ends twice")
    public static class CloseOfTwoAgainstNext {
        private final ResponseSlot slot = new ResponseSlot();
        private final Counting second = new Counting();
        private final Counting third = new Counting();
        private ResponseSlot.Parkable next;

        public CloseOfTwoAgainstNext() {
            slot.begin(new Counting());
            slot.begin(second);
            slot.begin(third);
        }

        @Actor
        public void reactor() {
            slot.onClosed();
        }

        @Actor
        public void worker() {
            next = slot.next();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (next == second ? "taken, " : "") + (second.discarded + third.discarded);
        }
    }
}
