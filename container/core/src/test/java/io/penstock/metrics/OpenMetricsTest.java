package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.metrics.OpenMetrics.Type;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the output in the formats OpenMetrics 1.0 and Prometheus text format 0.0.4. */
class OpenMetricsTest {
    private final OpenMetrics out = new OpenMetrics(TextFormat.OPEN_METRICS);

    @Test
    void familiesAreWrittenWithCommentsAndSamples() {
        out.family("a_bytes", Type.COUNTER, "bytes", "bytes that came").total(5, "kind", "x");
        out.family("b", Type.GAUGE, "", "half of it").gauge(0.5).gauge(1e6, "of", "all");
        out.family("c", Type.INFO, "", "what it is").info("version", "1");
        assertEquals("""
                # TYPE a_bytes counter
                # UNIT a_bytes bytes
                # HELP a_bytes bytes that came
                a_bytes_total{kind="x"} 5
                # TYPE b gauge
                # HELP b half of it
                b 0.5
                b{of="all"} 1000000
                # TYPE c info
                # HELP c what it is
                c_info{version="1"} 1
                # EOF
                """, out.end());
    }

    @Test
    void eachBucketOfAHistogramIncludesAllShorterTimes() {
        Durations durations = new Durations();
        durations.record(TimeUnit.MILLISECONDS.toNanos(5));
        durations.record(TimeUnit.MILLISECONDS.toNanos(700));
        durations.record(TimeUnit.SECONDS.toNanos(20));
        out.family("d_seconds", Type.HISTOGRAM, "seconds", "how long")
                .histogram(durations.snapshot().times(Buckets.REQUEST));
        MetricsText text = MetricsText.read(out.end());
        assertEquals(1, text.value("d_seconds_bucket{le=\"0.005\"}"));
        assertEquals(1, text.value("d_seconds_bucket{le=\"0.5\"}"));
        assertEquals(2, text.value("d_seconds_bucket{le=\"0.75\"}"));
        assertEquals(2, text.value("d_seconds_bucket{le=\"10.0\"}"));
        assertEquals(3, text.value("d_seconds_bucket{le=\"+Inf\"}"));
        assertEquals(3, text.value("d_seconds_count"));
        assertEquals(20.705, text.value("d_seconds_sum"));
    }

    @Test
    void quotesAndLineBreaksInHelpTextsAndLabelsAreEscaped() {
        out.family("e", Type.GAUGE, "", "a \"help\"\nwith \\ lines").gauge(1, "path", "/\"} 7\nf 8\\");
        String text = out.end();
        assertEquals("""
                # TYPE e gauge
                # HELP e a \\"help\\"\\nwith \\\\ lines
                e{path="/\\"} 7\\nf 8\\\\"} 1
                # EOF
                """, text);
        assertEquals(1, MetricsText.read(text).samples().size());
    }

    /**
     * Units and the end marker are not the only differences between the two formats. In the Prometheus text format 0.0.4, the comments of
     * a counter or an info have the same name as the samples, an info has the type gauge, and quotes in a help text are not escaped.
     */
    @Test
    void thePrometheusFormatHasNoUnitsAndNoEndMarker() {
        OpenMetrics older = new OpenMetrics(TextFormat.PROMETHEUS);
        older.family("a_bytes", Type.COUNTER, "bytes", "bytes \"that\" came\n\\")
                .total(5, "kind", "\"x");
        older.family("c", Type.INFO, "", "what it is").info("version", "1");
        older.family("d_seconds", Type.SUMMARY, "seconds", "how long").summary(2, 0.5);
        assertEquals("""
                # HELP a_bytes_total bytes "that" came\\n\\\\
                # TYPE a_bytes_total counter
                a_bytes_total{kind="\\"x"} 5
                # HELP c_info what it is
                # TYPE c_info gauge
                c_info{version="1"} 1
                # HELP d_seconds how long
                # TYPE d_seconds summary
                d_seconds_count 2
                d_seconds_sum 0.5
                """, older.end());
    }

    @Test
    void aDuplicateFamilyNameAndAFamilyNameWithoutItsUnitAreRefused() {
        out.family("g", Type.GAUGE, "", "one");
        assertThrows(IllegalStateException.class, () -> out.family("g", Type.GAUGE, "", "another"));
        assertThrows(IllegalArgumentException.class, () -> out.family("h", Type.GAUGE, "bytes", "no unit"));
    }
}
