package io.penstock.loadtest.peers;

import java.util.HashMap;
import java.util.Map;

/**
 * The figures that a server's process reports about itself.
 *
 * @param heapBytes of the heap, used; includes garbage unless it was collected just before
 * @param allocatedBytes of the heap, by all live platform threads since they began; -1 if the JVM does not provide it
 * @param callsOpen calls of {@code service} open now
 * @param callsMost the most open calls at a time since the last reset
 * @param permitLongestMicros the longest time in microseconds for which one call of {@code /pooled} has held its permit, of those given back since
 *     the last reset or held now
 * @param outdated requests that waited for a thread when the server noticed that it was overloaded, and were then refused; 0 for
 *     a server that does not count them
 */
public record Stats(
        long heapBytes, long allocatedBytes, long callsOpen, long callsMost, long permitLongestMicros, long outdated) {
    static final String START = "STATS ";

    /** @throws IllegalArgumentException if the line is not one */
    static Stats parse(String line) {
        Map<String, Long> values = new HashMap<>();
        for (String pair : line.substring(START.length()).strip().split(" ")) {
            int equals = pair.indexOf('=');
            values.put(pair.substring(0, Math.max(0, equals)), Long.valueOf(pair.substring(equals + 1)));
        }
        return new Stats(
                value(values, "heap"),
                value(values, "allocated"),
                value(values, "callsOpen"),
                value(values, "callsMost"),
                value(values, "permitLongestMicros"),
                value(values, "outdated"));
    }

    private static long value(Map<String, Long> values, String name) {
        Long value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("A server does not report " + name);
        }
        return value;
    }
}
