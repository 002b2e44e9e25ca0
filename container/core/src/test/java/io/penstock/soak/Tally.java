package io.penstock.soak;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The results of a {@link Crowd}. Until {@link Crowd#run} returns, only the thread that has called this method uses the object. Afterwards,
 * any thread can read the object.
 */
public final class Tally {
    private final Map<Kind, Integer> answered = new EnumMap<>(Kind.class);
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    private int aborted;
    private final Map<String, SoakRequest> cutOff = new TreeMap<>();

    void answered(Kind kind, int status) {
        statuses.merge(status, 1, Integer::sum);
        if (status != 503) {
            answered.merge(kind, 1, Integer::sum);
        }
    }

    void aborted() {
        aborted++;
    }

    void cutOff(SoakRequest errand) {
        cutOff.put(errand.token(), errand);
    }

    /** Lists the requests whose responses were cut off, except the requests with the given tokens ({@link SoakSite#excuses}). */
    public String cutOffExcept(Set<String> excused) {
        Map<String, SoakRequest> left = new TreeMap<>(cutOff);
        left.keySet().removeAll(excused);
        return left.isEmpty() ? "" : left.values().toString();
    }

    /** Lists the kinds of requests that got no response, or only responses with status 503. */
    public String missing() {
        StringBuilder missing = new StringBuilder();
        for (Kind kind : Kind.values()) {
            if (!answered.containsKey(kind)) {
                missing.append(kind).append(' ');
            }
        }
        return missing.toString();
    }

    /** Returns how often a client disconnected on purpose, after a random number of bytes. */
    public int abortedCount() {
        return aborted;
    }

    @Override
    public String toString() {
        return "answers by status " + statuses + ", by kind " + answered + ", disconnections by clients " + aborted
                + ", answers cut off " + cutOff.size();
    }
}
