package io.penstock.exchange;

import io.penstock.limits.BulkheadLimits;
import io.penstock.metrics.BulkheadFigures;
import io.penstock.spool.SpoolShare;
import io.penstock.work.Lane;
import org.jspecify.annotations.Nullable;

/**
 * Limits how much of the server's resources the requests of certain paths may use. If a limit is reached, further requests of these paths
 * wait or are refused. Requests of other paths are not affected.
 *
 * <p>Thread: any.
 *
 * @param limits the configured limits and paths
 * @param workers the limits of workers and waiting requests; null if they are not limited
 * @param writes the limit of writes to disk; null if the writes are not limited
 */
public record Bulkhead(
        BulkheadLimits limits,
        @Nullable Lane workers,
        @Nullable SpoolShare writes) {

    /** Creates a bulkhead with these limits. */
    public static Bulkhead of(BulkheadLimits limits) {
        return new Bulkhead(
                limits,
                limits.limitsWorkers() ? new Lane(limits.maxWorkers(), limits.maxQueued()) : null,
                limits.limitsSpoolWrites() ? new SpoolShare(limits.maxSpoolWrites()) : null);
    }

    /** The current figures of the bulkhead, for operators. */
    public BulkheadFigures figures() {
        return new BulkheadFigures(
                limits,
                () -> workers == null ? 0 : workers.running(),
                () -> workers == null ? 0 : workers.waiting(),
                () -> workers == null ? 0 : workers.refused(),
                () -> writes == null ? 0 : writes.pending());
    }
}
