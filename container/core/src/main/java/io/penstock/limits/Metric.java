package io.penstock.limits;

/**
 * Under which name and in which unit a counter or a level is scraped, by the conventions of OpenMetrics: derived from its id, so that
 * one table has all.
 *
 * @param name without the {@code _total} that counters end with
 * @param unit of OpenMetrics, which the name ends with; empty where things are counted
 * @param divisor by which a value is divided to be in that unit
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

    /** How a counter's value is named. */
    public String total() {
        return name + "_total";
    }
}
