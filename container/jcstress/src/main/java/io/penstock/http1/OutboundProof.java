package io.penstock.http1;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** Pipe, write token and link together: bytes that the socket does not take are the reactor's, and it knows. */
public class OutboundProof {
    private static final int STALLED = 1;
    private static final int FAILED = 2;

    @JCStressTest
    @State
    @Outcome(id = "12 sent", expect = ACCEPTABLE, desc = "at once, or when the link was writable again")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait, and nobody will come to send them")
    public static class WorkerAgainstReactor {
        private final SegmentPool pool = new SegmentPool(8, 64);
        private final SlowLink link = new SlowLink();
        private final Outbound out =
                new Outbound(new ResponsePipe(pool, 64), link, Outbound.Files.AT_ONCE, STALLED, FAILED);
        private boolean waitsForWritable;

        public WorkerAgainstReactor() {
            append(4);
        }

        private void append(int count) {
            try {
                out.pipe().appendWhole(ByteBuffer.allocate(count));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void appendAndDrain(int count) {
            append(count);
            try {
                out.workerDrain();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns whether the pipe is empty; if not, the link is watched until it is writable. */
        private boolean drain() {
            try {
                return out.reactorDrain();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Actor
        public void worker() {
            appendAndDrain(3);
            appendAndDrain(5);
        }

        @Actor
        public void reactor() {
            waitsForWritable = !drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            boolean comesAgain = waitsForWritable || link.isSignalled();
            for (int turns = 0; comesAgain && turns < 10 && !out.isEmpty(); turns++) {
                drain();
            }
            r.r1 = link.taken() + " sent" + (pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held");
        }
    }
}
