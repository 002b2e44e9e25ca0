package io.penstock.work;

import org.jspecify.annotations.Nullable;

/** A task for a worker. */
public interface Job {

    void run();

    /** Whether the job can make its worker wait for a client. The number of workers that run such jobs is limited. */
    default boolean isStreaming() {
        return false;
    }

    /**
     * Whether the worker of the job is expected to wait for the disk. The number of workers that run such jobs is limited. The result can
     * change while the job waits in the queue. Any thread. Must not block.
     */
    default boolean isSpooling() {
        return false;
    }

    /** The lane of the job's bulkhead; null if the job belongs to no bulkhead. The result never changes. Any thread. */
    default @Nullable Lane lane() {
        return null;
    }

    /** The mapping for which the job counts; null if it counts for none. The result never changes. Any thread. */
    default @Nullable Mapping mapping() {
        return null;
    }

    /** Called if no worker will run the job, since the workers have ended. */
    void abandon();

    /**
     * The overloaded queue has dropped this request, because it was one of the requests that have waited longest. Called only for requests.
     * Any thread. Must not block.
     */
    default void outdated() {
        abandon();
    }

    /** A description of the job for operators. Any thread. */
    default String describe() {
        return "a job";
    }

    /**
     * The time when the current part of the job began, if the job has several parts. Otherwise {@code taken}. Any thread.
     *
     * @param taken the time when the worker took the job, by {@link RequestQueue#nanos}
     */
    default long since(long taken) {
        return taken;
    }
}
