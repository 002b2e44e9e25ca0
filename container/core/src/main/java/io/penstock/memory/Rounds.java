package io.penstock.memory;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps threads of the server alive after exceptions. Such a thread repeats a piece of work, which is called a round. An exception ends
 * only the current round, with its connection or task. The thread continues. This is also true for an {@link OutOfMemoryError}, even if no
 * memory is left for a log message.
 *
 * <p>Thread: any.
 */
public final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

    /**
     * The time that a thread waits after a failed round. Other threads can release memory in this time. Without the pause, a thread whose
     * rounds always fail would use a whole processor.
     */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(10);

    private final MemoryWatch memory;

    /** @param memory gets all exceptions of rounds */
    public Rounds(MemoryWatch memory) {
        this.memory = memory;
    }

    /** Makes an object for a component that is used without a server. A shortage of memory is only logged. */
    public static Rounds unwatched() {
        return new Rounds(new MemoryWatch(() -> LOG.error("Out of memory")));
    }

    public MemoryWatch memory() {
        return memory;
    }

    /**
     * Runs {@code round} again and again, as long as {@code condition} returns true. After a round that threw an exception, the thread waits
     * for {@link #REST}.
     */
    public void repeat(String failure, BooleanSupplier condition, Runnable round) {
        while (condition.getAsBoolean()) {
            try {
                round.run();
            } catch (Throwable t) {
                handle(failure, t);
                rest();
            }
        }
    }

    /** Runs {@code part}, and handles its exceptions with {@link #handle}. */
    public void contain(String failure, Runnable part) {
        try {
            part.run();
        } catch (Throwable t) {
            handle(failure, t);
        }
    }

    /**
     * Logs an exception that has ended a round, and passes the exception to {@link MemoryWatch#met}. This method throws no exception.
     *
     * @param failure a message for the log
     */
    public void handle(String failure, Throwable thrown) {
        try {
            memory.met(thrown);
        } catch (Throwable again) {
            log("A shortage of memory could not be counted", again);
        }
        log(failure, thrown);
    }

    private static void log(String what, Throwable thrown) {
        try {
            LOG.error(what, thrown);
        } catch (Throwable unsaid) {
            // The log call failed, because memory or stack is exhausted. The failure has already been counted. The
            // thread continues.
            rest();
        }
    }

    /**
     * Runs the work of one thread of a pool. The pool normally starts a new thread when its last thread ends and tasks wait. If no memory
     * is left for a new thread, the waiting tasks would never run. So this thread ends only when the pool has another thread, has no
     * waiting tasks, or is shut down.
     */
    public void workFor(ThreadPoolExecutor pool, String failure, Runnable work) {
        contain(failure, work);
        while (!pool.isShutdown() && pool.getPoolSize() == 0 && !pool.getQueue().isEmpty()) {
            contain(failure, pool::prestartCoreThread);
            rest();
        }
    }

    private static void rest() {
        LockSupport.parkNanos(REST);
    }
}
