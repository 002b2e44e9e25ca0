package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks that a thread is woken when it waits for room in a full {@link ResponsePipe}. The thread must be woken when the pipe has room, or
 * when the response ends. If a wake-up is lost, a test does not end.
 */
public class ResponseRoomProof {

    /** A writer that waits for room must continue after the client has received bytes. */
    @JCStressTest
    @State
    @Outcome(id = "room", expect = ACCEPTABLE, desc = "the writer continues")
    @Outcome(expect = FORBIDDEN, desc = "the writer saw an end that did not happen")
    public static class WaitForRoomAgainstDrain extends PipedResponse {
        private String waited;

        public WaitForRoomAgainstDrain() {
            append(16);
        }

        @Actor
        public void worker() {
            try {
                pipe.awaitRoom();
                waited = "room";
            } catch (IOException e) {
                waited = "ended";
            }
        }

        @Actor
        public void reactor() {
            drainAll();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = waited + held();
        }
    }

    /** A waiting writer must be woken when the client disconnects. */
    @JCStressTest
    @State
    @Outcome(id = "ended", expect = ACCEPTABLE, desc = "the writer sees the failure")
    @Outcome(expect = FORBIDDEN, desc = "the writer continues without a client")
    public static class WaitForRoomAgainstFailure extends PipedResponse {
        private String waited;

        public WaitForRoomAgainstFailure() {
            append(16);
        }

        @Actor
        public void worker() {
            try {
                pipe.awaitRoom();
                waited = "room";
            } catch (IOException e) {
                waited = "ended";
            }
        }

        @Actor
        public void reactor() {
            pipe.fail(new IOException("reset"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = waited + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "ended", expect = ACCEPTABLE, desc = "the writer sees the end; written bytes are still sent")
    @Outcome(expect = FORBIDDEN, desc = "the writer continues without a client, or bytes are dropped")
    public static class WaitForRoomAgainstRefusal extends PipedResponse {
        private String waited;

        public WaitForRoomAgainstRefusal() {
            append(16);
        }

        @Actor
        public void worker() {
            try {
                pipe.awaitRoom();
                waited = "room";
            } catch (IOException e) {
                waited = "ended";
            }
        }

        @Actor
        public void other() {
            pipe.refuse(new IOException("aborted"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            r.r1 = outlet.taken() == 16 ? waited + held() : "dropped";
        }
    }

    /** A non-blocking writer must be notified once. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "the listener is called never, or twice")
    public static class WhenRoomAgainstDrain extends PipedResponse {
        private final AtomicInteger called = new AtomicInteger();

        public WhenRoomAgainstDrain() {
            append(16);
        }

        @Actor
        public void worker() {
            pipe.whenRoom(called::incrementAndGet);
        }

        @Actor
        public void reactor() {
            drainAll();
        }

        @Arbiter
        public void outcome(I_Result r) {
            r.r1 = called.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "the listener is called never, or twice")
    public static class WhenRoomAgainstFailure extends PipedResponse {
        private final AtomicInteger called = new AtomicInteger();

        public WhenRoomAgainstFailure() {
            append(16);
        }

        @Actor
        public void worker() {
            pipe.whenRoom(called::incrementAndGet);
        }

        @Actor
        public void reactor() {
            pipe.fail(new IOException("reset"));
        }

        @Arbiter
        public void outcome(I_Result r) {
            r.r1 = called.get();
        }
    }
}
