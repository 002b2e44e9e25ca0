package io.penstock.metrics;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * What is counted and measured of a server's requests. It has a place for everything from the start, so its memory stays as it is,
 * however many requests come and whatever is in them.
 *
 * <p>Thread: any. Who tells waits for none but another who counts in the same tally at that moment, or looks at it; that takes a
 * microsecond at most.
 */
public final class RequestMetrics implements ConnectionEvents {
    /** One more than the highest status. */
    static final int STATUSES = 1000;

    /** More would be of use only where more processors than that end requests at one moment. */
    private static final int MOST_TALLIES = 16;

    private final Tally[] tallies = new Tally[tallies()];
    private final RequestDurations durations = new RequestDurations();
    private final Map<Method, LongAdder> begun = new EnumMap<>(Method.class);
    private final Refusals refusals = new Refusals();
    private final LongAdder opened = new LongAdder();

    public RequestMetrics() {
        Arrays.setAll(tallies, i -> new Tally());
        for (Method method : Method.values()) {
            begun.put(method, new LongAdder());
        }
    }

    /** As many as there are processors, or a few more: a power of two. */
    private static int tallies() {
        int processors = Math.min(MOST_TALLIES, Runtime.getRuntime().availableProcessors());
        return Integer.highestOneBit(2 * processors - 1);
    }

    private LongAdder begun(Method method) {
        return Objects.requireNonNull(begun.get(method));
    }

    /** A client's requests have one and the same. */
    private Tally tally(Request request) {
        int hash = request.connection().hashCode();
        return tallies[(hash ^ hash >>> 4) & (tallies.length - 1)];
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
        begun(Method.of(request.method())).increment();
    }

    @Override
    public void ended(RequestSummary summary) {
        Request request = summary.request();
        durations.record(
                Method.of(request.method()),
                summary.outcome(),
                summary.status(),
                summary.times().total());
        tally(request).ended(summary);
    }

    // ---- asked

    /** How long requests were in a stage; those that did not reach it, or were refused in the queue, are not counted. */
    public Durations.Snapshot stage(Stage stage) {
        return times(tally -> tally.stage(stage));
    }

    /** From the first byte of a request to the last of its answer, of those that have ended and were not refused. */
    public Durations.Snapshot served() {
        return times(Tally::served);
    }

    private Durations.Snapshot times(Function<Tally, Durations.Snapshot> of) {
        return Arrays.stream(tallies).map(of).reduce(Durations.Snapshot.EMPTY, Durations.Snapshot::plus);
    }

    private long sum(ToLongFunction<Tally> of) {
        return Arrays.stream(tallies).mapToLong(of).sum();
    }

    /** The same of all that have ended, also of those that were refused, in what is told apart there. */
    RequestDurations durations() {
        return durations;
    }

    /** Requests whose head has arrived and that have not ended. */
    public long active(Method method) {
        long ended = durations.count(method); // first: each has begun, so there are never fewer than none
        return begun(method).sum() - ended;
    }

    public long outcomes(Outcome outcome) {
        return sum(tally -> tally.outcomes(outcome));
    }

    /** Which statuses responses had, in order; 200 in any case. */
    List<Integer> statuses() {
        long[] counts = new long[STATUSES];
        for (Tally tally : tallies) {
            tally.addStatuses(counts);
        }
        return IntStream.range(0, STATUSES)
                .filter(status -> status == 200 || counts[status] > 0)
                .boxed()
                .toList();
    }

    /** How many responses had this status. */
    public long responses(int status) {
        return sum(tally -> tally.responses(status));
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
                sum(Tally::requestBodies),
                sum(Tally::requestOnDisk),
                sum(Tally::responseOnDisk));
    }
}
