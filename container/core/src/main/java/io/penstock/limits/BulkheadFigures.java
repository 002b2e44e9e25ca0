package io.penstock.limits;

import java.util.function.LongSupplier;

/**
 * One bulkhead for operators: its limits, and the sources of its figures.
 *
 * @param running workers that run its jobs
 * @param queued jobs that wait for one of its workers
 * @param refused requests answered 503 since the start, because too many waited or because they had waited too long
 * @param spoolWrites its writes to disk that wait or run
 */
public record BulkheadFigures(
        BulkheadLimits limits,
        LongSupplier running,
        LongSupplier queued,
        LongSupplier refused,
        LongSupplier spoolWrites) {}
