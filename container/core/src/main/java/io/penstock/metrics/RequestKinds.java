package io.penstock.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.events.RequestSummary;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Which kinds of requests there have been: told apart by their method and by how they ended, as the conventions of OpenTelemetry for {@code
 * http.server.request.duration} want it. An application may send any status to any method, so only so many kinds are told apart; what comes
 * then is told apart by its method alone. Each kind has a number.
 *
 * <p>Thread: any. Asking never waits, but for another that meets the same new kind at that moment.
 */
final class RequestKinds {
    /** Kinds, beside those of methods alone: enough for all that a site sends, and a text of some hundred kilobytes at most. */
    static final int MOST = 64;

    /** Numbers are below this. */
    static final int NUMBERS = MOST + Method.values().length;

    private static final int STATUSES = RequestMetrics.STATUSES;
    private static final int ABORTED = STATUSES;
    private static final int GONE = STATUSES + 1;
    private static final int OTHER = STATUSES + 2;
    private static final int ENDS = STATUSES + 3;

    private static final int UNKNOWN = -1;

    /** The number by method, and by how the request ended: a status, or one of the others. */
    private final Map<Method, AtomicIntegerArray> numbers = new EnumMap<>(Method.class);

    @GuardedBy("this")
    private int made;

    /** One kind is there from the start, so that whoever asks early learns the names. */
    RequestKinds() {
        int other = MOST;
        for (Method method : Method.values()) {
            AtomicIntegerArray ends = new AtomicIntegerArray(ENDS);
            for (int end = 0; end < ENDS; end++) {
                ends.setPlain(end, UNKNOWN);
            }
            ends.setPlain(OTHER, other++);
            numbers.put(method, ends);
        }
        number(Method.GET, 200);
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
        return number(Method.of(summary.request().method()), end);
    }

    private int number(Method method, int end) {
        AtomicIntegerArray ends = of(method);
        int known = ends.get(end);
        return known == UNKNOWN ? make(ends, end) : known;
    }

    /** Beyond the bound a kind has the number of its method's others, so that the next request of it finds that. */
    private synchronized int make(AtomicIntegerArray ends, int end) {
        if (ends.get(end) == UNKNOWN) { // and nobody was faster
            ends.set(end, made < MOST ? made++ : ends.get(OTHER));
        }
        return ends.get(end);
    }

    private AtomicIntegerArray of(Method method) {
        return Objects.requireNonNull(numbers.get(method));
    }

    /** Is told each kind that there is. */
    interface Each {

        /**
         * @param status 0 if there is none, or it is not told apart
         * @param error by the conventions; empty if there was none
         */
        void kind(int number, int status, String error);
    }

    /** The kinds of one method; its others are one, perhaps of no request. */
    void each(Method method, Each each) {
        AtomicIntegerArray ends = of(method);
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
