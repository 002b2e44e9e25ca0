package io.penstock.exchange;

import io.penstock.limits.BulkheadFigures;
import io.penstock.limits.BulkheadLimits;
import io.penstock.spool.SpoolShare;
import io.penstock.time.Clock;
import io.penstock.work.WorkerShare;
import org.jspecify.annotations.Nullable;

/**
 * The shares of the server's resources that requests of some paths may use. Requests beyond these shares wait or are refused. Requests of
 * other paths are not affected.
 *
 * <p>Thread: any.
 *
 * @param workers a share of the workers and of the queue; null if neither is limited
 * @param writes a share of the writes to disk; null if the writes are not limited
 */
public record Bulkhead(
        BulkheadLimits limits,
        @Nullable WorkerShare workers,
        @Nullable SpoolShare writes) {

    /** A new bulkhead with these limits. */
    public static Bulkhead of(BulkheadLimits limits, Clock clock) {
        return new Bulkhead(
                limits,
                limits.limitsWorkers() ? new WorkerShare(limits.maxWorkers(), limits.maxQueued(), clock) : null,
                limits.limitsSpoolWrites() ? new SpoolShare(limits.maxSpoolWrites()) : null);
    }

    /** The figures for operators. */
    public BulkheadFigures figures() {
        return new BulkheadFigures(
                limits,
                () -> workers == null ? 0 : workers.running(),
                () -> workers == null ? 0 : workers.queued(),
                () -> workers == null ? 0 : workers.refused(),
                () -> writes == null ? 0 : writes.pending());
    }
}
