package io.penstock.work;

import io.penstock.memory.Rounds;
import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fixed set of threads that run jobs. Their number is independent of the number of clients. A worker can be renewed: another thread of
 * the same name replaces it, and the thread locals that jobs have left end with the former thread.
 *
 * <p>The workers may be virtual threads. Their number is the same then, and each runs one job after another.
 *
 * <p>Thread: the server's owner calls {@link #start} and {@link #stop}; any thread calls {@link #renew}.
 */
public final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /** The worker of the calling virtual thread; a platform thread has a reference to its own worker. */
    private static final ThreadLocal<@Nullable Worker> OF_VIRTUAL = new ThreadLocal<>();

    private final RequestQueue queue;
    private final String prefix;
    private final Rounds rounds;
    private final ThreadKind kind;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /** The worker of each place. Only the worker of a place puts its successor there. The successor's thread runs already. */
    private final AtomicReferenceArray<Worker> places;

    /**
     * The activity of one worker at one moment.
     *
     * @param job its running job, or null
     * @param nanos since the job began
     */
    public record Doing(Thread thread, @Nullable Job job, long nanos) {}

    /**
     * @param prefix of the threads' names
     * @param rounds guards the threads
     */
    public Workers(RequestQueue queue, int count, String prefix, Rounds rounds) {
        this(queue, count, prefix, rounds, ThreadKind.PLATFORM);
    }

    /** As the other constructor, with threads of this kind. */
    public Workers(RequestQueue queue, int count, String prefix, Rounds rounds, ThreadKind kind) {
        this.kind = kind;
        this.rounds = rounds;
        this.queue = queue;
        this.prefix = prefix;
        this.places = new AtomicReferenceArray<>(count);
        for (int place = 0; place < count; place++) {
            places.set(place, new Worker(place));
        }
    }

    /** Whether the calling thread is a worker. */
    public static boolean isCurrent() {
        return current() != null;
    }

    private static @Nullable Worker current() {
        Thread thread = Thread.currentThread();
        if (thread instanceof WorkerThread own) {
            return own.worker;
        }
        return ThreadKind.isVirtual(thread) ? OF_VIRTUAL.get() : null;
    }

    /** Whether the calling thread is a worker that takes its jobs from this queue. */
    static boolean isCurrentOf(RequestQueue queue) {
        Worker worker = current();
        return worker != null && worker.takesFrom(queue);
    }

    /** Whether the platform thread is a worker of any server in this process. Such a thread does not belong to an application. */
    public static boolean isWorker(Thread thread) {
        return thread instanceof WorkerThread;
    }

    /** For how long the calling worker has run its job, in nanoseconds; {@link Long#MAX_VALUE} if the calling thread is no worker. */
    public static long nanosInJob() {
        Worker worker = current();
        return worker == null ? Long.MAX_VALUE : worker.nanosInJob();
    }

    /** How many workers run a job; a snapshot. Any thread. */
    public int busy() {
        return busy(thread -> true);
    }

    /** How many of the workers that match run a job. Any thread. */
    public int busy(Predicate<Thread> which) {
        int busy = 0;
        for (Worker worker : present()) {
            if (worker.running.get() != null && which.test(worker.thread)) {
                busy++;
            }
        }
        return busy;
    }

    public int count() {
        return places.length();
    }

    /** The activity of each worker; a snapshot. Any thread. */
    public List<Doing> doing() {
        List<Doing> all = new ArrayList<>();
        for (Worker worker : present()) {
            Job job = worker.running.get();
            all.add(new Doing(worker.thread, job, job == null ? 0 : queue.nanos() - job.since(worker.since)));
        }
        return all;
    }

    private List<Worker> present() {
        List<Worker> present = new ArrayList<>(places.length());
        for (int place = 0; place < places.length(); place++) {
            present.add(places.get(place));
        }
        return present;
    }

    /** Starts the workers that do not run yet. */
    public void start() {
        start(count());
    }

    /** Starts the workers of the first places that do not run yet. */
    public void start(int first) {
        for (Worker worker : present().subList(0, Math.min(first, count()))) {
            if (worker.thread.getState() == Thread.State.NEW) {
                worker.thread.start();
            }
        }
    }

    /** Replaces all workers by new threads, one after another, each as soon as it is idle. Does not wait. */
    public void renew() {
        queue.relieve(present().stream().map(worker -> worker.thread).toList());
    }

    /**
     * Lets queued and running jobs end, for at most {@code patience}; then abandons the queued jobs and interrupts the workers.
     *
     * @throws InterruptedException if the thread was interrupted, which ends the wait; the workers end even then
     */
    public void stop(Duration patience) throws InterruptedException {
        try {
            finish(patience);
        } finally {
            queue.abandonRest(); // before the interrupts: otherwise interrupted workers could take queued jobs
            for (Worker worker : present()) {
                // Only busy workers are logged: an idle worker ends at once.
                if (worker.running.get() != null) {
                    LOG.warn("{} is still busy; it is interrupted", worker.thread.getName());
                }
                if (worker.thread.isAlive()) {
                    worker.thread.interrupt();
                }
            }
            try {
                join(System.nanoTime() + Saturated.nanos(Duration.ofSeconds(1)));
            } finally {
                queue.abandonRest();
            }
        }
    }

    /** Lets queued and running jobs end, for at most {@code patience}. Further jobs are refused. */
    public void finish(Duration patience) throws InterruptedException {
        queue.close();
        join(System.nanoTime() + Saturated.nanos(patience));
    }

    /** Waits for the end of all workers, including workers that replace others meanwhile. */
    private void join(long deadline) throws InterruptedException {
        for (int place = 0; place < places.length(); place++) {
            Thread thread = places.get(place).thread;
            long left = deadline - System.nanoTime();
            while (thread.isAlive() && left > 0) {
                thread.join(Math.max(1, left / 1_000_000));
                thread = places.get(place).thread;
                left = deadline - System.nanoTime();
            }
        }
    }

    /** A platform thread of a worker. Its class distinguishes it from the threads of applications. It inherits nothing. */
    private static final class WorkerThread extends Thread {
        private final Worker worker;

        WorkerThread(Worker worker, String name) {
            super(null, worker, name, 0, false);
            this.worker = worker;
            setDaemon(false);
        }
    }

    /** A worker, with its thread. It publishes its activity. */
    private final class Worker implements Runnable {
        private final int place;
        final Thread thread;

        /** Whether the worker has ended its work. Used by its own thread only. */
        private boolean done;

        // Written by the worker alone, in this order, without a full fence. A reader may see the start time of the next
        // job with the present job.
        long since;
        final AtomicReference<@Nullable Job> running = new AtomicReference<>();

        Worker(int place) {
            this.place = place;
            String name = prefix + "worker-" + (place + 1);
            thread = kind == ThreadKind.VIRTUAL ? ThreadKind.unstarted(name, this) : new WorkerThread(this, name);
            thread.setContextClassLoader(loader);
        }

        @Override
        public void run() {
            if (kind == ThreadKind.VIRTUAL) {
                OF_VIRTUAL.set(this);
            }
            do {
                worksOn();
            } while (queue.isLeaving(thread) && !handedOver());
        }

        boolean takesFrom(RequestQueue other) {
            return queue == other;
        }

        long nanosInJob() {
            return queue.nanos() - since;
        }

        private void worksOn() {
            done = false;
            rounds.repeat("A worker's round failed; the worker continues", this::goesOn, this::takeOne);
        }

        private boolean goesOn() {
            return !done;
        }

        /** Takes a job and runs it. A method of its own, so that the stack of a waiting worker references no former job. */
        private void takeOne() {
            Job job = queue.take();
            if (job == null) {
                done = true;
            } else {
                work(job);
            }
        }

        private void work(Job job) {
            since = queue.nanos();
            running.setRelease(job);
            try {
                job.run();
            } catch (Throwable t) {
                // Jobs handle their own failures, so this is a defect of the server. The thread continues.
                rounds.survived("A job failed unexpectedly; the worker continues", t);
            } finally {
                running.setRelease(null);
                queue.done(job);
                Thread.interrupted(); // an application's interrupt must not hit the next request
            }
        }

        /** Replaces this thread by a new one; returns whether that was possible. */
        private boolean handedOver() {
            try {
                Worker successor = new Worker(place);
                successor.thread.start();
                places.set(place, successor);
                return true;
            } catch (OutOfMemoryError e) {
                // No thread can be made now, so the old worker stays.
                LOG.warn("{} is not replaced by a new thread: {}", thread.getName(), e.toString());
                return false;
            } finally {
                queue.tookOver();
            }
        }
    }
}
