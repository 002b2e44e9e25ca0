package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the names of exported metrics. */
class MetricTest {

    @Test
    void eachMetricHasAValidAndUniqueName() {
        Set<String> seen = new HashSet<>();
        for (Counter counter : Counter.values()) {
            String name = Metric.of(counter).name();
            assertTrue(name.matches("penstock_[a-z]+(_[a-z]+)*"), name);
            assertTrue(seen.add(name), name);
        }
        for (Gauge gauge : Gauge.values()) {
            String name = Metric.of(gauge).name();
            assertTrue(name.matches("penstock_[a-z]+(_[a-z]+)*"), name);
            assertTrue(seen.add(name), name);
        }
    }

    @Test
    void metricNamesContainTheBaseUnit() {
        assertEquals(new Metric("penstock_pipe_bytes", "bytes", 1), Metric.of(Gauge.PIPE_BYTES));
        assertEquals(new Metric("penstock_spool_limit_bytes", "bytes", 1), Metric.of(Gauge.SPOOL_LIMIT));
        assertEquals(new Metric("penstock_queue_oldest_seconds", "seconds", 1000), Metric.of(Gauge.QUEUE_OLDEST));
        assertEquals(new Metric("penstock_workers", "", 1), Metric.of(Gauge.WORKERS));
        assertEquals(new Metric("penstock_sent_bytes", "bytes", 1), Metric.of(Counter.SENT_BYTES));
        assertEquals("penstock_queue_full_total", Metric.of(Counter.QUEUE_FULL).total());
    }
}
