package io.penstock.work;

/** Something for a worker to do. */
public interface Job {

    void run();

    /** Whether the job may make its worker wait for a client; such jobs hold a bounded share of the workers. */
    default boolean isStreaming() {
        return false;
    }

    /** The job will not run: the workers have ended. */
    void abandon();

    /** No worker will begin the job, which has waited too long; told of requests only. Any thread, which it must not hold up. */
    default void outdated() {
        abandon();
    }

    /** What it is, for the operator who looks what the workers do; any thread. */
    default String describe() {
        return "a job";
    }

    /**
     * When what it is at this moment began, where it is one thing after the other; any thread.
     *
     * @param taken when its worker took it, by {@link System#nanoTime}
     */
    default long since(long taken) {
        return taken;
    }
}
