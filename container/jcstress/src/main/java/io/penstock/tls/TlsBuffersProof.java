package io.penstock.tls;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.limits.Counters;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** Checks the {@link TlsBuffers}. A link that waits for memory must be notified once, when memory is free. */
public class TlsBuffersProof {
    /**
     * Three quarters of this budget are enough for one working buffer. They are not enough for a working buffer together with the kept
     * bytes of this test.
     */
    private static final int BUDGET = 100_000;

    private static final ByteBuffer REST = ByteBuffer.allocate(9_000).asReadOnlyBuffer();

    private static TlsBuffers buffers() {
        return new TlsBuffers(BUDGET, new Counters());
    }

    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the link is notified once")
    @Outcome(expect = FORBIDDEN, desc = "the link waits although there is room, or is notified twice")
    public static class WaitAgainstRelease {
        private final TlsBuffers buffers = buffers();
        private final ByteBuffer kept = buffers.keep(REST.duplicate());
        private final AtomicInteger calls = new AtomicInteger();

        @Actor
        public void reader() {
            buffers.whenRoom(calls::incrementAndGet);
        }

        @Actor
        public void writer() {
            buffers.release(kept);
        }

        @Arbiter
        public void outcome(I_Result r) {
            r.r1 = calls.get();
        }
    }

    /** Two links wait, and two threads release memory. Each notified link must wake the next link. */
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "each link is notified once")
    @Outcome(expect = FORBIDDEN, desc = "a link waits although there is room, or is notified twice")
    public static class TwoReleases {
        private final TlsBuffers buffers = buffers();
        private final ByteBuffer first = buffers.keep(REST.duplicate());
        private final ByteBuffer second = buffers.keep(REST.duplicate());
        private final AtomicInteger firstCalls = new AtomicInteger();
        private final AtomicInteger secondCalls = new AtomicInteger();

        public TwoReleases() {
            buffers.whenRoom(() -> called(firstCalls));
            buffers.whenRoom(() -> called(secondCalls));
        }

        private void called(AtomicInteger calls) {
            calls.incrementAndGet();
            buffers.wakeNext();
        }

        @Actor
        public void one() {
            buffers.release(first);
        }

        @Actor
        public void other() {
            buffers.release(second);
        }

        @Arbiter
        public void outcome(II_Result r) {
            r.r1 = firstCalls.get();
            r.r2 = secondCalls.get();
        }
    }
}
