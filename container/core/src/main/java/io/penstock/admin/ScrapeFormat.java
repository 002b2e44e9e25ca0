package io.penstock.admin;

import io.penstock.http.MediaType;
import io.penstock.metrics.TextFormat;
import java.util.List;

/**
 * Chooses the format for a scraping client (RFC 9110 section 12.5.1): OpenMetrics if the client accepts it and does not prefer the older
 * format. All other clients, including browsers, get the older Prometheus text format.
 */
final class ScrapeFormat {
    private ScrapeFormat() {}

    /** @param accept the values of the {@code Accept} fields */
    static TextFormat of(List<String> accept) {
        double open = 0;
        double plain = 0;
        for (String line : accept) {
            for (String range : line.split(",", -1)) {
                MediaType type = MediaType.parse(range.strip());
                if (type != null && type.is("application/openmetrics-text") && isOf(type, "1.0.0")) {
                    open = Math.max(open, quality(type));
                } else if (type != null && type.is("text/plain") && isOf(type, "0.0.4")) {
                    plain = Math.max(plain, quality(type));
                }
            }
        }
        return open > 0 && open >= plain ? TextFormat.OPEN_METRICS : TextFormat.PROMETHEUS;
    }

    private static boolean isOf(MediaType type, String version) {
        return version.equals(type.parameters().getOrDefault("version", version));
    }

    private static double quality(MediaType type) {
        String weight = type.parameters().getOrDefault("q", "1");
        return weight.matches("[01](\\.[0-9]{0,3})?") ? Double.parseDouble(weight) : 0;
    }
}
