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
 * The fixed set of threads that run jobs. The number of threads is independent of the number of clients. A worker can be renewed: a new
 * thread of the same name replaces the thread of the worker. The thread locals that jobs have left in the former thread are lost with that
 * thread.
 *
 * <p>The workers can also be virtual threads. The number of virtual threads is also fixed, and each of these workers runs one job after
 * another.
 *
 * <p>Thread: the thread that starts or stops the server calls {@link #start} and {@link #stop}. Any thread may call {@link #renew}.
 */
public final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /**
     * The worker of the calling virtual thread. Not used for platform threads, since {@link WorkerThread} has a reference to its worker.
     */
    private static final ThreadLocal<@Nullable Worker> OF_VIRTUAL = new ThreadLocal<>();

    private final RequestQueue queue;
    private final String prefix;
    private final Rounds rounds;
    private final ThreadKind kind;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /**
     * All workers. The index of a worker is its place. A worker that ends starts its successor, and then puts the successor at the same
     * place.
     */
    private final AtomicReferenceArray<Worker> places;

    /**
     * The activity of one worker at one moment.
     *
     * @param thread the thread of the worker
     * @param job the running job of the worker, or null
     * @param nanos the nanoseconds since the job began; 0 without a job
     */
    public record Doing(Thread thread, @Nullable Job job, long nanos) {}

    /**
     * @param prefix the prefix of the threads' names
     * @param rounds the object that keeps the threads running after unexpected exceptions
     */
    public Workers(RequestQueue queue, int count, String prefix, Rounds rounds) {
        this(queue, count, prefix, rounds, ThreadKind.PLATFORM);
    }

    /** As the constructor without {@code kind}, but with threads of this kind. */
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

    /**
     * Whether the thread is a platform thread and a worker of any server in this process. Such a thread does not belong to an application,
     * even while the thread runs code of the application.
     */
    public static boolean isWorker(Thread thread) {
        return thread instanceof WorkerThread;
    }

    /** The nanoseconds since the calling worker began its current job; {@link Long#MAX_VALUE} if the calling thread is not a worker. */
    public static long nanosInJob() {
        Worker worker = current();
        return worker == null ? Long.MAX_VALUE : worker.nanosInJob();
    }

    /** The number of workers that run a job; a snapshot. Any thread. */
    public int busy() {
        return busy(thread -> true);
    }

    /** The number of workers that run a job and whose threads match the predicate. Any thread. */
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

    /** Starts the workers that have not been started yet. */
    public void start() {
        start(count());
    }

    /** Starts workers of the places 0 to {@code first - 1}, if they have not been started yet. */
    public void start(int first) {
        for (Worker worker : present().subList(0, Math.min(first, count()))) {
            if (worker.thread.getState() == Thread.State.NEW) {
                worker.thread.start();
            }
        }
    }

    /**
     * Replaces the threads of all workers by new threads, one after another. Each worker is replaced as soon as it is idle. Returns at
     * once.
     */
    public void renew() {
        queue.retire(present().stream().map(worker -> worker.thread).toList());
    }

    /**
     * Waits at most {@code patience} for the end of queued and running jobs. Then abandons the queued jobs and interrupts the workers.
     *
     * @throws InterruptedException if the calling thread was interrupted. The interrupt ends the wait, and the workers are stopped in this
     *     case, too
     */
    public void stop(Duration patience) throws InterruptedException {
        try {
            finish(patience);
        } finally {
            // The queued jobs are removed before the interrupts. Otherwise interrupted workers could take queued jobs.
            queue.abandonRest();
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

    /** Closes the queue, so that further jobs are refused. Then waits at most {@code patience} for the end of queued and running jobs. */
    public void finish(Duration patience) throws InterruptedException {
        queue.close();
        join(System.nanoTime() + Saturated.nanos(patience));
    }

    /** Waits for the end of all workers, including workers that replace other workers during the wait. */
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

    /** The platform thread of a worker. {@link #isWorker} recognizes workers by this class. The thread does not inherit thread locals. */
    private static final class WorkerThread extends Thread {
        private final Worker worker;

        WorkerThread(Worker worker, String name) {
            super(null, worker, name, 0, false);
            this.worker = worker;
            setDaemon(false);
        }
    }

    /** A worker and its thread. Other threads can read the running job and its start time. */
    private final class Worker implements Runnable {
        private final int place;
        final Thread thread;

        /** Whether the worker must not take more jobs. Used by the thread of the worker only. */
        private boolean done;

        // Only the worker writes these two fields: first `since`, then `running`. There is no full fence, so another
        // thread can see the start time of the next job together with the current job.
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
            rounds.repeat("A worker's round failed; the worker continues", this::resumed, this::takeOne);
        }

        private boolean resumed() {
            return !done;
        }

        /**
         * Takes a job and runs the job. The job is a local variable of this method, so a waiting worker keeps no reference to its previous
         * job.
         */
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
                // Jobs handle their own failures, so this exception is a defect of the server. The worker continues.
                rounds.handle("A job failed unexpectedly; the worker continues", t);
            } finally {
                running.setRelease(null);
                queue.done(job);
                // Clear the interrupt status: an interrupt by an application must not affect the next request.
                Thread.interrupted();
            }
        }

        /** Replaces this thread by a new thread. Returns whether the new thread could be created. */
        private boolean handedOver() {
            try {
                Worker successor = new Worker(place);
                successor.thread.start();
                places.set(place, successor);
                return true;
            } catch (OutOfMemoryError e) {
                // No thread can be created now, so this worker continues.
                LOG.warn("{} is not replaced by a new thread: {}", thread.getName(), e.toString());
                return false;
            } finally {
                queue.tookOver();
            }
        }
    }
}
