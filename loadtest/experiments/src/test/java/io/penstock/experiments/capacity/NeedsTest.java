package io.penstock.experiments.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.experiments.capacity.Simulation.Needs;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how the numbers of nodes and of session stores follow from the limits of one node or store. */
class NeedsTest {
    private final Map<String, Double> shares = new LinkedHashMap<>();

    @Test
    void theLimitThatNeedsMostDecides() {
        shares.put("CPU", 4.2);
        shares.put("connections", 15.0);
        shares.put("memory", 5.0);
        Needs needs = Needs.of(shares);
        assertEquals(Map.of("CPU", 5L, "connections", 15L, "memory", 5L), needs.byLimit());
        assertEquals(15, needs.most());
        assertEquals("connections", needs.reason());
    }

    @Test
    void theFirstOfTwoEqualLimitsIsTheReason() {
        shares.put("calls", 1.2);
        shares.put("traffic", 2.0);
        assertEquals("calls", Needs.of(shares).reason());
    }

    @Test
    void atLeastOneIsNeeded() {
        shares.put("calls", 0.001);
        assertEquals(1, Needs.of(shares).most());
        assertEquals("one is enough", Needs.of(shares).reason());
    }
}
