package io.penstock.footprint;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The events that {@link Probes} has counted on all threads between two calls of {@link Probes#take}. A file is a top-level class with all
 * its nested classes. A source location is a file, a method and a line.
 *
 * @param files the number of entries into methods, by file
 * @param switches the number of calls from one file to another, by {@code From -> To}; classes of libraries between the two files are
 *     ignored
 * @param locks the number of monitors and locks that were taken, by source location
 * @param objects the number of objects that were created, by class and source location; only objects of measured classes, and lambdas
 *     that capture variables, are counted
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

    /** Returns the entries in descending order of their counts. */
    static List<Map.Entry<String, Integer>> ranked(Map<String, Integer> counts) {
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
    }
}
