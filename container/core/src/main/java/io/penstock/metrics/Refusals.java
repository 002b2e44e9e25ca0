package io.penstock.metrics;

import io.penstock.limits.Key;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/**
 * What was answered without a worker, by status and reason. A reason that is a bound is its key; all others are one for each status, so
 * that there are never more of them than statuses and keys, whatever clients do.
 *
 * <p>Thread: any.
 */
public final class Refusals {
    /** The reason of what is refused for no bound. */
    public static final String OTHER = "other";

    private static final Set<String> KEYS =
            Arrays.stream(Key.values()).map(Key::id).collect(Collectors.toUnmodifiableSet());

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * One kind of refusal.
     *
     * @param reason the id of a key, or {@link #OTHER}
     */
    public record Kind(int status, String reason) {
        static final Comparator<Kind> ORDER =
                Comparator.comparingInt(Kind::status).thenComparing(Kind::reason);
    }

    /** What a bound does is there from the start: else the first time would be missing in the increase. */
    Refusals() {
        for (Key key : Key.values()) {
            if (key.consequence().status() > 0) {
                counts.put(new Kind(key.consequence().status(), key.id()), new LongAdder());
            }
        }
    }

    void count(int status, String reason) {
        Kind kind = new Kind(status, KEYS.contains(reason) ? reason : OTHER);
        LongAdder known = counts.get(kind);
        (known == null ? counts.computeIfAbsent(kind, made -> new LongAdder()) : known).increment();
    }

    /** How often this kind has been until now. */
    long count(Kind kind) {
        LongAdder count = counts.get(kind);
        return count == null ? 0 : count.sum();
    }

    /** How often each kind has been until now, in the order of status and reason. */
    public SortedMap<Kind, Long> snapshot() {
        SortedMap<Kind, Long> snapshot = new TreeMap<>(Kind.ORDER);
        counts.forEach((kind, count) -> snapshot.put(kind, count.sum()));
        return snapshot;
    }
}
