package io.penstock.reactor;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.openjdk.jcstress.infra.results.L_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Checks the {@link WriteToken}. Only one thread may write at a time. No bytes may stay unsent, even if each thread expects the other
 * thread to send them.
 */
public class WriteTokenProof {

    @JCStressTest
    @State
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "exactly one thread has the token")
    @Outcome(expect = FORBIDDEN, desc = "both threads write, or no thread writes")
    public static class WorkerAgainstReactor {
        private final WriteToken token = new WriteToken();

        @Actor
        public void worker(ZZ_Result r) {
            r.r1 = token.tryWorker();
        }

        @Actor
        public void reactor(ZZ_Result r) {
            r.r2 = token.tryReactor();
        }
    }

    /** A worker ends the output while the reactor tries to take the token. */
    @JCStressTest
    @State
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "the output has ended, or the reactor writes")
    @Outcome(expect = FORBIDDEN, desc = "the reactor writes behind the end, or no thread has the token")
    public static class EndAgainstReactor {
        private final WriteToken token = new WriteToken();

        @Actor
        public void worker(ZZ_Result r) {
            if (token.tryWorker()) {
                token.end();
                r.r1 = token.hasOutputEnded();
            }
        }

        @Actor
        public void reactor(ZZ_Result r) {
            r.r2 = token.tryReactor();
        }
    }

    /**
     * The link takes no more bytes, so the worker leaves the token to the reactor. At the same time the reactor tries to take the token.
     */
    @JCStressTest
    @State
    @Outcome(id = "REACTOR", expect = ACCEPTABLE, desc = "the reactor took the token, at once or later")
    @Outcome(expect = FORBIDDEN, desc = "no thread has the token")
    public static class StallAgainstReactor {
        private final WriteToken token = new WriteToken();
        private boolean taken;

        public StallAgainstReactor() {
            token.tryWorker();
        }

        @Actor
        public void worker() {
            token.stalled();
        }

        @Actor
        public void reactor() {
            taken = token.tryReactor();
        }

        @Arbiter
        public void outcome(L_Result r) {
            if (!taken) {
                // In the server, a signal of the worker causes a second attempt of the reactor.
                token.tryReactor();
            }
            r.r1 = token.state().toString();
        }
    }

    /** A worker tries to continue instead of the reactor. At the same time the reactor tries to take the token. */
    @JCStressTest
    @State
    @Outcome(
            id = {"true, false", "false, true"},
            expect = ACCEPTABLE,
            desc = "exactly one thread has the token")
    @Outcome(expect = FORBIDDEN, desc = "both threads write, or no thread writes")
    public static class WorkerInPlaceOfTheReactor {
        private final WriteToken token = new WriteToken();

        public WorkerInPlaceOfTheReactor() {
            token.tryWorker();
            token.stalled();
        }

        @Actor
        public void worker(ZZ_Result r) {
            r.r1 = token.tryInPlaceOfReactor();
        }

        @Actor
        public void reactor(ZZ_Result r) {
            r.r2 = token.tryReactor();
        }
    }

    /**
     * A thread that adds bytes tries to take the token afterwards. A thread that releases the token checks for unsent bytes afterwards. So
     * no bytes stay unsent.
     */
    @JCStressTest
    @State
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "all bytes are sent")
    @Outcome(expect = FORBIDDEN, desc = "bytes remain, and no thread holds the token")
    public static class NoBytesStayBehind {
        private final WriteToken token = new WriteToken();
        private final AtomicInteger waiting = new AtomicInteger(1);

        @Actor
        public void worker() {
            waiting.incrementAndGet();
            while (waiting.get() > 0 && token.tryWorker()) {
                waiting.set(0);
                token.release();
            }
        }

        @Actor
        public void reactor() {
            do {
                if (!token.tryReactor()) {
                    return;
                }
                waiting.set(0);
                token.release();
            } while (waiting.get() > 0);
        }

        @Arbiter
        public void outcome(I_Result r) {
            r.r1 = waiting.get();
        }
    }
}
