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
 * Checks that a {@link RequestQueue} gives each accepted job to one worker, and that no worker sleeps while a job waits. If a wake-up is
 * lost, a test does not end.
 */
public class RequestQueueProof {

    /** A job for tests, which has a name and does nothing. */
    private static final class Named implements Job {
        private final String name;
        private final boolean streaming;

        Named(String name) {
            this(name, false);
        }

        Named(String name, boolean streaming) {
            this.name = name;
            this.streaming = streaming;
        }

        @Override
        public void run() {}

        @Override
        public boolean isStreaming() {
            return streaming;
        }

        @Override
        public void abandon() {}

        @Override
        public String toString() {
            return name;
        }
    }

    /** The calling thread as a worker that has looked into the queue, so that a renewal ends it. */
    private static Taker lookingWorker(RequestQueue queue) {
        Taker worker = new Taker(Thread.currentThread(), false, () -> {});
        queue.change(jobs -> jobs.workers.look(worker));
        return worker;
    }

    private static @Nullable Job take(RequestQueue queue) {
        return queue.take(new Taker(Thread.currentThread(), false, () -> {}));
    }

    private static String name(@Nullable Job job) {
        return job == null ? "none" : job.toString();
    }

    @JCStressTest
    @State
    @Outcome(id = "job", expect = ACCEPTABLE, desc = "the worker has the job")
    @Outcome(expect = FORBIDDEN, desc = "the job was refused or lost")
    public static class OfferAgainstTake {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private Job taken;

        @Actor
        public void reactor() {
            queue.offer(new Named("job"));
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(taken);
        }
    }

    /** A queue without waiting places accepts a request only if a worker is idle. This worker must be woken. */
    @JCStressTest
    @State
    @Outcome(id = "job", expect = ACCEPTABLE, desc = "the sleeping worker has the job")
    @Outcome(expect = FORBIDDEN, desc = "the job was lost")
    public static class HandOverWithoutALine {
        private final RequestQueue queue = new RequestQueue(0, 1);
        private Job taken;

        @Actor
        public void reactor() {
            Job job = new Named("job");
            while (queue.offer(job) == RequestQueue.Offered.FULL) {
                Thread.onSpinWait();
            }
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(taken);
        }
    }

    /** A worker falls asleep between the offer of a job and the wake-up. The worker must be woken. */
    @JCStressTest
    @State
    @Outcome(id = "job", expect = ACCEPTABLE, desc = "the worker has the job")
    @Outcome(expect = FORBIDDEN, desc = "the job was lost")
    public static class OneOfManyAgainstTake {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private Job taken;

        @Actor
        public void reactor() {
            queue.offerOneOfMany(new Named("job"));
            queue.wakeChosen();
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(taken);
        }
    }

    /**
     * Two jobs are offered with one wake-up. The woken worker must wake the other worker. It does not matter when the
     * other worker falls asleep.
     */
    @JCStressTest
    @State
    @Outcome(
            id = {"a b", "b a"},
            expect = ACCEPTABLE,
            desc = "each worker has one job")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or runs twice")
    public static class OneWakeUpForTwoWorkers {
        private final RequestQueue queue = new RequestQueue(2, 1);
        private Job first;
        private Job second;

        @Actor
        public void reactor() {
            queue.offerOneOfMany(new Named("a"));
            queue.offerOneOfMany(new Named("b"));
            queue.wakeChosen();
        }

        @Actor
        public void worker() {
            first = take(queue);
        }

        @Actor
        public void otherWorker() {
            second = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(first) + " " + name(second);
        }
    }

    /** A worker is woken for a job, but gets the order to end. It must then wake another worker for the job. */
    @JCStressTest
    @State
    @Outcome(
            id = {"job, nothing", "nothing, job"},
            expect = ACCEPTABLE,
            desc = "one worker ran the job, and both have ended")
    @Outcome(expect = FORBIDDEN, desc = "the job was lost, or ran twice")
    public static class SearchAgainstRelieve {
        private final RequestQueue queue = new RequestQueue(2, 1);
        private volatile boolean there;
        private String first = "";
        private String second = "";

        @Actor
        public void owner() {
            while (!there) {
                Thread.onSpinWait();
            }
            queue.offer(new Named("job"));
            queue.change(jobs -> jobs.workers.renew());
            queue.close();
        }

        @Actor
        public void worker() {
            first = all(() -> there = true);
        }

        @Actor
        public void otherWorker() {
            second = all(() -> {});
        }

        /** Returns the jobs that the calling worker takes until it ends. */
        private String all(Runnable before) {
            Taker worker = lookingWorker(queue);
            before.run();
            String taken = "";
            for (Job job = queue.take(worker); job != null; job = queue.take(worker)) {
                taken += name(job);
            }
            return taken.isEmpty() ? "nothing" : taken;
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = first + ", " + second;
        }
    }

    /** A thread offers two jobs, and then takes a job itself. A second worker takes the other job. */
    @JCStressTest
    @State
    @Outcome(
            id = {"a b", "b a"},
            expect = ACCEPTABLE,
            desc = "each worker has one job")
    @Outcome(expect = FORBIDDEN, desc = "a job is lost, or runs twice")
    public static class TwoJobsForTwoWorkers {
        private final RequestQueue queue = new RequestQueue(2, 1);
        private Job first;
        private Job second;

