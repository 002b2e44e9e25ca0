package io.penstock.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

class GaugesTest {

    private static Map<Gauge, LongSupplier> all() {
        Map<Gauge, LongSupplier> sources = new EnumMap<>(Gauge.class);
        for (Gauge gauge : Gauge.values()) {
            sources.put(gauge, gauge::ordinal);
        }
        return sources;
    }

    @Test
    void eachGaugeIsReadFromItsSource() {
        Gauges gauges = new Gauges(all());
        for (Gauge gauge : Gauge.values()) {
            assertEquals(gauge.ordinal(), gauges.value(gauge), gauge.id());
        }
    }

    @Test
    void aGaugeWithoutASourceIsRefused() {
        Map<Gauge, LongSupplier> sources = all();
        sources.remove(Gauge.QUEUED);
        assertEquals(
                "no source for queued",
                assertThrows(IllegalArgumentException.class, () -> new Gauges(sources))
                        .getMessage());
    }

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
