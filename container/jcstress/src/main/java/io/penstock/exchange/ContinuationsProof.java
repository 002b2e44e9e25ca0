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

/**
 * Checks the {@link Continuations} of an exchange (a request with its response). A turn is the right of one thread to run code of the
 * exchange. Each job must run once and in order, and two jobs must never run at the same time. The end of the exchange must be reported
 * once, and never while a job runs.
 */
public class ContinuationsProof {

    /**
     * The jobs of one exchange. The test has no workers: the thread that adds a job also runs jobs, so both threads of the test can run
     * jobs.
     */
    abstract static class Continued implements Continuations.Owner {
        private final AtomicInteger inside = new AtomicInteger();
        private final StringBuffer done = new StringBuffer();
        final Continuations continuations;
        private volatile boolean twoAtOnce;

        Continued() {
            RequestQueue ended = new RequestQueue(0, 1);
            ended.close();
            continuations = new Continuations(ended, this);
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

        @Override
        public boolean isDone() {
            return false;
        }

        @Override
        public void afterTurn(Continuations.End end) {}

        String outcome() {
            return done + (twoAtOnce ? ", two at once" : "");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "ab", expect = ACCEPTABLE, desc = "both jobs run, by one worker or by two workers")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or two jobs run at a time")
    public static class AddAgainstTheEndOfATurn extends Continued {

        @Actor
        public void anyone() {
            add("a");
            add("b");
        }

        @Actor
        public void worker() {
            continuations.runJobs();
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
            desc = "both jobs ran, one after the other")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or two jobs run at a time")
    public static class AddAgainstAdd extends Continued {

        public AddAgainstAdd() {
            continuations.runJobs();
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

    /** A job ends the response of the exchange. At the same time the worker that ran the previous jobs finishes its turn. */
    abstract static class Ending extends Continued {
        private final AtomicInteger ends = new AtomicInteger();
        private final AtomicInteger handOvers = new AtomicInteger();
        private volatile boolean responseEnded;
        private volatile boolean upgraded;
        private volatile boolean inJob;
        private volatile boolean endedInATurn;

        @Override
        public boolean isDone() {
            return responseEnded && !upgraded;
        }

        @Override
        public void afterTurn(Continuations.End end) {
            switch (end) {
                case OVER -> {
                    ends.incrementAndGet();
                    endedInATurn |= inJob;
                }
                case HANDED_OVER -> handOvers.incrementAndGet();
                case LEFT -> {
                    // This turn did not end the exchange, so nothing is counted.
                }
            }
        }

        void leave() {
            afterTurn(continuations.runJobs());
        }

        /** Adds a job that ends the response. If {@code upgrades} is true, the job also hands the connection over to another protocol. */
        void complete(boolean upgrades) {
            continuations.add(() -> {
                inJob = true;
                responseEnded = true;
                if (upgrades) {
                    upgraded = true;
                    continuations.handOver();
                }
                inJob = false;
            });
        }

        @Override
        String outcome() {
            return ends + " ended, " + handOvers + " handed over" + (endedInATurn ? ", in a turn" : "");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "0 ended, 1 handed over", expect = ACCEPTABLE, desc = "handed over by the worker that requested it")
    @Outcome(
            expect = FORBIDDEN,
            desc = "the worker of the previous turn ends an exchange that has switched to another protocol")
    public static class UpgradeAgainstTheEndOfATurn extends Ending {

        @Actor
        public void anyone() {
            complete(true);
        }

        @Actor
        public void worker() {
            leave();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1 ended, 0 handed over", expect = ACCEPTABLE, desc = "the end is reported once, between two turns")
    @Outcome(expect = FORBIDDEN, desc = "the end is not reported, or twice, or while the last turn runs")
    public static class CompletionAgainstTheEndOfATurn extends Ending {

        @Actor
        public void anyone() {
            complete(false);
            complete(false);
        }

        @Actor
        public void worker() {
            leave();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }
}
