package io.penstock.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.RequestSummary;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The kinds of requests that the server has had so far. A kind consists of a scheme, a method and an outcome, as in OpenTelemetry's
 * conventions for {@code http.server.request.duration}. An application can send any status for any method, so the number of kinds is
 * limited ({@link #MAX}). Each kind has a number. After the limit is reached, a new outcome gets no kind of its own. A request with this
 * outcome belongs to the shared kind of its scheme and method.
 *
 * <p>Thread: any. A lookup of a known kind never waits. The first lookup of a new kind can wait while another thread adds a kind.
 */
final class RequestKinds {
    /**
     * The maximum number of kinds with an outcome of their own. Each pair of a scheme and a method has one more kind, which all further
     * outcomes share. 64 kinds suffice for all responses of a site, and keep the text of the metrics below a few hundred kilobytes.
     */
    static final int MAX = 64;

    /** One more than the highest number of a kind. */
    static final int NUMBERS = MAX + Scheme.values().length * Method.values().length;

    private static final int STATUSES = RequestMetrics.STATUSES;
    private static final int ABORTED = STATUSES;
    private static final int GONE = STATUSES + 1;
    private static final int OTHER = STATUSES + 2;
    private static final int ENDS = STATUSES + 3;

    private static final int UNKNOWN = -1;

    /**
     * The numbers of the kinds, by scheme and method. The index in the array is the outcome: a status, {@link #ABORTED}, {@link #GONE} or
     * {@link #OTHER}.
     */
    private final Map<Scheme, Map<Method, AtomicIntegerArray>> numbers = new EnumMap<>(Scheme.class);

    @GuardedBy("this")
    private int made;

    /**
     * Creates the first kind: GET with status 200. So the metrics exist before the first request.
     *
     * @param usual the scheme of most requests
     */
    RequestKinds(Scheme usual) {
        int other = MAX;
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
     * Assigns a number to a new kind. If {@link #MAX} kinds exist already, the kind gets the shared number of its scheme and method. The
     * next request of the same kind finds the number in {@code ends}.
     */
    private synchronized int make(AtomicIntegerArray ends, int end) {
        // Another thread may have added the number since the check in number().
        if (ends.get(end) == UNKNOWN) {
            ends.set(end, made < MAX ? made++ : ends.get(OTHER));
        }
        return ends.get(end);
    }

    private AtomicIntegerArray of(Scheme scheme, Method method) {
        return Objects.requireNonNull(
                Objects.requireNonNull(numbers.get(scheme)).get(method));
    }

    /** Receives the kinds of requests one after the other. */
    interface Each {

        /**
         * @param status the status of the response; 0 if there is no response, and for the shared kind
         * @param error the attribute {@code error.type} of OpenTelemetry; empty if there was no error
         */
        void kind(int number, int status, String error);
    }

    /** Passes the kinds of one scheme and method to {@code each}, including the shared kind. The shared kind can have no requests. */
    void each(Scheme scheme, Method method, Each each) {
        AtomicIntegerArray ends = of(scheme, method);
        for (int end = 0; end < ENDS; end++) {
            int number = ends.get(end);
            if (number != UNKNOWN && (end == OTHER || number < MAX)) {
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
