package io.penstock.metrics;

import io.penstock.limits.Counter;

/**
 * The name and unit of a counter or gauge in exported metrics, by the conventions of OpenMetrics. The name is derived from the id of the
 * {@link Counter} or {@link Gauge}, so no second table of names is necessary.
 *
 * @param name the name, without the suffix {@code _total} of counters
 * @param unit the unit in OpenMetrics; the name ends with this unit. Empty for a plain number
 * @param divisor the number by which a value is divided to convert the value to {@code unit}
 */
public record Metric(String name, String unit, double divisor) {
    private static final String PREFIX = "penstock_";
    private static final double MILLIS = 1000;

    public static Metric of(Counter counter) {
        return new Metric(name(counter.id()), counter.id().endsWith("-bytes") ? "bytes" : "", 1);
    }

    public static Metric of(Gauge gauge) {
        return switch (gauge.unit()) {
            case "bytes" -> ofUnit(gauge.id(), "bytes", 1);
            case "ms" -> ofUnit(gauge.id(), "seconds", MILLIS);
            default -> new Metric(name(gauge.id()), "", 1);
        };
    }

    private static Metric ofUnit(String id, String unit, double divisor) {
        String name = name(id);
        return new Metric(name.endsWith("_" + unit) ? name : name + "_" + unit, unit, divisor);
    }

    private static String name(String id) {
        return PREFIX + id.replace('-', '_');
    }

    /** The name of the sample if this metric is a counter. */
    public String total() {
        return name + "_total";
    }
}
