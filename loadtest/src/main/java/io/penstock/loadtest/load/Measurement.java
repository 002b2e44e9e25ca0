package io.penstock.loadtest.load;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.Failure;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Counts the results of requests. For an answered request it allocates no memory. Thread: the thread of the {@code ClientLoop}. */
final class Measurement {
    private static final long SHORTEST = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    private final Duration deadline;
    private final Histogram latency = histogram();
    private final Histogram connectLatency = histogram();
    private final Histogram lag = histogram();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final long[] statuses = new long[1000];
    private final Map<Failure, Long> failures = new EnumMap<>(Failure.class);
    private long cpuBefore = -1;
    private long answered;
    private long non2xx;
    private long failed;
    private long failedAttempts;
    private long unserved;
    private String firstTrouble = "";

    Measurement(Duration deadline) {
        this.deadline = deadline;
    }

    /** Begins the measurement of the processor time of the client's thread. Called at the end of the warm-up. */
    void begin() {
        cpuBefore = cpu();
    }

    /** Records that the client handled a request later than planned, by the given time. */
    void onLag(long nanos) {
        record(lag, nanos);
    }

    void onAnswer(int status, long nanos) {
        statuses[status]++;
        if (status >= 200 && status < 300) {
            answered++;
            record(latency, nanos);
        } else {
            non2xx++;
            note("status " + status);
        }
    }

    void onConnect(long nanos) {
        record(connectLatency, nanos);
    }

    /** Counts a connection that was not made, also in the warm-up. */
    void onFailedAttempt() {
        failedAttempts++;
    }

    void onUnserved(long users) {
        unserved = users;
    }

    void onFailure(CallException failure) {
        count(failure.failure());
        if (firstTrouble.isEmpty()) {
            note(describe(failure));
        }
    }

    /** Counts a request that was not sent, since no connection was free before its deadline. */
    void onDeadlineBeforeSending() {
        count(Failure.DEADLINE);
        note(noAnswer());
    }

    private void count(Failure failure) {
        failures.merge(failure, 1L, Long::sum);
        failed++;
        if (failure == Failure.DEADLINE) {
            // The deadline is recorded as the latency. Without this, the percentiles would not show a pause of the
            // server that is longer than the deadline.
            record(latency, deadline.toNanos());
        }
    }

    Load.Progress progress(Duration elapsed) {
        return new Load.Progress(elapsed, answered, non2xx, failed);
    }

    LoadResult result(Duration elapsed, long unfinished) {
        return new LoadResult(
                answered,
                non2xx,
                statuses(),
                new EnumMap<>(failures),
                unfinished,
                failedAttempts,
                unserved,
                latency,
                connectLatency,
                elapsed,
                new LoadResult.GeneratorEffort(lag, processors(elapsed)),
                firstTrouble);
    }

    private double processors(Duration elapsed) {
        return cpuBefore < 0 || elapsed.isZero() ? Double.NaN : (cpu() - cpuBefore) / (double) elapsed.toNanos();
    }

    /** The processor time of the loop's thread, in nanoseconds; negative if the system does not provide it. */
    private long cpu() {
        return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : -1;
    }

    private String describe(CallException failure) {
        return failure.failure() == Failure.DEADLINE
                ? noAnswer()
                : failure.failure().label() + " (" + failure.getMessage() + ")";
    }

    private String noAnswer() {
        return "no response within " + deadline.toMillis() + " ms";
    }

    private SortedMap<Integer, Long> statuses() {
        SortedMap<Integer, Long> map = new TreeMap<>();
        for (int status = 0; status < statuses.length; status++) {
            if (statuses[status] > 0) {
                map.put(status, statuses[status]);
            }
        }
        return map;
    }

    private void note(String trouble) {
        if (firstTrouble.isEmpty()) {
            firstTrouble = trouble;
        }
    }

    private static Histogram histogram() {
        return new Histogram(SHORTEST, LONGEST, 3);
    }

    private static void record(Histogram histogram, long nanos) {
        histogram.recordValue(Math.min(Math.max(nanos, 0), LONGEST));
    }
}
