package io.penstock.loadtest.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NeedsTest {
    private static final Node NODE = new Node(4, 0.001, 20_000, 1e9, 100e6, 10_000, 10_000, 10_000);
    private static final Store STORE = new Store(100_000, 1e8, 1e10);

    @Test
    void theRequiredNumberOfNodesIsComputedForEachLimit() {
        Traffic traffic = traffic(Map.of(Quantity.REQUESTS, 10_000.0, Quantity.CONNECTIONS, 150_000.0));
        // CPU: the traffic needs 10 s of processor time per second; a node provides 2 s. Connections: there are
        // 150,000; a node can have 10,000. Memory: the connections need 1.5 GB; a node has 300 MB for connections.
        assertEquals(
                Map.of("CPU", 5L, "connections", 15L, "memory", 5L),
                Needs.ofNodes(traffic, NODE, 0.5).byLimit());
        assertEquals("connections", Needs.ofNodes(traffic, NODE, 0.5).reason());
        assertEquals(15, Needs.ofNodes(traffic, NODE, 0.5).most());
    }

    @Test
    void theRequiredNumberOfSessionStoresIsComputedForEachLimit() {
        Traffic traffic = traffic(Map.of(Quantity.OPERATIONS, 50_001.0, Quantity.TRAFFIC, 1e8, Quantity.STORED, 21e9));
        assertEquals(
                Map.of("calls", 2L, "traffic", 2L, "memory", 5L),
                Needs.ofStores(traffic, STORE, 0.5).byLimit());
        assertEquals("memory", Needs.ofStores(traffic, STORE, 0.5).reason());
    }

    @Test
    void atLeastOneNodeAndOneSessionStoreAreNeeded() {
        assertEquals(1, Needs.ofNodes(traffic(Map.of()), NODE, 0.5).most());
        assertEquals(1, Needs.ofStores(traffic(Map.of()), STORE, 0.5).most());
    }

    @Test
    void aHeapWithoutRoomForSessionsIsRefused() {
        Node small = new Node(4, 0.001, 20_000, 400e6, 100e6, 10_000, 10_000, 10_000);
        assertThrows(IllegalArgumentException.class, () -> Needs.ofNodes(traffic(Map.of()), small, 0.5));
    }

    private static Traffic traffic(Map<Quantity, Double> values) {
        Map<Quantity, Series> series = new EnumMap<>(Quantity.class);
        for (Quantity quantity : Quantity.values()) {
            Series constant = new Series();
            constant.change(values.getOrDefault(quantity, 0.0));
            constant.keep();
            series.put(quantity, constant);
        }
        return new Traffic(series, 1, 0);
    }
}
