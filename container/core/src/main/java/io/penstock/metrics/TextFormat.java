package io.penstock.metrics;

/** The two formats of a metrics text. */
public enum TextFormat {
    /** OpenMetrics 1.0. */
    OPEN_METRICS("application/openmetrics-text; version=1.0.0; charset=utf-8"),

    /**
     * The older format of Prometheus, which every scraper can read. This format has no units and no end marker. The name of a counter's
     * family ends with {@code _total}, as the counter's sample does.
     */
    PROMETHEUS("text/plain; version=0.0.4; charset=utf-8");

    private final String contentType;

    TextFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }
}
