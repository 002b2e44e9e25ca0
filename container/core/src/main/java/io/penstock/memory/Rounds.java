package io.penstock.memory;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the threads that live as long as their server. Such a thread works in rounds. An exception ends the current round, and so one
 * connection or task, but never the thread. This includes an {@link OutOfMemoryError}, even if no memory is left to log it.
 *
 * <p>Thread: any.
 */
public final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

    /** Gives other threads time to release memory, and keeps a thread that always fails from using a whole processor. */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(10);

    private final MemoryWatch memory;

    /** @param memory is notified of all exceptions of rounds */
    public Rounds(MemoryWatch memory) {
        this.memory = memory;
    }

    /** Rounds without a watch, for components that are used alone. */
    public static Rounds unwatched() {
        return new Rounds(new MemoryWatch(() -> LOG.error("Out of memory")));
    }

    public MemoryWatch memory() {
        return memory;
    }

    /** Runs {@code round} repeatedly while {@code goesOn} returns true. After a round that has thrown, the thread rests for a moment. */
    public void repeat(String failure, BooleanSupplier goesOn, Runnable round) {
        while (goesOn.getAsBoolean()) {
            try {
                round.run();
            } catch (Throwable t) {
                survived(failure, t);
                rest();
            }
        }
    }

    /** Runs {@code part}, which may throw. */
    public void contain(String failure, Runnable part) {
        try {
            part.run();
        } catch (Throwable t) {
            survived(failure, t);
        }
    }

    /**
     * Handles an exception that has ended a round; the thread continues. Throws nothing.
     *
     * @param failure a message for the log
     */
    public void survived(String failure, Throwable thrown) {
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
            // Logging has failed for lack of memory or stack. The failure has been counted. The thread continues.
            rest();
        }
    }

    /**
     * Runs the work of one thread of a pool. A pool replaces a thread that dies, but it cannot do so if there is no memory for a new
     * thread. So this thread stays until the pool has another thread, or has no work left.
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
