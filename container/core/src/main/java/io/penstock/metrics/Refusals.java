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

    void count(int status, String reason) {
        Kind kind = new Kind(status, KEYS.contains(reason) ? reason : OTHER);
        LongAdder known = counts.get(kind);
        (known == null ? counts.computeIfAbsent(kind, made -> new LongAdder()) : known).increment();
    }

    /** How often each kind has been until now, in the order of status and reason. */
    public SortedMap<Kind, Long> snapshot() {
        SortedMap<Kind, Long> snapshot = new TreeMap<>(Kind.ORDER);
        counts.forEach((kind, count) -> snapshot.put(kind, count.sum()));
        return snapshot;
    }
}
