package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GaugeTest {
    /** JMX shows counters and gauges together, so a gauge must not have the name of a counter. */
    @Test
    void eachGaugeHasAUniqueNameAndAMeaningAndAUnit() {
        Set<String> seen = new HashSet<>();
        for (Counter counter : Counter.values()) {
            seen.add(counter.id());
        }
        for (Gauge gauge : Gauge.values()) {
            assertTrue(gauge.id().matches("[a-z]+(-[a-z]+)*"), gauge.id());
            assertTrue(seen.add(gauge.id()), gauge.id());
            assertFalse(gauge.meaning().isBlank() || gauge.unit().isBlank(), gauge.id());
        }
    }
}
