package io.penstock.tls;

import io.penstock.limits.Counters;
import io.penstock.limits.Tls.TlsLimits;
import io.penstock.memory.Rounds;

/**
 * The resources that all TLS connections of one server share: their buffers, and the threads and the share of memory for their
 * handshakes.
 *
 * <p>Thread: any. The owner of the server calls {@link #close} after all connections have been closed.
 */
public final class TlsResources {
    /** Handshakes that wait for their clients may hold a quarter of the memory budget. */
    private static final int SHARE = 4;

    private final TlsBuffers buffers;
    private final WaitingHandshakes waiting;
    private final TlsTasks tasks;

    /**
     * @param prefix the first part of the threads' names
     * @param rounds runs the tasks of the threads, and catches their exceptions
     */
    public TlsResources(TlsLimits limits, Counters counters, String prefix, Rounds rounds) {
        this.buffers = new TlsBuffers(limits.budget(), counters);
        this.waiting = new WaitingHandshakes(limits.budget() / SHARE, counters);
        this.tasks = new TlsTasks(limits.threads(), limits.tasks(), counters, prefix, rounds);
    }

    TlsBuffers buffers() {
        return buffers;
    }

    WaitingHandshakes waiting() {
        return waiting;
    }

    TlsTasks tasks() {
        return tasks;
    }

    /** The number of bytes in used buffers, and in the engines of unfinished handshakes. */
    public long bufferBytes() {
        return buffers.inUse();
    }

    /** The maximum number of these bytes. */
    public long budget() {
        return buffers.budget();
    }

    /** The number of handshake tasks that wait or run. */
    public long pendingTasks() {
        return tasks.pending();
    }

    public void close() throws InterruptedException {
        tasks.stop();
    }
}
