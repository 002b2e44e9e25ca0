package io.penstock.memory;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects a full heap in the case that no allocation fails. In this state the JVM collects garbage again and again, and each collection
 * frees only enough memory for the next few objects. With the G1 collector, this state can last without end and without an {@code
 * OutOfMemoryError}.
 *
 * <p>The heap is regarded as full if two conditions are true for ten seconds. First, each check finds that less than 5 % of the heap was
 * free after the last collection. Second, collections took more than 95 % of these ten seconds. A heap that is only busy satisfies at most
 * one of these conditions.
 *
 * <p>Thread: only one thread at a time may use this object.
 */
public final class CollectionWatch {
    private static final long WINDOW_MILLIS = 10_000;
    private static final int MAX_PERCENT_COLLECTING = 95;
    private static final int MIN_PERCENT_FREE = 5;

    private final MemoryWatch memory;
    private final LongSupplier millis;
    private final LongSupplier collecting;
    private final BooleanSupplier heapIsFull;

    private long begun;
    private long collectingBefore;

    /**
     * Returns a task that checks the heap at each run. The first run only creates the {@link CollectionWatch}. The object is not created
     * earlier, because the JMX beans of the JVM would delay the start of the server.
     *
     * @param memory is notified if the heap stays full
     */
    public static Runnable task(MemoryWatch memory) {
        return new Runnable() {
            private @Nullable CollectionWatch watch;

            @Override
            public void run() {
                if (watch == null) {
                    watch = new CollectionWatch(memory);
                } else {
                    watch.look();
                }
            }
        };
    }

    /** @param memory is notified if the heap stays full */
    CollectionWatch(MemoryWatch memory) {
        this(
                memory,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                new Pauses()::millis,
                new Heap()::isFullAfterCollection);
    }

    /**
     * @param collecting returns the milliseconds that collections have taken since the start of the JVM
     * @param heapIsFull returns whether the heap was full after the last collection
     */
    CollectionWatch(MemoryWatch memory, LongSupplier millis, LongSupplier collecting, BooleanSupplier heapIsFull) {
        this.memory = memory;
        this.millis = millis;
        this.collecting = collecting;
        this.heapIsFull = heapIsFull;
        begin(millis.getAsLong(), collecting.getAsLong());
    }

    /** The time between two checks. */
    public static Duration interval() {
        return Duration.ofSeconds(1);
    }

    public void look() {
        long now = millis.getAsLong();
        long collected = collecting.getAsLong();
        if (!heapIsFull.getAsBoolean()) {
            begin(now, collected);
        } else if (now - begun >= WINDOW_MILLIS) {
            boolean stuck = (collected - collectingBefore) * 100 > (now - begun) * MAX_PERCENT_COLLECTING;
            begin(now, collected);
            if (stuck) {
                memory.heapStaysFull();
            }
        }
    }

    private void begin(long now, long collected) {
        begun = now;
        collectingBefore = collected;
    }

    /** Measures the time in which garbage collections paused the application. */
    private static final class Pauses {
        private final List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream()
                .filter(collector -> !runsBesideTheApplication(collector.getName()))
                .toList();

        /**
         * Returns whether the time of a collector includes time in which the application runs. Examples are "G1 Concurrent GC", "ZGC
         * Cycles" and "Shenandoah Cycles".
         */
        private static boolean runsBesideTheApplication(String collector) {
            return collector.contains("Concurrent") || collector.contains("Cycles");
        }

        long millis() {
            long sum = 0;
            for (GarbageCollectorMXBean collector : collectors) {
                // The time is -1 if the JVM does not measure it.
                sum += Math.max(0, collector.getCollectionTime());
            }
            return sum;
        }
    }

    /** The heap of this JVM. */
    private static final class Heap {
        private final List<MemoryPoolMXBean> pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();

        private final long most = Runtime.getRuntime().maxMemory();

        boolean isFullAfterCollection() {
            long used = 0;
            for (MemoryPoolMXBean pool : pools) {
                MemoryUsage after = pool.getCollectionUsage();
                // The usage is null if the JVM does not measure it.
                used += after == null ? 0 : after.getUsed();
            }
            return used > most - most / 100 * MIN_PERCENT_FREE;
        }
    }
}
