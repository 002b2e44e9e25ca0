package io.penstock.loadtest.peers;

import java.util.HashMap;
import java.util.Map;

/**
 * The figures that a server's process reports about itself.
 *
 * @param heapBytes the used bytes of the heap; of {@link ServerProcess#collect}, the bytes of all live objects
 * @param allocatedBytes the heap bytes that all live platform threads have allocated since their start; -1 if the JVM does not report this
 *     number
 * @param callsOpen the present number of running calls of {@code service}
 * @param callsMost the maximum of {@code callsOpen} since the last reset
 * @param permitLongestMicros the longest time for which a call of {@code /pooled} held its permit since the last reset, in microseconds;
 *     calls that hold a permit now are included
 * @param outdated the number of requests that were waiting when the server detected its overload, and were refused then; 0 for a server
 *     that does not count them
 */
public record Stats(
        long heapBytes, long allocatedBytes, long callsOpen, long callsMost, long permitLongestMicros, long outdated) {
    static final String START = "STATS ";

    /** @throws IllegalArgumentException if the line is not a line of figures */
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
