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
 * The fixed set of threads that run jobs. Their number has nothing to do with the number of clients. Each has a place, and can be renewed
 * in it: another thread of the same name goes on, so that what a job has left at the thread goes with the former one.
 *
 * <p>Thread: {@link #start} and {@link #stop} by the server's owner; {@link #renew} any.
 */
public final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private final RequestQueue queue;
    private final String prefix;
    private final Rounds rounds;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /** Who is where. Only the thread of a place puts another there, which runs already. */
    private final AtomicReferenceArray<Worker> places;

    /**
     * What one worker does at one moment.
     *
     * @param job what it runs, or null
     * @param nanos since that began
     */
    public record Doing(Thread thread, @Nullable Job job, long nanos) {}

    /**
     * @param prefix what the names of the threads begin with
     * @param rounds guard its threads
     */
    public Workers(RequestQueue queue, int count, String prefix, Rounds rounds) {
        this.rounds = rounds;
        this.queue = queue;
        this.prefix = prefix;
        this.places = new AtomicReferenceArray<>(count);
        for (int place = 0; place < count; place++) {
            places.set(place, new Worker(place));
        }
    }

    /** Whether the calling thread is a worker, of which there are few. */
    public static boolean isCurrent() {
        return isWorker(Thread.currentThread());
    }

    /** Whether the thread is one of some server's workers, and so none of an application. */
    public static boolean isWorker(Thread thread) {
        return thread instanceof Worker;
    }

    /** Workers that run something; a snapshot. Any thread. */
    public int busy() {
        return busy(thread -> true);
    }

    /** Of these, those with that property. Any thread. */
    public int busy(Predicate<Thread> which) {
        int busy = 0;
        for (Worker worker : present()) {
            if (worker.running.get() != null && which.test(worker)) {
                busy++;
            }
        }
        return busy;
    }

    public int count() {
        return places.length();
    }

    /** What each does; a snapshot. Any thread. */
    public List<Doing> doing() {
        List<Doing> all = new ArrayList<>();
        for (Worker worker : present()) {
            Job job = worker.running.get();
            all.add(new Doing(worker, job, job == null ? 0 : System.nanoTime() - job.since(worker.since)));
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

    /** Starts those that do not run yet. */
    public void start() {
        for (Worker worker : present()) {
            if (worker.getState() == Thread.State.NEW) {
                worker.start();
            }
        }
    }

    /** Puts new threads in the places of all, one after another, each when it has nothing to do. Does not wait for it. */
    public void renew() {
        queue.relieve(present());
    }

    /**
     * Lets what is queued and what runs come to its end, at most for {@code patience}; then abandons, and interrupts.
     *
     * @throws InterruptedException if the thread was interrupted, which ends its waits; all the same the workers end
     */
    public void stop(Duration patience) throws InterruptedException {
        try {
            finish(patience);
        } finally {
            queue.abandonRest(); // before the interrupts, which would let workers take it
            for (Worker worker : present()) {
                if (worker.running.get() != null) { // else it is about to end, on a busy machine perhaps not yet
                    LOG.warn("{} is still busy; it is interrupted", worker.getName());
                }
                if (worker.isAlive()) {
                    worker.interrupt();
                }
            }
            try {
                join(System.nanoTime() + Saturated.nanos(Duration.ofSeconds(1)));
            } finally {
                queue.abandonRest();
            }
        }
    }

    /** Lets what is queued and what runs come to its end, at most for {@code patience}. Nothing is queued any more. */
    public void finish(Duration patience) throws InterruptedException {
        queue.close();
        join(System.nanoTime() + Saturated.nanos(patience));
    }

    /** Waits for the end of all, also of those that come in the place of others meanwhile. */
    private void join(long deadline) throws InterruptedException {
        for (int place = 0; place < places.length(); place++) {
            Worker worker = places.get(place);
            long left = deadline - System.nanoTime();
            while (worker.isAlive() && left > 0) {
                worker.join(Math.max(1, left / 1_000_000));
                worker = places.get(place);
                left = deadline - System.nanoTime();
            }
        }
    }

    /** A thread of this class can be told from an application's own threads. It says what it does at the moment. */
    private final class Worker extends Thread {
        private final int place;

        /** Whether there is nothing more for it; its own. */
        private boolean done;

        // Written by the worker alone, in this order, without waiting for the memory of others: who looks may see the
        // time of the next.
        long since;
        final AtomicReference<@Nullable Job> running = new AtomicReference<>();

        /** Nothing is inherited from the thread that calls. */
        Worker(int place) {
            super(null, null, prefix + "worker-" + (place + 1), 0, false);
            this.place = place;
            setDaemon(false);
            setContextClassLoader(loader);
        }

        @Override
        public void run() {
            do {
                worksOn();
            } while (queue.isLeaving(this) && !handedOver());
        }

        private void worksOn() {
            done = false;
            rounds.repeat("A worker's round failed; it goes on", this::goesOn, this::takeOne);
        }

        private boolean goesOn() {
            return !done;
        }

        /** Takes a job and does it. In a frame of its own, so that a worker who waits holds nothing of the job before. */
        private void takeOne() {
            Job job = queue.take();
            if (job == null) {
                done = true;
            } else {
                work(job);
            }
        }

        private void work(Job job) {
            since = System.nanoTime();
            running.setRelease(job);
            try {
                job.run();
            } catch (Throwable t) {
                // The one catch-all of this thread: a job contains its own failures, so this one is ours.
                rounds.survived("A job failed where none may; the worker goes on", t);
            } finally {
                running.setRelease(null);
                queue.done(job);
                Thread.interrupted(); // an application's interrupt must not hit the next request
            }
        }

        /** Puts another in this one's place; whether that was possible. */
        private boolean handedOver() {
            try {
                Worker successor = new Worker(place);
                successor.start();
                places.set(place, successor);
                return true;
            } catch (OutOfMemoryError e) { // no thread can be made now: better an old worker than none
                LOG.warn("{} is not renewed: {}", getName(), e.toString());
                return false;
            } finally {
                queue.tookOver();
            }
        }
    }
}
