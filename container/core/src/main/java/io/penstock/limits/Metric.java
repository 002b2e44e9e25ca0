package io.penstock.limits;

/**
 * The name and unit of a counter or gauge in exported metrics, by the conventions of OpenMetrics. They are derived from the id of the
 * counter or gauge, so there is only one table of names.
 *
 * @param name without the suffix {@code _total} of counters
 * @param unit the unit in OpenMetrics, with which the name ends; empty for a count
 * @param divisor divides a value to convert it to that unit
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

    /** The name of a counter's sample. */
    public String total() {
        return name + "_total";
    }
}
