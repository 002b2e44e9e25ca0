package io.penstock.spool;

import io.penstock.memory.DetachedThread;
import io.penstock.memory.Rounds;
import io.penstock.time.RateLimitedLog;
import io.penstock.time.Saturated;
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
 * The threads that run all operations on the files of the {@link Spool}. The number of writes that wait or run is limited, for the whole
 * spool and for each bulkhead ({@link SpoolShare}). A write above the limit is refused, and {@link #whenRoom} notifies the caller when
 * there is room. The close of a file is always accepted.
 *
 * <p>Thread: any. An idle thread ends after 30 seconds.
 */
final class SpoolThreads {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolThreads.class);
    private static final String FAILURE = "A task of a spool thread failed unexpectedly";
    private static final long IDLE_SECONDS = 30;

    /** The result of an offered write. */
    enum Taken {
        YES,
        /** Too many writes wait or run. */
        BUSY,
        /** The server has stopped. */
        ENDED,
        /** No thread runs, and no thread can be started. */
        NO_THREAD
    }

    /**
     * A task that runs at most once. If the executor fails to start a thread, it is not known whether the executor has put the task into
     * its queue. So the task can be canceled.
     */
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

        /** Cancels the task. Returns true if the task has not run; it will then never run. */
        boolean cancel() {
            return task.getAndSet(null) != null;
        }
    }

    private final ThreadPoolExecutor executor;
    private final Rounds rounds;
    private final SpoolShare all;
    private final Consumer<Runnable> contained = this::contain;
    private final RateLimitedLog complaints = new RateLimitedLog();

    /**
     * @param threads the maximum number of concurrent operations
     * @param queue the maximum number of writes that wait or run
     * @param prefix the first part of the threads' names
     * @param rounds runs the tasks, and catches their exceptions
     */
    SpoolThreads(int threads, int queue, String prefix, Rounds rounds) {
        this(pool(threads, prefix, rounds), queue, rounds);
    }

    /** @param executor an executor with an unbounded queue */
    SpoolThreads(ThreadPoolExecutor executor, int queue, Rounds rounds) {
        this.executor = executor;
        this.rounds = rounds;
        this.all = new SpoolShare(queue);
    }

    private static ThreadPoolExecutor pool(int threads, String prefix, Rounds rounds) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor pool =
                new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
        pool.setThreadFactory(task -> DetachedThread.of(
                () -> rounds.workFor(pool, FAILURE, task), prefix + "spool-" + number.incrementAndGet()));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Runs {@code write} on a spool thread, if the limits allow this.
     *
     * @param share the share of the write's bulkhead; null if the write belongs to no bulkhead
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
     * Runs {@code task} on a spool thread, regardless of the limits. If the server has stopped or no thread can be started, the calling
     * thread runs the task.
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
     * Runs {@code action} once, when there is possibly room for a refused write of this share. If there is room now, the action runs in
     * this call. The repeated write can be refused again, if another write was faster. The action must not block.
     */
    void whenRoom(@Nullable SpoolShare share, Runnable action) {
        // If the repeated write is refused again, its action waits at the share that is full at that time.
        SpoolShare full = share != null && share.isFull() ? share : all;
        full.whenRoom(action, contained);
    }

    /** Changes the maximum number of concurrent operations. */
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

    /** The number of writes that wait or run. */
    int pending() {
        return all.pending();
    }

    /**
     * Accepts no more writes, and waits until the accepted operations have ended. Returns false if some operations have not ended after the
     * time {@code patience}.
     */
    boolean stop(Duration patience) throws InterruptedException {
        executor.shutdown();
        return executor.awaitTermination(Saturated.nanos(patience), TimeUnit.NANOSECONDS);
    }

    /**
     * Counts a write if the limits allow this. The share of the bulkhead is checked first. So a write of a full bulkhead is never counted
     * in the share of all writes.
     */
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

    /** Runs a task and logs its exception. The thread continues with other tasks. */
    private void contain(Runnable task) {
        rounds.contain(FAILURE, task);
    }
}
