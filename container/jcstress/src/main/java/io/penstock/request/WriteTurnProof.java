package io.penstock.request;

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

/** Checks that one thread at a time has the turn, that a thread that waits gets it, and that the container's action runs once. */
public class WriteTurnProof {
    @JCStressTest
    @State
    @Outcome(id = "6", expect = ACCEPTABLE, desc = "each turn had the counter for itself")
    @Outcome(expect = FORBIDDEN, desc = "two threads wrote at the same time")
    public static class ThreeThreadsWriteByTurns {
        private final WriteTurn turn = new WriteTurn();
        private int plain;

        private void write() {
            turn.begin();
            plain++;
            turn.begin();
            plain++;
            turn.end();
            turn.end();
        }

        @Actor
        public void first() {
            write();
        }

        @Actor
        public void second() {
            write();
        }

        @Actor
        public void third() {
            write();
        }

        @Arbiter
        public void result(I_Result r) {
            r.r1 = plain;
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "once, free", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "the container continues twice or never, or the turn is lost")
    public static class TheContainerContinuesOnce {
        private final WriteTurn turn = new WriteTurn();
        private final AtomicInteger continued = new AtomicInteger();

        @Actor
        public void writer() {
            turn.begin();
            end();
        }

        @Actor
        public void container() {
            goOn();
        }

        private void goOn() {
            switch (turn.take(this::goOn)) {
                case NOW -> {
                    continued.incrementAndGet();
                    end();
                }
                case BY_ACTION -> end();
                case LATER -> {
                    // The writer continues.
                }
            }
        }

        private void end() {
            Runnable then = turn.end();
            if (then != null) {
                then.run();
            }
        }

        @Arbiter
        public void result(L_Result r) {
            turn.admitWriters();
            r.r1 = (continued.get() == 1 ? "once" : continued.get() + " times")
                    + (turn.isFree() ? ", free" : ", taken");
        }
    }
}
