package io.penstock.admin;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.metrics.Refusals;
import io.penstock.metrics.RequestMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A short log of requests and connections that were refused, cut off or lost, or failed in an application. The same problem of many clients
 * at one time is one entry with a count.
 *
 * <p>Thread: one.
 */
final class Incidents {
    private static final int MOST = 12;

    /** A repetition within this time belongs to the same incident. */
    private static final Duration TOGETHER = Duration.ofSeconds(10);

    private final Words words;
    private final Map<String, Long> known = new LinkedHashMap<>();
    private final List<Incident> incidents = new ArrayList<>();
    private History history = History.UNKNOWN;
    private long numbers;
    private long refusedNow;
    private long failedNow;

    /** Whether there is a reading to compare with. */
    private enum History {
        UNKNOWN,
        KNOWN
    }

    Incidents(Words words) {
        this.words = words;
    }

    /** Adds the problems since the last reading. The first reading only stores the counts. */
    void look(@Nullable RequestMetrics metrics, Counters counters, Instant now) {
        refusedNow = 0;
        failedNow = 0;
        if (metrics != null) {
            for (Map.Entry<Refusals.Kind, Long> refused : metrics.refusals().entrySet()) {
                Refusals.Kind kind = refused.getKey();
                String what = words.of(kind.status(), kind.reason());
                refusedNow += happened(kind.toString(), kind.status(), what, refused.getValue(), now);
            }
            for (Map.Entry<Integer, Long> failed : metrics.failures().entrySet()) {
                int status = failed.getKey();
                failedNow += happened("failed " + status, status, Words.FAILED, failed.getValue(), now);
            }
        }
        for (Counter counter : Counter.values()) {
            String what = words.of(counter);
            if (what != null) {
                happened(counter.id(), 0, what, counters.value(counter), now);
            }
        }
        while (incidents.size() > MOST) {
            incidents.remove(0);
        }
        history = History.KNOWN;
    }

    private long happened(String id, int status, String what, long times, Instant now) {
        Long before = known.put(id, times);
        long more = history == History.KNOWN ? times - (before == null ? 0 : before) : 0;
        if (more > 0) {
            note(status, what, more, now);
        }
        return more;
    }

    private void note(int status, String what, long more, Instant now) {
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
        incidents.add(new Incident(numbers, now, now, status, what, more));
    }

    /** Starts again after a time without readings: older problems are not news. */
    void restart() {
        history = History.UNKNOWN;
        incidents.clear();
    }

    /** How many requests were refused between the last two readings. */
    long refusedNow() {
        return refusedNow;
    }

    /** How many requests failed in an application between the last two readings. */
    long failedNow() {
        return failedNow;
    }

    /** The latest first. */
    List<Incident> latest() {
        return incidents.stream()
                .sorted(Comparator.comparing(Incident::last).reversed())
                .toList();
    }
}
