package io.penstock.context;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the responses of an application that say that it has failed (RFC 9110 section 15.6), by status.
 *
 * <p>Thread: any.
 */
public final class FailedResponses {
    /** The lowest status of them. */
    public static final int FIRST = 500;

    /** One more than the highest status: more entries than statuses there cannot be. */
    private static final int END = 1000;

    private final Map<Integer, LongAdder> counts = new ConcurrentHashMap<>();

    /** @param status of a response; others than those of failures are not counted */
    public void count(int status) {
        if (status >= FIRST && status < END) {
            counts.computeIfAbsent(status, none -> new LongAdder()).increment();
        }
    }

    /** The numbers so far, of statuses that occurred. */
    public SortedMap<Integer, Long> byStatus() {
        SortedMap<Integer, Long> numbers = new TreeMap<>();
        counts.forEach((status, count) -> numbers.put(status, count.sum()));
        return numbers;
    }
}
