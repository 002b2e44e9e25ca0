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
}
