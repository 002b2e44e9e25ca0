package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link RequestPipe}. In each test, the reactor and the reader use the pipe at the same time. No byte may be lost, all segments
 * must return to the pool, and no thread may sleep without end. If a wake-up is lost, a test does not end.
 */
public class RequestPipeProof {

    /** A pipe with a few very small segments, and methods for its two threads. */
    abstract static class Piped {
        final SegmentPool pool = new SegmentPool(8, 64);
        final AtomicInteger roomTold = new AtomicInteger();
        final RequestPipe pipe = new RequestPipe(pool, 16, roomTold::incrementAndGet);

        RequestPipe.Offered offer(int count) {
            return pipe.inlet().offer(ByteBuffer.allocate(count));
        }

        void takeAllMemory() {
            while (pool.tryAcquireReserved() != null) {
                // Each call takes one segment. The loop ends when no segment is left.
            }
        }

        /** Waits for the next call of the pipe's RoomListener. Without this call, the reactor would never read from the client again. */
        int awaitCall(int calls) {
            while (roomTold.get() == calls) {
                Thread.onSpinWait();
            }
            return roomTold.get();
        }

        /** Reads until the end of the body or a failure. */
        String readAll() {
            byte[] target = new byte[5];
            int sum = 0;
            try {
                for (int count = pipe.outlet().read(target, 0, 5); count >= 0; ) {
                    sum += count;
                    count = pipe.outlet().read(target, 0, 5);
                }
                return sum + ", end";
            } catch (BodyFailure e) {
                return sum + ", failure";
            } catch (IOException e) {
                return "another failure: " + e;
            }
        }

        String held() {
            return pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held";
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "12, end", expect = ACCEPTABLE, desc = "the reader gets every byte, then the end")
    @Outcome(expect = FORBIDDEN, desc = "bytes or segments are lost")
    public static class BytesAndEnd extends Piped {
        private String read;

        @Actor
        public void reactor() {
            offer(3);
            offer(9);
            pipe.inlet().finish();
        }

        @Actor
        public void worker() {
            read = readAll();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = read + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"0, failure", "3, failure"},
            expect = ACCEPTABLE,
            desc = "the reader gets some bytes, then the failure")
    @Outcome(expect = FORBIDDEN, desc = "the end of an incomplete body, or segments are lost")
    public static class BytesAndFailure extends Piped {
        private String read;

        @Actor
        public void reactor() {
            offer(3);
            pipe.inlet().fail(new IOException("reset"));
        }

        @Actor
        public void worker() {
            read = readAll();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = read + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "12 consumed", expect = ACCEPTABLE, desc = "unread bytes are dropped")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost, or bytes are not counted once")
    public static class BytesAgainstClose extends Piped {

        @Actor
        public void reactor() {
            offer(3);
            offer(9);
            pipe.inlet().finish();
        }

        @Actor
        public void worker() {
            pipe.outlet().close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = pipe.inlet().consumed() + " consumed" + held();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "nothing held", expect = ACCEPTABLE, desc = "the segments are released once")
    @Outcome(expect = FORBIDDEN, desc = "segments are lost")
    public static class FailureAgainstClose extends Piped {

        public FailureAgainstClose() {
            offer(12);
        }

        @Actor
        public void reactor() {
            pipe.inlet().fail(new IOException("reset"));
        }

        @Actor
        public void worker() {
            pipe.outlet().close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "nothing held" + held();
        }
    }

    /** The pipe is full. The reactor stops reading from the client, until the pipe calls the RoomListener. */
    @JCStressTest
    @State
    @Outcome(id = "FULL, told 1", expect = ACCEPTABLE, desc = "the reactor came first and was signalled")
    @Outcome(id = "ALL, told 0", expect = ACCEPTABLE, desc = "the reader came first: there was room")
    @Outcome(expect = FORBIDDEN, desc = "no signal: the client is never read again; or one signal too many")
    public static class FullAgainstRead extends Piped {
        private RequestPipe.Offered offered;

        public FullAgainstRead() {
            offer(16);
        }

        @Actor
        public void reactor() {
            offered = offer(1);
        }

        @Actor
        public void worker() {
            try {
                pipe.outlet().read(new byte[16], 0, 16);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = offered + ", told " + roomTold.get();
            pipe.outlet().close();
        }
    }

    /** A non-blocking reader must be notified once. */
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "the listener is called never, or twice")
    public static class BytesAgainstWhenReady extends Piped {
        private final AtomicInteger called = new AtomicInteger();

        @Actor
        public void reactor() {
            offer(3);
            pipe.inlet().finish();
        }

        @Actor
        public void worker() {
            pipe.outlet().whenReady(called::incrementAndGet);
        }

        @Arbiter
        public void outcome(I_Result r) {
            r.r1 = called.get();
            pipe.outlet().close();
        }
    }

    /** The memory budget is used up. The pipe accepts bytes only after a worker waits for bytes. */
    @JCStressTest
    @State
    @Outcome(id = "3, end", expect = ACCEPTABLE, desc = "the waiting worker gets its bytes beyond the budget")
    @Outcome(expect = FORBIDDEN, desc = "the worker does not get its bytes")
    public static class OverBudgetAgainstRead extends Piped {
        private String read;

        public OverBudgetAgainstRead() {
            takeAllMemory();
        }

        @Actor
        public void reactor() {
            ByteBuffer bytes = ByteBuffer.allocate(3);
            int calls = roomTold.get();
            while (pipe.inlet().offer(bytes) == RequestPipe.Offered.OVER_BUDGET) {
                calls = awaitCall(calls);
            }
            pipe.inlet().finish();
        }

        @Actor
        public void worker() {
            read = readAll();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = read;
        }
    }

    /** The memory budget is used up. The reactor reads no bytes from the client until a worker waits for bytes. */
    @JCStressTest
    @State
    @Outcome(id = "ALL, 3, end", expect = ACCEPTABLE, desc = "the waiting worker gets its bytes beyond the budget")
    @Outcome(expect = FORBIDDEN, desc = "the worker does not get its bytes")
    public static class StarvingAgainstRead extends Piped {
        private RequestPipe.Offered offered;
        private String read;

        public StarvingAgainstRead() {
            takeAllMemory();
        }

        @Actor
        public void reactor() {
            int calls = roomTold.get();
            while (pipe.inlet().tryPauseForMemory()) {
                calls = awaitCall(calls);
            }
            offered = offer(3);
            pipe.inlet().finish();
        }

        @Actor
        public void worker() {
            read = readAll();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = offered + ", " + read;
        }
    }
}
