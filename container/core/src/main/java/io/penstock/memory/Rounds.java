package io.penstock.memory;

import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards the threads that live as long as their server. A thread works in rounds. Whatever a round throws ends that round, and with it one
 * connection or task, but never the thread: not want of memory either, not even where there is none to log the failure.
 *
 * <p>Thread: any.
 */
public final class Rounds {
    private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);

    /** For others to give memory back, and so that a thread that always fails leaves the processor to them. */
    private static final long REST = TimeUnit.MILLISECONDS.toNanos(10);

    private final MemoryWatch memory;

    /** @param memory gets everything that rounds throw */
    public Rounds(MemoryWatch memory) {
        this.memory = memory;
    }

    /** Rounds that nobody watches, of parts that are used alone. */
    public static Rounds unwatched() {
        return new Rounds(new MemoryWatch(() -> LOG.error("Out of memory")));
    }

    public MemoryWatch memory() {
        return memory;
    }

    /** Does {@code round} again and again for as long as {@code goesOn}. After a round that has thrown it rests for a moment. */
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

    /** Does {@code part}, which may throw. */
    public void contain(String failure, Runnable part) {
        try {
            part.run();
        } catch (Throwable t) {
            survived(failure, t);
        }
    }

    /**
     * A round has thrown, and its thread goes on. Throws nothing.
     *
     * @param failure what has failed, for the log
     */
    public void survived(String failure, Throwable thrown) {
        try {
            memory.met(thrown);
        } catch (Throwable again) {
            say("Want of memory could not be counted", again);
        }
        say(failure, thrown);
    }

    private static void say(String what, Throwable thrown) {
        try {
            LOG.error(what, thrown);
        } catch (Throwable unsaid) {
            // The log has no memory, or no stack. The failure has been counted, and the thread has to live.
            rest();
        }
    }

    /**
     * Runs the work of one of a pool's threads. A pool replaces a thread that dies, but not where there is no memory for another one: then
     * this thread stays until the pool has one, or has nothing to do.
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
