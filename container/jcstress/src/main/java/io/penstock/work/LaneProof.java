package io.penstock.work;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.work.IdleWorkers.Taker;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks that a {@link Lane} with one place never runs two jobs, that each job runs, and that all places are given back. If a wake-up is
 * lost, a test does not end.
 */
public class LaneProof {

    /** A job of a lane and a mapping. */
    private record Counted(String name, Lane lane, Mapping mapping) implements Job {
        @Override
        public void run() {}

        @Override
        public void abandon() {}
    }

    /** Two jobs of a lane with one place. The workers run jobs until none can run. */
    private abstract static class OnePlace {
        final Lane lane = new Lane(1, 2);
        final Mapping mapping = new Mapping("/lane");
        final RequestQueue queue = new RequestQueue(2, 1);

        private volatile int running;
        private volatile boolean together;

        /** Takes jobs and runs them, until there is none or the worker has run {@code most}. Returns their names. */
        String work(int most) {
            Taker worker = new Taker(Thread.currentThread(), false, () -> {});
            String names = "";
            for (Job job = queue.take(worker); job != null; job = next(worker, names.length() < most)) {
                running++;
                together |= running > 1 || mapping.running() > 1;
                running--;
                names += ((Counted) job).name();
            }
            return names;
        }

        private @Nullable Job next(Taker worker, boolean more) {
            if (more) {
                return queue.take(worker);
            }
            queue.change(jobs -> jobs.giveBack(worker.job));
            return null;
        }

        String end() {
            return (together ? ", together" : "") + ", left " + lane.running() + " " + mapping.running() + " "
                    + mapping.waiting();
        }

        Job job(String name) {
            return new Counted(name, lane, mapping);
        }
    }

    /** Both jobs wait when the workers come. The second job runs only after the first has given its place back. */
    @JCStressTest
    @State
    @Outcome(
            id = {"a b, left 0 0 0", "b a, left 0 0 0", "ab , left 0 0 0", " ab, left 0 0 0"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "together, lost, or a place is left")
    public static class TwoWorkersForOnePlace extends OnePlace {
        private String first = "";
        private String second = "";

        public TwoWorkersForOnePlace() {
            queue.offer(job("a"));
            queue.offer(job("b"));
            queue.close(); // a worker that finds no job ends
        }

        @Actor
        public void one() {
            first = work(3);
        }

        @Actor
        public void other() {
            second = work(3);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = first + " " + second + end();
        }
    }

    /** A worker gives its place back and takes the next job, while this job arrives. */
    @JCStressTest
    @State
    @Outcome(id = "ab, left 0 0 0", expect = ACCEPTABLE, desc = "the worker has both jobs")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or a place is left")
    public static class NextJobAgainstOffer extends OnePlace {
        private String names = "";

        public NextJobAgainstOffer() {
            queue.offer(job("a"));
        }

        @Actor
        public void worker() {
            names = work(2);
        }

        @Actor
        public void reactor() {
            queue.offer(job("b"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = names + end();
        }
    }
}
