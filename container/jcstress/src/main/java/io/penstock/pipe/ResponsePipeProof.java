package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Appending, draining and failing of a response, in pairs: bytes leave in order and once, and segments come home. */
public class ResponsePipeProof {

    @JCStressTest
    @State
    @Outcome(id = "14 in order", expect = ACCEPTABLE, desc = "every byte, once, in order")
    @Outcome(expect = FORBIDDEN, desc = "bytes or segments are lost")
    public static class AppendAgainstDrain extends PipedResponse {

        public AppendAgainstDrain() {
            append(6);
        }

        @Actor
        public void worker() {
            append(3);
            append(5);
        }

        @Actor
        public void reactor() {
            drain();
            drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            r.r1 = outlet + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "what will not leave has been given back")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost")
    public static class AppendAgainstFailure extends PipedResponse {

        @Actor
        public void worker() {
            append(3);
            append(9);
        }

        @Actor
        public void reactor() {
            pipe.fail(new IOException("reset"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = append(1) ? "still open" : "nothing held" + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "released once, by one of them")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost")
    public static class DrainAgainstFailure extends PipedResponse {

        public DrainAgainstFailure() {
            append(12);
        }

        @Actor
        public void worker() {
            drain();
            drain();
        }

        @Actor
        public void reactor() {
            pipe.fail(new IOException("reset"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "nothing held" + held();
        }
    }

    /** A writer takes out what the client has not read, to write it to disk, and the disk does not take it. */
    @JCStressTest
    @State
    @Outcome(id = "14 in order", expect = ACCEPTABLE, desc = "every byte, once, in order")
    @Outcome(expect = FORBIDDEN, desc = "bytes or segments are lost")
    public static class TakeOutAgainstDrain extends PipedResponse {

        public TakeOutAgainstDrain() {
            append(14);
        }

        @Actor
        public void worker() {
            pipe.putBack(pipe.takeOut());
        }

        @Actor
        public void reactor() {
            drain();
            drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            r.r1 = outlet + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "released once, by one of them")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost")
    public static class TakeOutAgainstFailure extends PipedResponse {

        public TakeOutAgainstFailure() {
            append(14);
        }

        @Actor
        public void worker() {
            pipe.putBack(pipe.takeOut());
        }

        @Actor
        public void reactor() {
            pipe.fail(new IOException("reset"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "nothing held" + held();
        }
    }

    /** A response is given up while the one before it is still leaving, and perhaps its own first bytes. */
    @JCStressTest
    @State
    @Outcome(
            id = "8 in order, replaced",
            expect = ACCEPTABLE,
            desc = "the former response, then the answer in its place")
    @Outcome(id = "12 in order, too late", expect = ACCEPTABLE, desc = "it had begun to leave, or was about to")
    @Outcome(expect = FORBIDDEN, desc = "bytes of both, or segments that are lost")
    public static class ReplaceAgainstDrain extends PipedResponse {
        private static final int BEGINS = 5;
        private boolean replaced;

        public ReplaceAgainstDrain() {
            append(BEGINS);
            append(7);
        }

        @Actor
        public void keeper() {
            Segment answer = pool.acquireForOutput();
            for (int i = 0; i < 3; i++) {
                answer.buffer().put((byte) (BEGINS + i));
            }
            answer.buffer().flip();
            replaced = pipe.replace(BEGINS, answer, new IOException("given up"));
            if (!replaced) {
                answer.release();
            }
        }

        @Actor
        public void reactor() {
            drain();
            drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            r.r1 = outlet + (replaced ? ", replaced" : ", too late") + held();
        }
    }
}
