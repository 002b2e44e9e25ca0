package io.penstock.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.telemetry.Times;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long requests took, told apart by their method and by how they ended, as the conventions of OpenTelemetry for {@code
 * http.server.request.duration} want it. An application may send any status to any method, so only so many kinds are told apart; what comes
 * then is told apart by its method alone.
 *
 * <p>Thread: any. Recording never waits, but for another that meets the same new kind at that moment; it makes something with the first request of a
 * kind only.
 */
final class RequestDurations {
    /** Kinds, beside those of methods alone: enough for all that a site sends, and a text of some hundred kilobytes at most. */
    static final int MOST = 64;

    private static final int STATUSES = RequestMetrics.STATUSES;
    private static final int ABORTED = STATUSES;
    private static final int GONE = STATUSES + 1;
    private static final int OTHER = STATUSES + 2;
    private static final int ENDS = STATUSES + 3;

    /** By method, and by how the request ended: a status, or one of the others. */
    private final Map<Method, AtomicReferenceArray<@Nullable BucketCounts>> kinds = new EnumMap<>(Method.class);

    @GuardedBy("this")
    private int made;

    /** One kind is there from the start, so that whoever asks early learns the names. */
    RequestDurations() {
        for (Method method : Method.values()) {
            kinds.put(method, new AtomicReferenceArray<>(ENDS));
        }
        counts(Method.GET, 200);
    }

    void record(Method method, Outcome outcome, int status, long nanos) {
        int end =
                switch (outcome) {
                    case ABORTED -> ABORTED;
                    case GONE -> GONE;
                    case ANSWERED, REFUSED -> status > 0 && status < STATUSES ? status : OTHER;
                };
        counts(method, end).record(nanos);
    }

    private BucketCounts counts(Method method, int end) {
        AtomicReferenceArray<@Nullable BucketCounts> ends = of(method);
        BucketCounts known = ends.get(end);
        return known == null ? make(ends, end) : known;
    }

    /** Beyond the bound a kind has the place of its method's others, too, so that the next request of it finds it there. */
    private synchronized BucketCounts make(AtomicReferenceArray<@Nullable BucketCounts> ends, int end) {
        BucketCounts faster = ends.get(end);
        if (faster != null) {
            return faster;
        }
        BucketCounts counts;
        if (end == OTHER) {
            counts = new BucketCounts(Buckets.REQUEST);
        } else if (made < MOST) {
            made++;
            counts = new BucketCounts(Buckets.REQUEST);
        } else {
            counts = make(ends, OTHER);
        }
        ends.set(end, counts);
        return counts;
    }

    /** How many of a method have ended. */
    long count(Method method) {
        AtomicReferenceArray<@Nullable BucketCounts> ends = of(method);
        long count = 0;
        for (int end = 0; end < ENDS; end++) {
            count += isKind(ends, end) ? Objects.requireNonNull(ends.get(end)).count() : 0;
        }
        return count;
    }

    /** Whether something is counted there, and not in the place of the method's others. */
    private static boolean isKind(AtomicReferenceArray<@Nullable BucketCounts> ends, int end) {
        BucketCounts counts = ends.get(end);
        return counts != null && (end == OTHER || counts != ends.get(OTHER));
    }

    private AtomicReferenceArray<@Nullable BucketCounts> of(Method method) {
        return Objects.requireNonNull(kinds.get(method));
    }

    /** Is told each kind that there is. */
    interface Each {

        /**
         * @param status 0 if there is none, or it is not told apart
         * @param error by the conventions; empty if there was none
         */
        void kind(Method method, int status, String error, Supplier<Times> times);
    }

    void each(Each each) {
        kinds.forEach((method, ends) -> {
            for (int end = 0; end < ENDS; end++) {
                if (isKind(ends, end)) {
                    BucketCounts counts = Objects.requireNonNull(ends.get(end));
                    each.kind(method, end < STATUSES ? end : 0, error(end), counts::times);
                }
            }
        });
    }

    private static String error(int end) {
        return switch (end) {
            case ABORTED -> "aborted";
            case GONE -> "gone";
            case OTHER -> "";
            default -> end >= 500 ? Integer.toString(end) : "";
        };
    }
}
