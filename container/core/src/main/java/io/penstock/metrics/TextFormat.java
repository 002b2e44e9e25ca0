package io.penstock.metrics;

/** In which of the two formats a text of metrics is. */
public enum TextFormat {
    /** OpenMetrics 1.0. */
    OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8"),

    /** The older one of Prometheus, which every scraper can read: without units and end; counters with their suffix. */
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8");

    private final String contentType;

    TextFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }
}
