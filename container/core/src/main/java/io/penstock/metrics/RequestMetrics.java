package io.penstock.metrics;

import io.penstock.events.ConnectionEvents;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.telemetry.Times;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Counts and measures a server's requests. The needed memory has a fixed bound. The memory does not depend on the number or content of
 * requests.
 *
 * <p>Thread: any. Each thread uses one of several {@link Tally tallies}. A thread that reports an event might have to wait for another
 * thread with the same tally. The wait takes a few hundred nanoseconds. The wait is longer if the operating system suspends the other
 * thread.
 */
public final class RequestMetrics implements ConnectionEvents {
    /** One more than the highest status. */
    static final int STATUSES = 1000;

    /** The lowest status that means a failure of the server or of the application (RFC 9110 section 15.6). */
    static final int FIRST_FAILURE = 500;

    /**
     * The maximum number of tallies. On a machine with many processors, more than 16 threads can end requests at the same time. Some of
     * these threads share a tally.
     */
    private static final int MAX_TALLIES = 16;

    private final Tally[] tallies =
            new Tally[Math.min(MAX_TALLIES, 2 * Runtime.getRuntime().availableProcessors())];
    private final AtomicInteger threads = new AtomicInteger();
    private final ThreadLocal<Tally> tallyOfThread = ThreadLocal.withInitial(this::nextTally);

    private final Set<Scheme> schemes;
    private final RequestKinds kinds;
    private final Map<Scheme, Map<Method, LongAdder>> begun = new EnumMap<>(Scheme.class);
    private final Refusals refusals = new Refusals();
    private final LongAdder opened = new LongAdder();

    /** The metrics of a server without TLS. */
    public RequestMetrics() {
        this(Set.of(Scheme.HTTP), Scheme.HTTP);
    }

    private RequestMetrics(Set<Scheme> schemes, Scheme usual) {
        this.schemes = Collections.unmodifiableSet(EnumSet.copyOf(schemes));
        this.kinds = new RequestKinds(usual);
        Arrays.setAll(tallies, i -> new Tally());
        for (Scheme scheme : Scheme.values()) {
            Map<Method, LongAdder> ofScheme = new EnumMap<>(Method.class);
            for (Method method : Method.values()) {
                ofScheme.put(method, new LongAdder());
            }
            begun.put(scheme, ofScheme);
        }
    }

    /** @param alsoPlain whether the server also has a listener without TLS */
    public static RequestMetrics overTls(boolean alsoPlain) {
        return new RequestMetrics(alsoPlain ? EnumSet.allOf(Scheme.class) : EnumSet.of(Scheme.HTTPS), Scheme.HTTPS);
    }

    /** The schemes of the server's listeners. */
    Set<Scheme> schemes() {
        return schemes;
    }

    /** Returns the tallies in turn. So most concurrent threads have different tallies. */
    private Tally nextTally() {
        return tallies[Math.floorMod(threads.getAndIncrement(), tallies.length)];
    }

    private LongAdder begun(Scheme scheme, Method method) {
        return Objects.requireNonNull(Objects.requireNonNull(begun.get(scheme)).get(method));
    }

    // ---- events

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
        begun(Scheme.of(request), Method.of(request.method())).increment();
    }

    @Override
    public void ended(RequestSummary summary) {
        tallyOfThread.get().ended(kinds.of(summary), summary);
    }

    // ---- readings

    /**
     * The durations of a stage. A request that did not reach the stage is not counted. A refused request is not counted in the stage {@link
     * Stage#QUEUE}.
     */
    public Durations.Snapshot stage(Stage stage) {
        return times(tally -> tally.stage(stage));
    }

    /**
     * The total durations of the requests that have ended and were not refused. A total duration is the time from the first byte of a
     * request to the last byte of its response.
     */
    public Durations.Snapshot served() {
        return times(Tally::served);
    }

    private Durations.Snapshot times(Function<Tally, Durations.Snapshot> of) {
        return Arrays.stream(tallies).map(of).reduce(Durations.Snapshot.EMPTY, Durations.Snapshot::plus);
    }

    private long sum(ToLongFunction<Tally> of) {
        return Arrays.stream(tallies).mapToLong(of).sum();
    }

    /** Receives the times of each kind of requests. */
    interface EachKind {

        /**
         * The durations from the first byte of a request to the last byte of its response, including refused requests.
         *
         * @param status the status of the response; 0 if there is no response, or if the kind includes several statuses
         * @param error the attribute {@code error.type} of OpenTelemetry; empty if there was no error
         */
        void kind(Scheme scheme, Method method, int status, String error, Supplier<Times> times);
    }

    void eachKind(EachKind each) {
        for (Scheme scheme : Scheme.values()) {
            for (Method method : Method.values()) {
                kinds.each(scheme, method, (number, status, error) -> {
                    if (number < RequestKinds.MAX || kind(number).count() > 0) {
                        each.kind(scheme, method, status, error, () -> kind(number)
                                .times());
                    }
                });
            }
        }
    }

    private BucketCounts kind(int number) {
        BucketCounts all = new BucketCounts(Buckets.REQUEST);
        for (Tally tally : tallies) {
            tally.addKind(number, all);
        }
        return all;
    }

    private long ended(Scheme scheme, Method method) {
        LongAdder ended = new LongAdder();
        kinds.each(
                scheme,
                method,
                (number, status, error) -> ended.add(kind(number).count()));
        return ended.sum();
    }

    /** The number of requests whose head has arrived and that have not ended. */
    public long active(Method method) {
        return Arrays.stream(Scheme.values())
                .mapToLong(scheme -> active(scheme, method))
                .sum();
    }

    /** The number of requests of one scheme whose head has arrived and that have not ended. */
    long active(Scheme scheme, Method method) {
        // Read the ended requests first. Otherwise, a request that ends between the two readings could make the
        // difference negative.
        long ended = ended(scheme, method);
        return Math.max(0, begun(scheme, method).sum() - ended);
    }

    public long outcomes(Outcome outcome) {
        return sum(tally -> tally.outcomes(outcome));
    }

    /** The statuses of all responses so far, in ascending order. The list always includes 200. */
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

    /** The number of responses with this status. */
    public long responses(int status) {
        return sum(tally -> tally.responses(status));
    }

    /**
     * The number of responses that applications sent with each status from 500 on. Responses of the server itself are counted in {@link
     * #refusals()} instead.
     */
    public SortedMap<Integer, Long> failures() {
        long[] counts = new long[STATUSES];
        for (Tally tally : tallies) {
            tally.addFailures(counts);
        }
        SortedMap<Integer, Long> failures = new TreeMap<>();
        for (int status = FIRST_FAILURE; status < STATUSES; status++) {
            // Status 500 always has a row. So monitors know the name of the metric from the start.
            if (status == FIRST_FAILURE || counts[status] > 0) {
                failures.put(status, counts[status]);
            }
        }
        return failures;
    }

    long failures(int status) {
        return sum(tally -> tally.failures(status));
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
