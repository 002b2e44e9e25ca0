package io.penstock.metrics;

import io.penstock.limits.BulkheadLimits;
import java.util.function.LongSupplier;

/**
 * The limits and the current figures of one bulkhead, for operators. {@link BulkheadLimits} explains bulkheads.
 *
 * @param running the number of workers that serve the bulkhead at this moment
 * @param queued the number of requests, and of continuations of asynchronous requests, that wait for a worker of the bulkhead
 * @param refused the number of requests answered 503 since the start, because the queue of the bulkhead was full or because the request had
 *     waited too long
 * @param spoolWrites the number of the bulkhead's writes to disk that wait or run
 */
public record BulkheadFigures(
        BulkheadLimits limits,
        LongSupplier running,
        LongSupplier queued,
        LongSupplier refused,
        LongSupplier spoolWrites) {}
