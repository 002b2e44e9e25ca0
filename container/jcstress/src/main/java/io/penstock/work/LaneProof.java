package io.penstock.work;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

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

    /** Two jobs, and two workers that each run one job and give its place back. */
    private abstract static class OnePlace {
        final Lane lane = new Lane(1, 2);
        final Mapping mapping = new Mapping("/lane");
        final RequestQueue queue = new RequestQueue(2, 1);

        private volatile int running;
        private volatile boolean together;

        @Nullable
        Job work() {
            Job job = queue.take();
            if (job != null) {
                running++;
                together |= running > 1 || mapping.running() > 1;
                running--;
                queue.done(job);
            }
            return job;
        }

        String names(@Nullable Job one, @Nullable Job other) {
            String all = name(one) + " " + name(other);
            return all + (together ? ", together" : "") + ", left " + lane.running() + " " + mapping.running() + " "
                    + mapping.waiting();
        }

        private static String name(@Nullable Job job) {
            return job instanceof Counted counted ? counted.name() : "none";
        }

        Job job(String name) {
            return new Counted(name, lane, mapping);
        }
    }

    /** Both jobs wait when the workers come. The second worker gets its job only after the first has given its place back. */
    @JCStressTest
    @State
    @Outcome(
            id = {"a b, left 0 0 0", "b a, left 0 0 0"},
            expect = ACCEPTABLE,
            desc = "one after the other")
    @Outcome(expect = FORBIDDEN, desc = "together, lost, or a place is left")
    public static class TwoWorkersForOnePlace extends OnePlace {
        private @Nullable Job first;
        private @Nullable Job second;

        public TwoWorkersForOnePlace() {
            queue.offer(job("a"));
            queue.offer(job("b"));
        }

        @Actor
        public void one() {
            first = work();
        }

        @Actor
        public void other() {
            second = work();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = names(first, second);
        }
    }

    /** A worker gives its place back and takes the next job, while this job arrives. */
    @JCStressTest
    @State
    @Outcome(id = "a b, left 0 0 0", expect = ACCEPTABLE, desc = "the worker has both jobs")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or a place is left")
    public static class NextJobAgainstOffer extends OnePlace {
        private @Nullable Job first;
        private @Nullable Job second;

        public NextJobAgainstOffer() {
            queue.offer(job("a"));
        }

        @Actor
        public void worker() {
            Job job = queue.take();
            first = job;
            if (job != null) {
                Job next = queue.takeNext(job);
                second = next == null ? queue.take() : next;
                if (second != null) {
                    queue.done(second);
                }
            }
        }

        @Actor
        public void reactor() {
            queue.offer(job("b"));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = names(first, second);
        }
    }
}
