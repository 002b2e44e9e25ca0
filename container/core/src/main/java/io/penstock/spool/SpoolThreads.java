package io.penstock.spool;

import io.penstock.memory.Rounds;
import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.Saturated;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The few threads that run all operations on spool files. The number of writes is limited, in all and for each bulkhead. A write beyond a
 * limit is refused, and its caller is called back when there is room, since a selector thread must not write itself. Closing a file is
 * always accepted; the number of files limits it.
 *
 * <p>Thread: any. An idle thread ends after a while.
 */
final class SpoolThreads {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolThreads.class);
    private static final String FAILURE = "A task of a spool thread failed unexpectedly";
    private static final long IDLE_SECONDS = 30;
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    /** The result of an offered write. */
    enum Taken {
        YES,
        /** The limit is reached. */
        BUSY,
        /** The server has ended. */
        ENDED,
        /** No thread runs, and none can be made. */
        NO_THREAD
    }

    /** A task that runs at most once. A pool that fails to make a thread may or may not have kept the task. */
    private static final class Once implements Runnable {
        private final AtomicReference<@Nullable Runnable> task;

        Once(Runnable task) {
            this.task = new AtomicReference<>(task);
        }

        @Override
        public void run() {
            Runnable mine = task.getAndSet(null);
            if (mine != null) {
                mine.run();
            }
        }

        /** Cancels the task; returns true if it has not run and never will. */
        boolean cancel() {
            return task.getAndSet(null) != null;
        }
    }

    private final ThreadPoolExecutor executor;
    private final Rounds rounds;
    private final SpoolShare all;
    private final Consumer<Runnable> contained = this::contain;
    private final RateLimitedLog complaints = new RateLimitedLog(Clock.SYSTEM, BETWEEN_COMPLAINTS);

    /**
     * @param threads the most concurrent operations
     * @param queue the most writes that wait or run
     * @param prefix of the threads' names
     * @param rounds guards the threads
     */
    SpoolThreads(int threads, int queue, String prefix, Rounds rounds) {
        this(pool(threads, prefix, rounds), queue, rounds);
    }

    /** @param executor has an unbounded queue */
    SpoolThreads(ThreadPoolExecutor executor, int queue, Rounds rounds) {
        this.executor = executor;
        this.rounds = rounds;
        this.all = new SpoolShare(queue);
    }

    private static ThreadPoolExecutor pool(int threads, String prefix, Rounds rounds) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        pool.setThreadFactory(task ->
                thread(() -> rounds.workFor(pool, FAILURE, task), prefix + "spool-" + number.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * The thread inherits nothing, since it may outlive the application whose request causes it. Up to Java 23, the other constructors let
     * a thread refer to the classes on the stack that made it.
     */
    @SuppressWarnings("removal")
    private static Thread thread(Runnable task, String name) {
        return AccessController.doPrivileged((PrivilegedAction<Thread>) () -> {
            Thread thread = new Thread(null, task, name, 0, false);
            thread.setContextClassLoader(SpoolThreads.class.getClassLoader());
            return thread;
        });
    }

    /**
     * Runs {@code write} on a spool thread unless a limit is reached.
     *
     * @param share of the write's bulkhead; null if it has none
     */
    Taken offer(@Nullable SpoolShare share, Runnable write) {
        if (!tryTake(share)) {
            return Taken.BUSY;
        }
        Once accepted = new Once(() -> {
            try {
                contain(write);
            } finally {
                giveBack(share);
            }
        });
        try {
            executor.execute(accepted);
            return Taken.YES;
        } catch (RejectedExecutionException e) {
            giveBack(share);
            return Taken.ENDED;
        } catch (RuntimeException | Error e) { // for example, there is no memory for a thread
            complain(e);
            if (!accepted.cancel()) {
                return Taken.YES;
            }
            giveBack(share);
            return Taken.NO_THREAD;
        }
    }

    /**
     * Runs {@code task} on a spool thread regardless of the limit; on the calling thread if the server has ended or no thread can be made.
     */
    void execute(Runnable task) {
        Once accepted = new Once(() -> contain(task));
        try {
            executor.execute(accepted);
        } catch (RejectedExecutionException e) {
            accepted.run();
        } catch (RuntimeException | Error e) { // for example, there is no memory for a thread
            complain(e);
            accepted.run();
        }
    }

    private void complain(Throwable noThread) {
        long times = complaints.happened();
        if (times > 0) {
            LOG.error("No thread could be started for writes to disk ({} since the last message)", times, noThread);
        }
    }

    /**
     * Runs {@code action} once when a write of this share may be accepted again; at once if it may already. The write may be refused again
     * if another was faster. The action must not block.
     */
    void whenRoom(@Nullable SpoolShare share, Runnable action) {
        // If the action is refused again, it waits at the other share.
        SpoolShare full = share != null && share.isFull() ? share : all;
        full.whenRoom(action, contained);
    }

    /** Changes the number of concurrent operations. */
    void resize(int threads) {
        if (threads > executor.getMaximumPoolSize()) {
            executor.setMaximumPoolSize(threads);
            executor.setCorePoolSize(threads);
        } else {
            executor.setCorePoolSize(threads);
            executor.setMaximumPoolSize(threads);
        }
    }

    int threads() {
        return executor.getMaximumPoolSize();
    }

    /** Writes that wait or run. */
    int pending() {
        return all.pending();
    }

    /** Lets accepted operations end; returns whether they did in time. */
    boolean stop(Duration patience) throws InterruptedException {
        executor.shutdown();
        return executor.awaitTermination(Saturated.nanos(patience), TimeUnit.NANOSECONDS);
    }

    /** Takes a place in the bulkhead's share first. So a write of a full bulkhead takes no place of others, not even for a moment. */
    private boolean tryTake(@Nullable SpoolShare share) {
        if (share != null && !share.tryTake()) {
            return false;
        }
        if (all.tryTake()) {
            return true;
        }
        if (share != null) {
            share.giveBack(contained);
        }
        return false;
    }

    private void giveBack(@Nullable SpoolShare share) {
        all.giveBack(contained);
        if (share != null) {
            share.giveBack(contained);
        }
    }

    /** Logs an exception of a task; the thread continues with other tasks. */
    private void contain(Runnable task) {
        rounds.contain(FAILURE, task);
    }
}
