package io.penstock.tls;

import io.penstock.limits.Counters;
import io.penstock.limits.TlsLimits;
import io.penstock.memory.Rounds;

/**
 * The resources that all TLS connections of one server share: their buffers, and the threads for their handshakes.
 *
 * <p>Thread: any. The server's owner calls {@link #close} when no connection is left.
 */
public final class TlsResources {
    private final TlsBuffers buffers;
    private final TlsTasks tasks;

    /**
     * @param prefix of the threads' names
     * @param rounds keeps the threads alive after an exception
     */
    public TlsResources(TlsLimits limits, Counters counters, String prefix, Rounds rounds) {
        this.buffers = new TlsBuffers(limits.budget(), counters);
        this.tasks = new TlsTasks(limits.threads(), limits.tasks(), counters, prefix, rounds);
    }

    TlsBuffers buffers() {
        return buffers;
    }

    TlsTasks tasks() {
        return tasks;
    }

    /** Bytes of buffers in use. */
    public long bufferBytes() {
        return buffers.inUse();
    }

    /** Bytes that may be in use. */
    public long budget() {
        return buffers.budget();
    }

    /** Tasks of handshakes that wait or run. */
    public long pendingTasks() {
        return tasks.pending();
    }

    public void close() throws InterruptedException {
        tasks.stop();
    }
}
