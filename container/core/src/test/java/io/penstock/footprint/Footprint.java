package io.penstock.footprint;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was run between two looks, on all threads. A file is a top-level class with all that is nested in it.
 *
 * @param files how often a method of each file was entered
 * @param switches how often a method of one file called one of another file, by {@code From -> To}; what lies between them and is not ours
 *     does not count
 * @param locks how often a monitor or a lock was taken, by its place
 * @param objects how many objects of our classes, and lambdas that capture something, were made, by class and place
 */
record Footprint(
        SortedMap<String, Integer> files,
        SortedMap<String, Integer> switches,
        SortedMap<String, Integer> locks,
        SortedMap<String, Integer> objects) {

    Footprint() {
        this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    }

    static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** The most frequent first. */
    static List<Map.Entry<String, Integer>> ranked(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
    }
}
