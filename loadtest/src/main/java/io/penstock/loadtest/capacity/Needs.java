package io.penstock.loadtest.capacity;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The number of nodes, or of stores, that a site needs. The number is calculated separately for each limit: for example, for processor
 * time, connections and memory.
 *
 * @param byLimit a map from the name of each limit to the number of nodes or stores that this limit requires
 */
record Needs(Map<String, Long> byLimit) {
    Needs {
        byLimit = new LinkedHashMap<>(byLimit);
    }

    /** @param fill the maximum share of a node that is used in 99 of 100 seconds */
    static Needs ofNodes(Traffic traffic, Node node, double fill) {
        Map<String, Long> needs = new LinkedHashMap<>();
        double connections = traffic.p99(Quantity.CONNECTIONS);
        needs.put("CPU", whole(traffic.p99(Quantity.REQUESTS) * node.requestSeconds() / (fill * node.processors())));
        needs.put("connections", whole(connections / (fill * node.mostConnections())));
        needs.put("memory", whole(connections * node.connectionHeap() / node.heapForConnections(fill)));
        return new Needs(needs);
    }

    /** @param fill the maximum share of a store that is used in 99 of 100 seconds */
    static Needs ofStores(Traffic traffic, Store store, double fill) {
        Map<String, Long> needs = new LinkedHashMap<>();
        needs.put("calls", whole(traffic.p99(Quantity.OPERATIONS) / (fill * store.operations())));
        needs.put("traffic", whole(traffic.p99(Quantity.TRAFFIC) / (fill * store.traffic())));
        needs.put("memory", whole(traffic.p99(Quantity.STORED) / (fill * store.memory())));
        return new Needs(needs);
    }

    long most() {
        return byLimit.values().stream().mapToLong(Long::longValue).max().orElseThrow();
    }

    /** The name of the limit that requires the largest number. If several limits require this number, the first of them is used. */
    String reason() {
        long most = most();
        return byLimit.entrySet().stream()
                .filter(need -> need.getValue() == most)
                .findFirst()
                .orElseThrow()
                .getKey();
    }

    private static long whole(double value) {
        return Math.max(1, (long) Math.ceil(value));
    }
}
