package io.penstock.pipe;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the {@link SegmentPool}. A segment must have only one owner, and can be released only once. The release must run the action that
 * waits for a segment.
 */
public class SegmentPoolProof {

    /** Two threads release the same segment. The second call must fail and must not change the pool. */
    @JCStressTest
    @State
    @Outcome(
            id = "one throws, 0 in use, two different",
            expect = ACCEPTABLE,
            desc = "the second release fails and changes nothing")
    @Outcome(expect = FORBIDDEN, desc = "the pool would hand the same memory to two clients")
    public static class TwoReleases {
        private final SegmentPool pool = new SegmentPool(8, 16);
        private final Segment segment = pool.tryAcquireReserved();
        private final AtomicInteger thrown = new AtomicInteger();

        private void release() {
            try {
                segment.release();
            } catch (IllegalStateException e) {
                thrown.incrementAndGet();
            }
        }

        @Actor
        public void one() {
            release();
        }

        @Actor
        public void other() {
            release();
        }

        @Arbiter
        public void outcome(L_Result r) {
            long inUse = pool.inUse();
            Segment first = pool.tryAcquireReserved();
            Segment second = pool.tryAcquireReserved();
            boolean different = first != null && second != null && first.buffer() != second.buffer();
            r.r1 = (thrown.get() == 1 ? "one throws, " : thrown.get() + " throw, ") + inUse + " in use, "
                    + (different ? "two different" : "the same twice");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "told 1", expect = ACCEPTABLE, desc = "the client is notified once")
    @Outcome(expect = FORBIDDEN, desc = "the client is never read again, or is notified twice")
    public static class ReleaseAgainstWhenRoom {
        private final SegmentPool pool = new SegmentPool(8, 16); // two segments, one of them reserved
        private final Segment segment = pool.tryAcquire();
        private final AtomicInteger told = new AtomicInteger();

        @Actor
        public void owner() {
            segment.release();
        }

        @Actor
        public void reactor() {
            if (pool.tryAcquire() == null) {
                pool.whenRoom(told::incrementAndGet);
            } else {
                told.incrementAndGet();
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "told " + told.get();
        }
    }

    /** Two threads try to take the last segment of the budget. Only one of them may have the segment at a time. */
    @JCStressTest
    @State
    @Outcome(id = "one has it", expect = ACCEPTABLE, desc = "only one thread gets a segment")
    @Outcome(id = "one after the other", expect = ACCEPTABLE, desc = "the first thread released the segment in time")
    @Outcome(expect = FORBIDDEN, desc = "a segment has two owners, or none")
    public static class TwoWantTheLast {
        private final SegmentPool pool = new SegmentPool(8, 16);
        private final AtomicInteger had = new AtomicInteger();
        private final AtomicInteger foreign = new AtomicInteger();

        private void use(byte mine) {
            Segment segment = pool.tryAcquire();
            if (segment == null) {
                return;
            }
            had.incrementAndGet();
            segment.buffer().put(0, mine);
            if (segment.buffer().get(0) != mine) {
                foreign.incrementAndGet();
            }
            segment.release();
        }

        @Actor
        public void one() {
            use((byte) 1);
        }

        @Actor
        public void other() {
            use((byte) 2);
        }

        @Arbiter
        public void outcome(L_Result r) {
            if (foreign.get() > 0 || pool.inUse() > 0) {
                r.r1 = "foreign " + foreign.get() + ", in use " + pool.inUse();
            } else {
                r.r1 = had.get() == 1 ? "one has it" : had.get() == 2 ? "one after the other" : "nobody";
            }
        }
    }
}
