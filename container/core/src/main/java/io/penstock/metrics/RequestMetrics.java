package io.penstock.metrics;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import java.net.SocketAddress;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * What is counted and measured of a server's requests. It has a place for everything from the start, so its memory stays as it is,
 * however many requests come and whatever is in them.
 *
 * <p>Thread: any. Nothing waits.
 */
public final class RequestMetrics implements ConnectionEvents {
    /** One more than the highest status. */
    static final int STATUSES = 1000;

    private final Map<Stage, Durations> stages = new EnumMap<>(Stage.class);
    private final RequestDurations durations = new RequestDurations();
    private final Map<Method, LongAdder> active = new EnumMap<>(Method.class);
    private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
    private final AtomicLongArray statuses = new AtomicLongArray(STATUSES);
    private final Durations served = new Durations();
    private final Refusals refusals = new Refusals();
    private final LongAdder opened = new LongAdder();
    private final LongAdder requestBodies = new LongAdder();
    private final LongAdder requestOnDisk = new LongAdder();
    private final LongAdder responseOnDisk = new LongAdder();

    public RequestMetrics() {
        for (Stage stage : Stage.values()) {
            stages.put(stage, new Durations());
        }
        for (Method method : Method.values()) {
            active.put(method, new LongAdder());
        }
        for (Outcome outcome : Outcome.values()) {
            outcomes.put(outcome, new LongAdder());
        }
    }

    // ---- told

    @Override
    public boolean followsRequests() {
        return true;
    }

    @Override
    public void opened(String connection, SocketAddress remote) {
        opened.increment();
    }

    @Override
    public void refused(String connection, int status, String reason) {
        refusals.count(status, reason);
    }

    @Override
    public void headArrived(Request request) {
        of(active, Method.of(request.method())).increment();
    }

    @Override
    public void ended(RequestSummary summary) {
        Method method = Method.of(summary.request().method());
        of(active, method).decrement();
        of(outcomes, summary.outcome()).increment();
        if (summary.status() > 0 && summary.status() < STATUSES) {
            statuses.getAndIncrement(summary.status());
        }
        RequestSummary.Times times = summary.times();
        durations.record(method, summary.outcome(), summary.status(), times.total());
        boolean refused = summary.outcome() == Outcome.REFUSED;
        for (Stage stage : Stage.values()) {
            long nanos = stage.of(times);
            // Who is refused at once would make the waits of those who are not look short.
            if (nanos > 0 && !(refused && stage == Stage.QUEUE)) {
                of(stages, stage).record(nanos);
            }
        }
        if (!refused) {
            served.record(times.total());
        }
        count(summary.volume());
    }

    private void count(RequestSummary.Volume volume) {
        if (volume.received() > 0) {
            requestBodies.add(volume.received());
            requestOnDisk.add(volume.requestOnDisk());
        }
        if (volume.responseOnDisk() > 0) {
            responseOnDisk.add(volume.responseOnDisk());
        }
    }

    // ---- asked

    /** How long requests were in a stage; those that did not reach it, or were refused in the queue, are not counted. */
    public Durations.Snapshot stage(Stage stage) {
        return of(stages, stage).snapshot();
    }

    /** From the first byte of a request to the last of its answer, of those that have ended and were not refused. */
    public Durations.Snapshot served() {
        return served.snapshot();
    }

    /** The same of all that have ended, also of those that were refused, in what is told apart there. */
    RequestDurations durations() {
        return durations;
    }

    /** Requests whose head has arrived and that have not ended. */
    public long active(Method method) {
        return Math.max(0, of(active, method).sum());
    }

    public long outcomes(Outcome outcome) {
        return of(outcomes, outcome).sum();
    }

    /** Which statuses responses had, in order; 200 in any case. */
    List<Integer> statuses() {
        return IntStream.range(0, STATUSES)
                .filter(status -> status == 200 || statuses.get(status) > 0)
                .boxed()
                .toList();
    }

    /** How many responses had this status. */
    public long responses(int status) {
        return statuses.get(status);
    }

    public SortedMap<Refusals.Kind, Long> refusals() {
        return refusals.snapshot();
    }

    long refusals(Refusals.Kind kind) {
        return refusals.count(kind);
    }

    public Traffic traffic() {
        long ended = 0;
        for (Outcome outcome : Outcome.values()) {
            ended += outcomes(outcome);
        }
        return new Traffic(
                opened.sum(),
                ended - outcomes(Outcome.REFUSED),
                requestBodies.sum(),
                requestOnDisk.sum(),
                responseOnDisk.sum());
    }

    private static <K, V> V of(Map<K, V> all, K one) {
        return Objects.requireNonNull(all.get(one));
    }
}
