package io.penstock.work;

import org.jspecify.annotations.Nullable;

/** A task for a worker. */
public interface Job {

    void run();

    /** Whether the job may make its worker wait for a client; such jobs get a bounded share of the workers. */
    default boolean isStreaming() {
        return false;
    }

    /**
     * Whether its worker is expected to wait for the disk. Such jobs hold a bounded share of the workers. The answer may change while the
     * job waits. Any thread; must not wait.
     */
    default boolean isSpooling() {
        return false;
    }

    /** The share of the workers that the job's bulkhead has; null if it has none. The answer never changes. Any thread. */
    default @Nullable WorkerShare share() {
        return null;
    }

    /** No worker will run the job, since the workers have ended. */
    void abandon();

    /**
     * The overloaded queue has dropped this request, since it is among the requests that have waited longest. Only called for requests.
     * Any thread; must not block.
     */
    default void outdated() {
        abandon();
    }

    /** A description of the job for operators; any thread. */
    default String describe() {
        return "a job";
    }

    /**
     * When the current part of the job began, for a job of several parts; any thread.
     *
     * @param taken when its worker took it, by {@link RequestQueue#nanos}
     */
    default long since(long taken) {
        return taken;
    }
}
