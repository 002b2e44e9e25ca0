package io.penstock.work;

import org.jspecify.annotations.Nullable;

/** A job that a test queues, and takes in place of a worker. */
class QueuedJob implements Job {
    final @Nullable Mapping mapping;
    final @Nullable Lane lane;
    final boolean streaming;

    /** Whether the queue has dropped the job. */
    boolean outdated;

    QueuedJob() {
        this(null, null, false);
    }

    QueuedJob(@Nullable Mapping mapping) {
        this(mapping, null, false);
    }

    QueuedJob(@Nullable Mapping mapping, @Nullable Lane lane, boolean streaming) {
        this.mapping = mapping;
        this.lane = lane;
        this.streaming = streaming;
    }

    @Override
    public void run() {
        throw new AssertionError("the test runs no jobs");
    }

    @Override
    public @Nullable Mapping mapping() {
        return mapping;
    }

    @Override
    public @Nullable Lane lane() {
        return lane;
    }

    @Override
    public boolean isStreaming() {
        return streaming;
    }

    @Override
    public void abandon() {
        throw new AssertionError("abandoned");
    }

    @Override
    public void outdated() {
        outdated = true;
    }
}
