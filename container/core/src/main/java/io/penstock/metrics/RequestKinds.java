package io.penstock.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.RequestSummary;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The kinds of requests so far. A kind is a scheme and a method with an outcome, as in OpenTelemetry's conventions for {@code
 * http.server.request.duration}. An application may send any status for any method, so the number of kinds is limited. Beyond the limit
 * only schemes and methods are distinguished. Each kind has a number.
 *
 * <p>Thread: any. A lookup of a known kind never waits. The first lookup of a new kind may wait while another thread adds a kind.
 */
final class RequestKinds {
    /**
     * The most kinds with an outcome of their own. The kinds that all further outcomes of a scheme and a method share come in addition. This
     * suffices for all responses of a site, and keeps the text of the metrics below some hundred kilobytes.
     */
    static final int MOST = 64;

    /** All numbers are below this one. */
    static final int NUMBERS = MOST + Scheme.values().length * Method.values().length;

    private static final int STATUSES = RequestMetrics.STATUSES;
    private static final int ABORTED = STATUSES;
    private static final int GONE = STATUSES + 1;
    private static final int OTHER = STATUSES + 2;
    private static final int ENDS = STATUSES + 3;

    private static final int UNKNOWN = -1;

    /** The numbers of kinds by scheme, method and outcome: a status, ABORTED, GONE or OTHER. */
    private final Map<Scheme, Map<Method, AtomicIntegerArray>> numbers = new EnumMap<>(Scheme.class);

    @GuardedBy("this")
    private int made;

    /**
     * One kind exists from the start, so that the metrics have their names before the first request.
     *
     * @param usual the kind of most requests
     */
    RequestKinds(Scheme usual) {
        int other = MOST;
        for (Scheme scheme : Scheme.values()) {
            Map<Method, AtomicIntegerArray> ofScheme = new EnumMap<>(Method.class);
            for (Method method : Method.values()) {
                AtomicIntegerArray ends = new AtomicIntegerArray(ENDS);
                for (int end = 0; end < ENDS; end++) {
                    ends.setPlain(end, UNKNOWN);
                }
                ends.setPlain(OTHER, other++);
                ofScheme.put(method, ends);
            }
            numbers.put(scheme, ofScheme);
        }
        number(usual, Method.GET, 200);
    }

    /** The number of a request's kind. */
    int of(RequestSummary summary) {
        int status = summary.status();
        int end =
                switch (summary.outcome()) {
                    case ABORTED -> ABORTED;
                    case GONE -> GONE;
                    case ANSWERED, REFUSED -> status > 0 && status < STATUSES ? status : OTHER;
                };
        return number(Scheme.of(summary.request()), Method.of(summary.request().method()), end);
    }

    private int number(Scheme scheme, Method method, int end) {
        AtomicIntegerArray ends = of(scheme, method);
        int known = ends.get(end);
        return known == UNKNOWN ? make(ends, end) : known;
    }

    /**
     * Assigns a number to a new kind. Beyond the limit, the kind gets the number that all further kinds of its method share. The next
     * request of that kind finds the number in the table.
     */
    private synchronized int make(AtomicIntegerArray ends, int end) {
        if (ends.get(end) == UNKNOWN) { // unless another thread was faster
            ends.set(end, made < MOST ? made++ : ends.get(OTHER));
        }
        return ends.get(end);
    }

    private AtomicIntegerArray of(Scheme scheme, Method method) {
        return Objects.requireNonNull(
                Objects.requireNonNull(numbers.get(scheme)).get(method));
    }

    /** Receives each kind. */
    interface Each {

        /**
         * @param status 0 if there is none, or if it is not distinguished
         * @param error by the conventions; empty if there was none
         */
        void kind(int number, int status, String error);
    }

    /** Passes the kinds of one scheme and method. All kinds beyond the limit are one kind, perhaps without requests. */
    void each(Scheme scheme, Method method, Each each) {
        AtomicIntegerArray ends = of(scheme, method);
        for (int end = 0; end < ENDS; end++) {
            int number = ends.get(end);
            if (number != UNKNOWN && (end == OTHER || number < MOST)) {
                each.kind(number, end < STATUSES ? end : 0, error(end));
            }
        }
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
