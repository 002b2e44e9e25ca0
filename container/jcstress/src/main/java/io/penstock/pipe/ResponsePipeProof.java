package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the operations of a {@link ResponsePipe} in pairs: two threads call two operations at the same time. Each byte must be sent once
 * and in order, and all segments must return to the pool.
 */
public class ResponsePipeProof {

    @JCStressTest
    @State
    @Outcome(id = "14 in order", expect = ACCEPTABLE, desc = "every byte is sent once, in order")
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
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "unsent bytes are released")
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
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "the segments are released once")
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

    /** A producer sends bytes past the empty pipe while the connection ends. */
    @JCStressTest
    @State
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "the segments are released once")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost")
    public static class ReservedAgainstFailure extends PipedResponse {

        @Actor
        public void worker() {
            sendPast(8);
            append(3);
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

    /** A producer sends bytes past the empty pipe while another thread wants to replace them. */
    @JCStressTest
    @State
    @Outcome(id = "8 in order", expect = ACCEPTABLE, desc = "the bytes are sent, and are not replaced")
    @Outcome(expect = FORBIDDEN, desc = "bytes or segments are lost")
    public static class ReservedAgainstReplacement extends PipedResponse {

        @Actor
        public void worker() {
            sendPast(8);
        }

        @Actor
        public void reactor() {
            Segment answer = pool.acquireForOutput();
            answer.buffer().put((byte) 0).flip();
            if (!pipe.replace(0, answer, new IOException("replaced"))) {
                answer.release();
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            r.r1 = outlet + held();
        }
    }

    /**
     * A writer takes the unsent bytes out of the pipe to write them to disk. The disk does not accept the bytes, so the writer puts them
     * back.
     */
    @JCStressTest
    @State
    @Outcome(id = "14 in order", expect = ACCEPTABLE, desc = "every byte is sent once, in order")
    @Outcome(expect = FORBIDDEN, desc = "bytes or segments are lost")
    public static class TakeOutAgainstDrain extends PipedResponse {

        public TakeOutAgainstDrain() {
            append(14);
        }

        @Actor
        public void worker() {
            takeOutAndPutBack(0);
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
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "the segments are released once")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost")
    public static class TakeOutAgainstFailure extends PipedResponse {

        public TakeOutAgainstFailure() {
            append(14);
        }

        @Actor
        public void worker() {
            takeOutAndPutBack(0);
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

    /**
     * The reactor ends the output if all bytes have been sent. It must not end the output while a writer holds unsent bytes that it has
     * taken out of the pipe.
     */
    @JCStressTest
    @State
    @Outcome(id = "14 in order, ended", expect = ACCEPTABLE, desc = "all bytes had been sent")
    @Outcome(id = "14 in order", expect = ACCEPTABLE, desc = "the reactor is called again and ends the output later")
    @Outcome(expect = FORBIDDEN, desc = "the output ended before all bytes were sent, or segments are lost")
    public static class TakeOutAgainstEndOfOutput extends PipedResponse {
        private long endedAfter = -1;

        public TakeOutAgainstEndOfOutput() {
            append(14);
        }

        @Actor
        public void worker() {
            takeOutAndPutBack(0);
        }

        @Actor
        public void reactor() {
            drain();
            drain();
            drain();
            if (pipe.isAllSent()) {
                endedAfter = outlet.taken();
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            String end = endedAfter < 0 ? "" : endedAfter == 14 ? ", ended" : ", ended after " + endedAfter;
            r.r1 = outlet + end + held();
        }
    }

    /**
     * A response is aborted. At this time its writer possibly holds the bytes of the response, which it has taken out of the pipe.
     * Meanwhile the reactor sends the bytes of the earlier response.
     */
    @JCStressTest
    @State
    @Outcome(
            id = "5 in order",
            expect = ACCEPTABLE,
            desc = "only the earlier response; the bytes taken out are dropped")
    @Outcome(id = "12 in order", expect = ACCEPTABLE, desc = "both responses: no bytes were taken out at the abort")
    @Outcome(expect = FORBIDDEN, desc = "bytes of the earlier response or segments are lost")
    public static class TakeOutAgainstRefusal extends PipedResponse {
        private static final int BEGINS = 5;

        public TakeOutAgainstRefusal() {
            append(BEGINS);
            append(7);
        }

        @Actor
        public void writer() {
            takeOutAndPutBack(BEGINS);
        }

        @Actor
        public void reactor() {
            drain();
            pipe.refuse(new IOException("given up"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            drainAll();
            r.r1 = outlet + held() + (pipe.isAllSent() ? "" : ", out");
        }
    }

    /**
     * A response is replaced by an error response. Meanwhile the reactor sends the bytes of the previous response, and possibly the first
     * bytes of the response itself.
     */
    @JCStressTest
    @State
    @Outcome(id = "8 in order, replaced", expect = ACCEPTABLE, desc = "the earlier response, then the error response")
    @Outcome(id = "12 in order, too late", expect = ACCEPTABLE, desc = "sending had begun or was about to begin")
    @Outcome(expect = FORBIDDEN, desc = "mixed bytes, or segments are lost")
    public static class ReplaceAgainstDrain extends Replaceable {

        @Actor
        public void scheduler() {
            replace();
        }

        @Actor
        public void reactor() {
            drain();
            drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    /**
     * A pipe with the bytes of an earlier response and the first bytes of a second response. An error response can replace the second
     * response.
     */
    abstract static class Replaceable extends PipedResponse {
        static final int BEGINS = 5;
        private boolean replaced;

        Replaceable() {
            append(BEGINS);
            append(7);
        }

        void replace() {
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

        boolean isReplaced() {
            return replaced;
        }

        String outcome() {
            drainAll();
            return outlet + (replaced ? ", replaced" : ", too late") + held();
        }
    }

    /**
     * The writer checks whether the pipe accepts bytes. Then it passes bytes to the drain that are not in the pipe. The response can be
     * replaced between these two steps.
     */
    @JCStressTest
    @State
    @Outcome(
            id = "8 in order, replaced",
            expect = ACCEPTABLE,
            desc = "the earlier response and the error response, and no byte of the writer after them")
    @Outcome(id = "15 in order, too late", expect = ACCEPTABLE, desc = "the writer's bytes were being sent")
    @Outcome(expect = FORBIDDEN, desc = "mixed bytes, or segments are lost")
    public static class ReplaceAgainstBytesPastThePipe extends Replaceable {
        private final ByteBuffer behind =
                ByteBuffer.wrap(new byte[] {12, 13, 14}).asReadOnlyBuffer();

        @Actor
        public void scheduler() {
            replace();
        }

        @Actor
        public void worker() {
            try {
                pipe.checkOpen();
                for (int i = 0; i < 4; i++) {
                    pipe.drainTo(outlet, behind);
                }
            } catch (IOException e) {
                // The response was replaced, so the pipe refused the bytes of the writer.
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    /**
     * The writer takes the unsent bytes of its response out of the pipe to write them to disk. If an error response has replaced the
     * response, the writer must not take out the bytes of the error response.
     */
    @JCStressTest
    @State
    @Outcome(
            id = "8 in order, replaced",
            expect = ACCEPTABLE,
            desc = "the error response was in the pipe; the thread that sends it then ends the connection")
    @Outcome(
            id = "12 in order, too late",
            expect = ACCEPTABLE,
            desc = "the writer had taken the bytes of the response out at that moment")
    @Outcome(expect = FORBIDDEN, desc = "the writer has taken out the error response, or segments are lost")
    public static class ReplaceAgainstTakeOut extends Replaceable {
        private boolean missing;

        @Actor
        public void scheduler() {
            replace();
            missing = isReplaced() && pipe.isEmpty();
        }

        @Actor
        public void worker() {
            takeOutAndPutBack(BEGINS);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome() + (missing ? ", missing" : "");
        }
    }
}
