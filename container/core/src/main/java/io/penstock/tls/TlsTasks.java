package io.penstock.tls;

import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.memory.Rounds;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The few threads for the long calculations of handshakes. On a reactor, these would delay all its clients. The number of tasks is limited,
 * and a task beyond the limit is refused, since its client would wait too long.
 *
 * <p>Thread: any. An idle thread ends after a while; without TLS there is none.
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
     * @param threads that run tasks at one time
     * @param most tasks that wait or run
     * @param prefix of the threads' names
     * @param rounds guards the threads
     */
    TlsTasks(int threads, int most, Counters counters, String prefix, Rounds rounds) {
        this.most = most;
        this.counters = counters;
        this.rounds = rounds;
        AtomicInteger number = new AtomicInteger();
        executor =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        executor.setThreadFactory(task ->
                thread(() -> rounds.workFor(executor, FAILURE, task), prefix + "tls-" + number.incrementAndGet()));
        executor.allowCoreThreadTimeOut(true);
    }

    /** The thread inherits nothing, since it may outlive the application that has started the server in its own thread. */
    @SuppressWarnings("removal")
    private static Thread thread(Runnable task, String name) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            Thread thread = new Thread(null, task, name, 0, false);
            thread.setContextClassLoader(TlsTasks.class.getClassLoader());
            return thread;
        });
    }

    /**
     * Runs {@code task} on one of these threads. Returns false if too many tasks wait or run, or if the server has ended; then the task
     * does not run.
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
        } catch (RejectedExecutionException e) { // the server has ended
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

    /** Tasks that wait or run. */
    int pending() {
        return taken.get();
    }

    /** Drops the waiting tasks, since no connection is left. Running tasks end soon. */
    void stop() throws InterruptedException {
        taken.addAndGet(-executor.shutdownNow().size());
        executor.awaitTermination(IDLE_SECONDS, TimeUnit.SECONDS);
    }
}
