package io.penstock.admin;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.metrics.Refusals;
import io.penstock.metrics.RequestMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A short log of problems: refused and failed requests, and lost connections. If many clients have the same problem at about the same time,
 * the log has one entry with a count.
 *
 * <p>Thread: one.
 */
final class Incidents {
    private static final int MAX = 12;

    /** A repetition within this time belongs to the same incident. */
    private static final Duration TOGETHER = Duration.ofSeconds(10);

    private final Words words;
    private final Map<String, Long> known = new LinkedHashMap<>();
    private final List<Incident> incidents = new ArrayList<>();
    private History history = History.UNKNOWN;
    private long numbers;
    private Losses losses = Losses.NONE;
    private final RecentLosses.Log recent = new RecentLosses.Log();
    private RecentLosses lost = RecentLosses.NONE;

    /** Whether the counts of an earlier reading are known. */
    private enum History {
        UNKNOWN,
        KNOWN
    }

    Incidents(Words words) {
        this.words = words;
    }

    /**
     * Adds the problems since the last reading of the counters. The first reading only stores the counts.
     *
     * @param metrics null if requests are not measured
     */
    void look(
            @Nullable RequestMetrics metrics, List<Watched.Application> applications, Counters counters, Instant now) {
        if (metrics != null) {
            losses = new Losses(losses.refused() + refused(metrics, now), failed(applications, now));
        }
        for (Counter counter : Counter.values()) {
            String what = words.of(counter);
            if (what != null) {
                happened(counter.id(), 0, "", what, counters.value(counter), now);
            }
        }
        while (incidents.size() > MAX) {
            incidents.remove(0);
        }
        history = History.KNOWN;
        lost = recent.until(now);
    }

    /** The number of requests that were refused since the last reading. */
    private long refused(RequestMetrics metrics, Instant now) {
        long more = 0;
        for (Map.Entry<Refusals.Kind, Long> refused : metrics.refusals().entrySet()) {
            Refusals.Kind kind = refused.getKey();
            String what = words.of(kind.status(), kind.reason());
            more += lost(kind.toString(), kind.status(), "", what, refused.getValue(), now);
        }
        return more;
    }

    /**
     * The number of failed requests of each application since the first reading. The result does not contain applications that are out of
     * service.
     */
    private Map<String, Long> failed(List<Watched.Application> applications, Instant now) {
        Map<String, Long> failed = new HashMap<>();
        for (Watched.Application application : applications) {
            long all = losses.failed().getOrDefault(application.path(), 0L);
            for (Map.Entry<Integer, Long> one : application.failures().entrySet()) {
                int status = one.getKey();
                all += lost(
                        "failed " + status + " " + application.path(),
                        status,
                        application.path(),
                        application.path() + " failed",
                        one.getValue(),
                        now);
            }
            failed.put(application.path(), all);
        }
        return failed;
    }

    private long lost(String id, int status, String application, String what, long times, Instant now) {
        long more = happened(id, status, application, what, times, now);
        if (more > 0) {
            recent.add(new RecentLosses.Loss(now, status, application, what, more));
        }
        return more;
    }

    private long happened(String id, int status, String application, String what, long times, Instant now) {
        Long before = known.put(id, times);
        long more = history == History.KNOWN ? times - (before == null ? 0 : before) : 0;
        // The difference is negative if a new version of the application has begun to count from zero.
        if (more > 0) {
            note(status, application, what, more, now);
        }
        return Math.max(0, more);
    }

    private void note(int status, String application, String what, long more, Instant now) {
        for (int i = 0; i < incidents.size(); i++) {
            Incident one = incidents.get(i);
            if (one.status() == status
                    && one.words().equals(what)
                    && one.last().plus(TOGETHER).isAfter(now)) {
                incidents.remove(i);
                incidents.add(one.and(more, now));
                return;
            }
        }
        numbers++;
        incidents.add(new Incident(numbers, now, now, status, application, what, more));
    }

    /** Clears the log after a time without readings, because older problems are not of interest. */
    void restart() {
        history = History.UNKNOWN;
        incidents.clear();
        recent.clear();
    }

    /** The unsuccessful requests since the first reading of the counters. */
    Losses losses() {
        return losses;
    }

    /** The unsuccessful requests of the last seconds. */
    RecentLosses recent() {
        return lost;
    }

    /** The incidents; the latest incident is the first. */
    List<Incident> latest() {
        return incidents.stream()
                .sorted(Comparator.comparing(Incident::last).reversed())
                .toList();
    }
}
