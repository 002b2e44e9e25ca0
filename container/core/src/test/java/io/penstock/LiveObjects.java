package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.List;
import javax.management.JMException;
import javax.management.ObjectName;

/** Measures the live objects of this JVM. The JVM collects garbage first. */
public final class LiveObjects {
    private static final String OPERATION = "gcClassHistogram";

    private LiveObjects() {}

    /**
     * Returns the lines of the histogram. Each line has the columns number, instances, bytes and class. The last line has the columns
     * {@code Total}, instances and bytes.
     */
    public static List<String[]> histogram() {
        try {
            Object text = ManagementFactory.getPlatformMBeanServer()
                    .invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            OPERATION,
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return text.toString()
                    .strip()
                    .lines()
                    .map(line -> line.trim().split(" +"))
                    .toList();
        } catch (JMException e) {
            throw new AssertionError(e);
        }
    }

    /** The bytes of all live objects whose class names begin with {@code prefix}. */
    public static long bytesOf(String prefix) {
        return histogram().stream()
                .filter(line -> line.length > 3 && line[3].startsWith(prefix))
                .mapToLong(line -> Long.parseLong(line[2]))
                .sum();
    }

    /** The bytes of all live objects together. */
    public static long bytes() {
        List<String[]> histogram = histogram();
        String[] total = histogram.get(histogram.size() - 1);
        assertEquals("Total", total[0]);
        return Long.parseLong(total[2]);
    }

    /** The used bytes of the heap after garbage collection. This includes gaps between objects, but is much faster than {@link #bytes}. */
    public static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) { // one collection can leave garbage that the next collection removes
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}
