package io.penstock.work;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The fixed set of threads that run jobs. Their number has nothing to do with the number of clients.
 *
 * <p>Thread: {@link #start} and {@link #stop} by the server's owner.
 */
public final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private final RequestQueue queue;
    private final List<Worker> threads = new ArrayList<>();

    /**
     * What one worker does at one moment.
     *
     * @param job what it runs, or null
     * @param nanos since that began
     */
    public record Doing(Thread thread, @Nullable Job job, long nanos) {}

    public Workers(RequestQueue queue, int count) {
        this.queue = queue;
        for (int i = 1; i <= count; i++) {
            threads.add(new Worker("worker-" + i));
        }
    }

    /** Whether the calling thread is a worker, of which there are few. */
    public static boolean isCurrent() {
        return Thread.currentThread() instanceof Worker;
    }

    /** Workers that run something; a snapshot. Any thread. */
    public int busy() {
        int busy = 0;
        for (Worker worker : threads) {
            if (worker.running.get() != null) {
                busy++;
            }
        }
        return busy;
    }

    public int count() {
        return threads.size();
    }

    /** What each does; a snapshot. Any thread. */
    public List<Doing> doing() {
        List<Doing> all = new ArrayList<>();
        for (Worker worker : threads) {
            Job job = worker.running.get();
            all.add(new Doing(worker, job, job == null ? 0 : System.nanoTime() - job.since(worker.since)));
        }
        return all;
    }

    public void start() {
        threads.forEach(Thread::start);
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
            for (Thread thread : threads) {
                if (thread.isAlive()) {
                    LOG.warn("{} is still busy; it is interrupted", thread.getName());
                    thread.interrupt();
                }
            }
            try {
                join(System.nanoTime() + Duration.ofSeconds(1).toNanos());
            } finally {
                queue.abandonRest();
            }
        }
    }

    /** Lets what is queued and what runs come to its end, at most for {@code patience}. Nothing is queued any more. */
    public void finish(Duration patience) throws InterruptedException {
        queue.close();
        join(System.nanoTime() + patience.toNanos());
    }

    private void join(long deadline) throws InterruptedException {
        for (Thread thread : threads) {
            long left = deadline - System.nanoTime();
            if (thread.isAlive() && left > 0) {
                thread.join(Math.max(1, left / 1_000_000));
            }
        }
    }

    /** A thread of this class can be told from an application's own threads. It says what it does at the moment. */
    private final class Worker extends Thread {
        // Written by the worker alone, in this order, without waiting for the memory of others: who looks may see the
        // time of the next.
        long since;
        final AtomicReference<@Nullable Job> running = new AtomicReference<>();

        Worker(String name) {
            super(name);
        }

        @Override
        public void run() {
            for (Job job = queue.take(); job != null; job = queue.take()) {
                since = System.nanoTime();
                running.setRelease(job);
                try {
                    job.run();
                } catch (Throwable t) {
                    // The one catch-all of this thread: a job contains its own failures, so this one is ours.
                    LOG.error("A job failed where none may; the worker goes on", t);
                } finally {
                    running.setRelease(null);
                    queue.done(job);
                    Thread.interrupted(); // an application's interrupt must not hit the next request
                }
            }
        }
    }
}