        @Actor
        public void worker() {
            first = take(queue);
        }

        @Actor
        public void reactorThenWorker() {
            queue.offer(new Named("a"));
            queue.resume(new Named("b"));
            second = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(first) + " " + name(second);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "none", expect = ACCEPTABLE, desc = "the worker ends")
    @Outcome(expect = FORBIDDEN, desc = "a job that was never offered")
    public static class CloseAgainstTake {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private Job taken;

        @Actor
        public void owner() {
            queue.close();
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(taken);
        }
    }

    /** A reactor removes a job that has waited too long. At the same time a worker takes a job. */
    @JCStressTest
    @State
    @Outcome(id = "withdrawn, none", expect = ACCEPTABLE, desc = "the reactor has the job")
    @Outcome(id = "left, job", expect = ACCEPTABLE, desc = "the worker has the job")
    @Outcome(expect = FORBIDDEN, desc = "both threads have the job, or no thread has it")
    public static class WithdrawalAgainstWorker {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private final Job job = new Named("job");
        private boolean withdrawn;
        private Job taken;

        public WithdrawalAgainstWorker() {
            queue.offer(job);
            // After the close a worker without a job does not wait.
            queue.close();
        }

        @Actor
        public void reactor() {
            withdrawn = queue.withdraw(job);
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (withdrawn ? "withdrawn, " : "left, ") + name(taken);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "accepted, job, none", expect = ACCEPTABLE, desc = "the accepted job runs, then the workers end")
    @Outcome(id = "refused, none, none", expect = ACCEPTABLE, desc = "the queue had closed, and the offer was refused")
    @Outcome(expect = FORBIDDEN, desc = "an accepted job does not run, or a refused job runs")
    public static class OfferAgainstClose {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private boolean accepted;

        @Actor
        public void reactor() {
            accepted = queue.offer(new Named("job")) != RequestQueue.Offered.FULL;
        }

        @Actor
        public void owner() {
            queue.close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = (accepted ? "accepted, " : "refused, ") + name(take(queue)) + ", " + name(take(queue));
        }
    }

    /** A job is offered, and then the queue is closed. A worker that was woken for the job must take the job before it ends. */
    @JCStressTest
    @State
    @Outcome(id = "job", expect = ACCEPTABLE, desc = "the accepted job runs")
    @Outcome(expect = FORBIDDEN, desc = "the worker ended, and the job waits")
    public static class OfferAndCloseAgainstTake {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private Job taken;

        @Actor
        public void reactorThenOwner() {
            queue.offer(new Named("job"));
            queue.close();
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(taken);
        }
    }

    /**
     * A streaming job waits, because the limit of streaming jobs is reached. When the running streaming job ends, an idle worker must get
     * the waiting job.
     */
    @JCStressTest
    @State
    @Outcome(id = "stream", expect = ACCEPTABLE, desc = "the worker has the job")
    @Outcome(expect = FORBIDDEN, desc = "the job was lost")
    public static class EndOfStreamingAgainstTake {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private Job taken;

        public EndOfStreamingAgainstTake() {
            queue.beginStreaming();
            queue.offer(new Named("stream", true));
        }

        @Actor
        public void streaming() {
            queue.endStreaming();
        }

        @Actor
        public void worker() {
            taken = take(queue);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(taken);
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "stream, then no room", expect = ACCEPTABLE, desc = "one job streams, and counts until its end")
    @Outcome(expect = FORBIDDEN, desc = "the count of streaming jobs is wrong")
    public static class EndOfStreamingAgainstOffer {
        private final RequestQueue queue = new RequestQueue(1, 1);

        public EndOfStreamingAgainstOffer() {
            queue.beginStreaming();
        }

        @Actor
        public void streaming() {
            queue.endStreaming();
        }

        @Actor
        public void reactor() {
            queue.offer(new Named("stream", true));
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = name(take(queue)) + (queue.beginStreaming() ? ", then room" : ", then no room");
        }
    }

    /**
     * A worker gets the order to end while a job arrives. The worker calls take() twice. One call must return the job. The other call must
     * return null, which is the order to end.
     */
    @JCStressTest
    @State
    @Outcome(id = "job, then sent away", expect = ACCEPTABLE, desc = "the job came first")
    @Outcome(
            id = "sent away, then job",
            expect = ACCEPTABLE,
            desc = "the worker ended first, and its successor has the job")
    @Outcome(expect = FORBIDDEN, desc = "the job or the order was lost")
    public static class RelieveAgainstOffer {
        private final RequestQueue queue = new RequestQueue(1, 1);
        private String order = "";

        @Actor
        public void undeploy() {
            while (!there) {
                Thread.onSpinWait();
            }
            queue.change(jobs -> jobs.workers.renew());
        }

        @Actor
        public void worker() {
            Taker worker = lookingWorker(queue);
            there = true;
            queue.resume(new Named("job"));
            Job first = queue.take(worker);
            if (first == null) {
                queue.change(jobs -> jobs.workers.tookOver());
            }
            Job second = queue.take(worker);
            order = (first == null ? "sent away" : name(first)) + ", then "
                    + (second == null ? "sent away" : name(second));
        }

        private volatile boolean there;

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = order;
        }
    }
}
