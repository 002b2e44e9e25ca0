package io.penstock.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.work.RequestQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/** What an exchange still has to do is done, once, in order, and never by two workers at a time. */
public class ContinuationsProof {

    /** Jobs of one exchange. Where there is no worker any more, whoever adds one runs it: so both threads may. */
    abstract static class Continued {
        private final AtomicInteger inside = new AtomicInteger();
        private final StringBuffer done = new StringBuffer();
        private final AtomicInteger settled = new AtomicInteger();
        final Continuations continuations;
        private volatile boolean twoAtOnce;

        Continued() {
            RequestQueue ended = new RequestQueue(0, 1);
            ended.close();
            continuations = new Continuations(ended, settled::incrementAndGet);
        }

        void add(String name) {
            continuations.add(() -> {
                if (inside.incrementAndGet() > 1) {
                    twoAtOnce = true;
                }
                done.append(name);
                inside.decrementAndGet();
            });
        }

        String outcome() {
            return done + (twoAtOnce ? ", two at once" : "");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "ab", expect = ACCEPTABLE, desc = "by the worker before it left, or after it by another")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or two run at a time")
    public static class AddAgainstTheEndOfATurn extends Continued {

        @Actor
        public void anyone() {
            add("a");
            add("b");
        }

        @Actor
        public void worker() {
            continuations.drain();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"ab", "ba"},
            expect = ACCEPTABLE,
            desc = "both, one after the other")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or two run at a time")
    public static class AddAgainstAdd extends Continued {

        public AddAgainstAdd() {
            continuations.drain();
        }

        @Actor
        public void one() {
            add("a");
        }

        @Actor
        public void other() {
            add("b");
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }
}
