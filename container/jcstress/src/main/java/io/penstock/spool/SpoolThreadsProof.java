package io.penstock.spool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.memory.Rounds;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the notification after a refused write. The spool refuses the write of a client, because too many writes are pending. The reactor
 * then does not read from the client until {@link SpoolThreads} notifies it. The notification must not be lost if it comes between the
 * refusal and the call of whenRoom().
 */
public class SpoolThreadsProof {

    /** The last write ends while another write is refused. */
    @JCStressTest
    @State
    @Outcome(id = "YES, told 0", expect = ACCEPTABLE, desc = "there was room again")
    @Outcome(id = "BUSY, told 1", expect = ACCEPTABLE, desc = "the client is refused, then notified")
    @Outcome(expect = FORBIDDEN, desc = "the client is never read again, or notified twice")
    public static class RefusalAgainstTheLastEnd {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final SpoolThreads threads = new SpoolThreads(executor, 1, Rounds.unwatched());
        private final AtomicInteger told = new AtomicInteger();
        private SpoolThreads.Taken taken;

        public RefusalAgainstTheLastEnd() {
            threads.offer(null, () -> {});
        }

        @Actor
        public void spool() {
            executor.runAll();
        }

        @Actor
        public void reactor() {
            taken = threads.offer(null, () -> {});
            if (taken == SpoolThreads.Taken.BUSY) {
                threads.whenRoom(null, told::incrementAndGet);
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = taken + ", told " + told.get();
        }
    }

    /** Two clients wait for the end of two writes. No other write follows. */
    @JCStressTest
    @State
    @Outcome(id = "told 2", expect = ACCEPTABLE, desc = "both clients are notified")
    @Outcome(expect = FORBIDDEN, desc = "the client is never read again, or notified twice")
    public static class TwoWaitForTwoEnds {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final SpoolThreads threads = new SpoolThreads(executor, 2, Rounds.unwatched());
        private final AtomicInteger told = new AtomicInteger();

        public TwoWaitForTwoEnds() {
            threads.offer(null, () -> {});
            threads.offer(null, () -> {});
        }

        @Actor
        public void spool() {
            executor.runAll();
        }

        @Actor
        public void reactor() {
            threads.whenRoom(null, told::incrementAndGet);
            threads.whenRoom(null, told::incrementAndGet);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "told " + told.get();
        }
    }

    /** Two clients of two reactors begin to wait at the same time as the last write ends. */
    @JCStressTest
    @State
    @Outcome(id = "told 2", expect = ACCEPTABLE, desc = "both clients are notified")
    @Outcome(expect = FORBIDDEN, desc = "the client is never read again, or notified twice")
    public static class TwoWaitersAgainstEachOther {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final SpoolThreads threads = new SpoolThreads(executor, 1, Rounds.unwatched());
        private final AtomicInteger told = new AtomicInteger();

        public TwoWaitersAgainstEachOther() {
            threads.offer(null, () -> {});
        }

        @Actor
        public void reactor() {
            threads.whenRoom(null, told::incrementAndGet);
        }

        @Actor
        public void spoolThenOtherReactor() {
            executor.runAll();
            threads.whenRoom(null, told::incrementAndGet);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "told " + told.get();
        }
    }

    /** The last write of a bulkhead ends while another write of the same bulkhead is refused. The limit for all writes has room. */
    @JCStressTest
    @State
    @Outcome(
            id = {"YES, told 0, kept 0", "YES, told 0, kept 1"},
            expect = ACCEPTABLE,
            desc = "there was room again; the write may have ended")
    @Outcome(id = "BUSY, told 1, kept 0", expect = ACCEPTABLE, desc = "refused, then notified; all places are free")
    @Outcome(expect = FORBIDDEN, desc = "the client is never read again or notified twice, or a place is lost")
    public static class RefusalInABulkheadAgainstTheLastEnd {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final SpoolThreads threads = new SpoolThreads(executor, 2, Rounds.unwatched());
        private final SpoolShare share = new SpoolShare(1);
        private final AtomicInteger told = new AtomicInteger();
        private SpoolThreads.Taken taken;

        public RefusalInABulkheadAgainstTheLastEnd() {
            threads.offer(share, () -> {});
        }

        @Actor
        public void spool() {
            executor.runAll();
        }

        @Actor
        public void reactor() {
            taken = threads.offer(share, () -> {});
            if (taken == SpoolThreads.Taken.BUSY) {
                threads.whenRoom(share, told::incrementAndGet);
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = taken + ", told " + told.get() + ", kept " + share.pending();
        }
    }

    /**
     * The limit of the bulkhead has room, but the limit for all writes has no room. The refused write must not stay counted in the share of
     * the bulkhead, and the client must be notified.
     */
    @JCStressTest
    @State
    @Outcome(
            id = {"YES, told 0, kept 0", "YES, told 0, kept 1"},
            expect = ACCEPTABLE,
            desc = "there was room again; the write may have ended")
    @Outcome(id = "BUSY, told 1, kept 0", expect = ACCEPTABLE, desc = "refused, then notified; all places are free")
    @Outcome(expect = FORBIDDEN, desc = "the client is never read again or notified twice, or a place is lost")
    public static class RefusalAmongAllAgainstTheLastEnd {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final SpoolThreads threads = new SpoolThreads(executor, 1, Rounds.unwatched());
        private final SpoolShare share = new SpoolShare(1);
        private final AtomicInteger told = new AtomicInteger();
        private SpoolThreads.Taken taken;

        public RefusalAmongAllAgainstTheLastEnd() {
            threads.offer(null, () -> {});
        }

        @Actor
        public void spool() {
            executor.runAll();
        }

        @Actor
        public void reactor() {
            taken = threads.offer(share, () -> {});
            if (taken == SpoolThreads.Taken.BUSY) {
                threads.whenRoom(share, told::incrementAndGet);
            }
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = taken + ", told " + told.get() + ", kept " + share.pending();
        }
    }
}
