package io.penstock.context;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the responses of an application with a status of 500 or above (RFC 9110 section 15.6), by status.
 *
 * <p>Thread: any.
 */
public final class FailedResponses {
    /** The lowest status that counts. */
    public static final int FIRST = 500;

    /** One more than the highest status that is counted. This number limits the size of the map. */
    private static final int END = 1000;

    private final Map<Integer, LongAdder> counts = new ConcurrentHashMap<>();

    /** @param status the status of a response; a status below {@link #FIRST} is not counted */
    public void count(int status) {
        if (status >= FIRST && status < END) {
            counts.computeIfAbsent(status, none -> new LongAdder()).increment();
        }
    }

    /** The numbers of responses so far, for each status that has occurred. */
    public SortedMap<Integer, Long> byStatus() {
        SortedMap<Integer, Long> numbers = new TreeMap<>();
        counts.forEach((status, count) -> numbers.put(status, count.sum()));
        return numbers;
    }
}
