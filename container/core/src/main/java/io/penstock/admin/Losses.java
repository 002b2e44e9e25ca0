package io.penstock.admin;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Unsuccessful requests since the first {@link Sample}.
 *
 * @param refused the number of requests that the server refused
 * @param failed the number of requests that failed in each application, by the application's path
 */
record Losses(long refused, Map<String, Long> failed) {
    static final Losses NONE = new Losses(0, Map.of());

    /** The failures per second since {@code then}, by the path of the application. Applications without failures are omitted. */
    SortedMap<String, Double> failedSince(Losses then, double seconds) {
        SortedMap<String, Double> rates = new TreeMap<>();
        failed.forEach((path, count) -> {
            long more = count - then.failed.getOrDefault(path, 0L);
            if (more > 0) {
                rates.put(path, more / seconds);
            }
        });
        return rates;
    }
}
