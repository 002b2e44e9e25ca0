package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.metrics.TextFormat;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the format of the metrics. The {@code Accept} field of the request selects the format (RFC 9110 section 12.5.1). */
class ScrapeFormatTest {

    private static void assertFormat(TextFormat format, String... accept) {
        assertEquals(format, ScrapeFormat.of(Arrays.asList(accept)), () -> String.join(" | ", accept));
    }

    @Test
    void aClientThatPrefersOpenMetricsGetsOpenMetrics() {
        assertFormat(
                TextFormat.OPEN_METRICS,
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                        + "text/plain;version=0.0.4;q=0.5,*/*;q=0.1");
        assertFormat(
                TextFormat.OPEN_METRICS,
                "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
                        + "text/plain;version=1.0.0;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2");
        assertFormat(TextFormat.OPEN_METRICS, "text/html", "Application/OpenMetrics-Text; Version=\"1.0.0\"");
        assertFormat(TextFormat.OPEN_METRICS, "application/openmetrics-text, text/plain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*/*",
                "application/*",
                "text/html,application/xhtml+xml,*/*;q=0.8",
                "text/plain;version=0.0.4",
                "application/openmetrics-text;q=0",
                "application/openmetrics-text;q=0.0, */*",
                "application/openmetrics-text;version=0.0.1",
                "application/openmetrics-text;version=1.0.0;q=0.3,text/plain;version=0.0.4;q=0.9",
                "application/openmetrics-text;q=much",
                "application/openmetrics-text;q=9",
                "application/openmetrics-text-not",
                ",,;,/,application/,\u0000"
            })
    void aClientGetsThePrometheusTextFormatIfItDoesNotPreferOpenMetrics(String accept) {
        assertFormat(TextFormat.PROMETHEUS, accept);
    }

    @Test
    void aClientWithoutAnAcceptFieldGetsThePrometheusTextFormat() {
        assertEquals(TextFormat.PROMETHEUS, ScrapeFormat.of(List.of()));
    }
}
