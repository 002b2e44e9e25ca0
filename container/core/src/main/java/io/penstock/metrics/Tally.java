package io.penstock.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.events.RequestSummary.Times;
import io.penstock.events.RequestSummary.Volume;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Counts and measures a part of a server's requests. All figures of a request are added inside one short synchronized block. This is
 * cheaper than one atomic addition for each figure.
 *
 * <p>Thread: any. A server has several tallies, and most of its threads use different tallies. So threads rarely wait for each other, and
 * processors rarely write to the same memory.
 */
final class Tally {
    @GuardedBy("this")
    private final Map<Stage, Durations> stages = new EnumMap<>(Stage.class);

    @GuardedBy("this")
    private final Durations served = new Durations();

    /** The total times of requests, by the number of their kind ({@link RequestKinds}); null if no request of the kind was counted. */
    @GuardedBy("this")
    private final @Nullable BucketCounts[] kinds = new BucketCounts[RequestKinds.NUMBERS];

    @GuardedBy("this")
    private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);

    @GuardedBy("this")
    private final long[] statuses = new long[RequestMetrics.STATUSES];

    /** Counts of the responses that applications sent with a status from {@link RequestMetrics#FIRST_FAILURE} on, by status. */
    @GuardedBy("this")
    private final long[] failures = new long[RequestMetrics.STATUSES - RequestMetrics.FIRST_FAILURE];

    @GuardedBy("this")
    private long requestBodies;

    @GuardedBy("this")
    private long requestOnDisk;

    @GuardedBy("this")
    private long responseOnDisk;

    Tally() {
        for (Stage stage : Stage.values()) {
            stages.put(stage, new Durations());
        }
    }

    // ---- events

    synchronized void ended(int kind, RequestSummary summary) {
        boolean refused = summary.outcome() == Outcome.REFUSED;
        outcomes.merge(summary.outcome(), 1L, Long::sum);
        if (summary.status() > 0 && summary.status() < statuses.length) {
            statuses[summary.status()]++;
            if (summary.status() >= RequestMetrics.FIRST_FAILURE && !refused) {
                failures[summary.status() - RequestMetrics.FIRST_FAILURE]++;
            }
        }
        kind(kind).record(summary.times().total());
        time(summary.times(), refused);
        volume(summary.volume());
    }

    @GuardedBy("this")
    private BucketCounts kind(int number) {
        BucketCounts known = kinds[number];
        if (known == null) {
            known = new BucketCounts(Buckets.REQUEST);
            kinds[number] = known;
        }
        return known;
    }

    @GuardedBy("this")
    private void time(Times times, boolean refused) {
        stage(Stage.HEAD, times.head());
        stage(Stage.BODY, times.body());
        stage(Stage.SERVICE, times.service());
        stage(Stage.DRAIN, times.drain());
        // Most refusals are immediate. Immediate refusals would distort the figures of the queue.
        if (!refused) {
            stage(Stage.QUEUE, times.queue());
            served.record(times.total());
        }
    }

    @GuardedBy("this")
    private void stage(Stage stage, long nanos) {
        if (nanos > 0) {
            of(stage).record(nanos);
        }
    }

    @GuardedBy("this")
    private Durations of(Stage stage) {
        return Objects.requireNonNull(stages.get(stage));
    }

    @GuardedBy("this")
    private void volume(Volume volume) {
        requestBodies += volume.received();
        requestOnDisk += volume.requestOnDisk();
        responseOnDisk += volume.responseOnDisk();
    }

    // ---- readings: RequestMetrics has methods with the same names

    synchronized Durations.Snapshot stage(Stage stage) {
        return of(stage).snapshot();
    }

    synchronized Durations.Snapshot served() {
        return served.snapshot();
    }

    /** Adds the times of all requests of a kind to {@code times}. */
    synchronized void addKind(int number, BucketCounts times) {
        BucketCounts known = kinds[number];
        if (known != null) {
            times.add(known);
        }
    }

    synchronized long outcomes(Outcome outcome) {
        return outcomes.getOrDefault(outcome, 0L);
    }

    synchronized long responses(int status) {
        return statuses[status];
    }

    synchronized long failures(int status) {
        return failures[status - RequestMetrics.FIRST_FAILURE];
    }

    /** Adds the failures to {@code counts}. The index in {@code counts} is the status. */
    synchronized void addFailures(long[] counts) {
        for (int i = 0; i < failures.length; i++) {
            counts[RequestMetrics.FIRST_FAILURE + i] += failures[i];
        }
    }

    /** Adds the number of responses of each status to {@code counts}. The index in {@code counts} is the status. */
    synchronized void addStatuses(long[] counts) {
        for (int status = 0; status < counts.length; status++) {
            counts[status] += statuses[status];
        }
    }

    synchronized long requestBodies() {
        return requestBodies;
    }

    synchronized long requestOnDisk() {
        return requestOnDisk;
    }

    synchronized long responseOnDisk() {
        return responseOnDisk;
    }
}
