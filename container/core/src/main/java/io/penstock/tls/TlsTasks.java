package io.penstock.tls;

import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.memory.DetachedThread;
import io.penstock.memory.Rounds;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads for the long calculations of TLS handshakes. On the thread of a reactor, these calculations would delay all clients of the
 * reactor. The number of tasks is limited. A task above the limit is refused, because its client would have to wait too long.
 *
 * <p>Thread: any. An idle thread ends after 30 seconds. A server without TLS has no such threads.
 */
final class TlsTasks {
    private static final String FAILURE = "A task of a TLS handshake failed unexpectedly";
    private static final long IDLE_SECONDS = 30;

    private final int most;
    private final ThreadPoolExecutor executor;
    private final Rounds rounds;
    private final Counters counters;
    private final AtomicInteger taken = new AtomicInteger();

    /**
     * @param threads the maximum number of threads
     * @param most the maximum number of tasks that wait or run
     * @param prefix the first part of the threads' names
     * @param rounds runs the tasks, and catches their exceptions
     */
    TlsTasks(int threads, int most, Counters counters, String prefix, Rounds rounds) {
        this.most = most;
        this.counters = counters;
        this.rounds = rounds;
        AtomicInteger number = new AtomicInteger();
        executor =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        executor.setThreadFactory(task -> DetachedThread.of(
                () -> rounds.workFor(executor, FAILURE, task), prefix + "tls-" + number.incrementAndGet()));
        executor.allowCoreThreadTimeOut(true);
    }

    /**
     * Runs {@code task} on one of the threads, and returns true. Returns false and does not run the task if too many tasks wait or run, or
     * if the server has stopped.
     */
    boolean offer(Runnable task) {
        if (taken.incrementAndGet() > most) {
            taken.decrementAndGet();
            counters.reached(Key.TLS_TASKS);
            return false;
        }
        boolean accepted = false;
        try {
            executor.execute(() -> run(task));
            accepted = true;
        } catch (RejectedExecutionException e) {
            // The server has stopped.
            return false;
        } finally {
            if (!accepted) {
                taken.decrementAndGet();
            }
        }
        return true;
    }

    private void run(Runnable task) {
        try {
            rounds.contain(FAILURE, task);
        } finally {
            taken.decrementAndGet();
        }
    }

    /** The number of tasks that wait or run. */
    int pending() {
        return taken.get();
    }

    /** Stops the threads. The waiting tasks are dropped, because all connections are closed. Running tasks end soon. */
    void stop() throws InterruptedException {
        taken.addAndGet(-executor.shutdownNow().size());
        executor.awaitTermination(IDLE_SECONDS, TimeUnit.SECONDS);
    }
}
