package io.penstock.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The unsuccessful requests of the last seconds. Each request has failed in an application, or the server has refused the request.
 *
 * @param period the length of the covered time: {@link #SPAN}, or the time since the first reading if this time is shorter
 */
record RecentLosses(Duration period, List<Loss> all) {
    static final Duration SPAN = Duration.ofSeconds(10);

    static final RecentLosses NONE = new RecentLosses(SPAN, List.of());

    /**
     * The smallest number of client errors that an operator should look at. Fewer errors are usual: some clients scan for weaknesses, and
     * some do not complete their requests.
     */
    private static final long USUAL = 10;

    private static final int TOO_MANY_REQUESTS = 429;

    /**
     * Requests with the same problem.
     *
     * @param at the time at which the problem was seen
     * @param application the path of the application that failed; empty if the server refused the requests
     * @param words the reason of a refusal
     */
    record Loss(Instant at, int status, String application, String words, long times) {

        /** Whether the client caused the problem: the status is 4xx, and not 429. */
        boolean isErrorOfClient() {
            return status >= 400 && status < 500 && status != TOO_MANY_REQUESTS;
        }
    }

    /** Collects the losses of successive readings. Thread: one. */
    static final class Log {
        private final ArrayDeque<Loss> losses = new ArrayDeque<>();
        private Instant since = Instant.MAX;

        void add(Loss loss) {
            losses.addLast(loss);
        }

        /** The losses of the last ten seconds. */
        RecentLosses until(Instant now) {
            since = since.isBefore(now) ? since : now;
            losses.removeIf(
                    loss -> loss.at().isAfter(now) || !loss.at().plus(SPAN).isAfter(now));
            Duration looked = Duration.between(since, now);
            return new RecentLosses(looked.compareTo(SPAN) < 0 ? looked : SPAN, List.copyOf(losses));
        }

        void clear() {
            losses.clear();
            since = Instant.MAX;
        }
    }

    List<Loss> failures() {
        return all.stream().filter(loss -> !loss.application().isEmpty()).toList();
    }

    /** All refusals. */
    List<Loss> refusals() {
        return all.stream().filter(loss -> loss.application().isEmpty()).toList();
    }

    /** The refusals that an operator should look at. A small number of client errors is omitted. */
    List<Loss> notableRefusals() {
        List<Loss> refusals = refusals();
        long ofClients = count(refusals.stream().filter(Loss::isErrorOfClient).toList());
        return ofClients >= USUAL
                ? refusals
                : refusals.stream().filter(loss -> !loss.isErrorOfClient()).toList();
    }

    static long count(List<Loss> losses) {
        return losses.stream().mapToLong(Loss::times).sum();
    }

    /** The number of requests for each value of a property, the largest number first. */
    static Map<String, Long> counts(List<Loss> losses, Function<Loss, String> property) {
        Map<String, Long> counts = losses.stream()
                .collect(Collectors.groupingBy(property, LinkedHashMap::new, Collectors.summingLong(Loss::times)));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new));
    }

    /** The whole seconds since the last of these losses. */
    static long secondsAgo(List<Loss> losses, Instant now) {
        return losses.stream()
                .map(loss -> Duration.between(loss.at(), now).toSeconds())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** A phrase such as {@code in the last 10 s}. */
    String words() {
        return "in the last " + seconds() + " s";
    }

    /** The period in whole seconds, at least one. */
    long seconds() {
        return Math.max(1, period.plusMillis(999).toSeconds());
    }
}
