package io.penstock.metrics;

/**
 * Reads the current value of each {@link Gauge} of a server.
 *
 * <p>Thread: any. Each value is a snapshot. Values from two calls belong to different moments.
 */
@FunctionalInterface
public interface Gauges {
    long value(Gauge gauge);
}
