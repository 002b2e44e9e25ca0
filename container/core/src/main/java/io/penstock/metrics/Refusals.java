package io.penstock.metrics;

import io.penstock.limits.Key;
import io.penstock.limits.Key.Consequence;
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
 * Counts the refused requests, which the server answers without a worker. Each status and reason has its own count. If a limit was reached,
 * the reason is the configuration key of the limit. All other reasons of a status are counted together, as {@link #OTHER}. So clients
 * cannot cause an unlimited number of counts.
 *
 * <p>Thread: any.
 */
public final class Refusals {
    /** The reason of a refusal if no limit was reached. */
    public static final String OTHER = "other";

    private static final Set<String> KEYS =
            Arrays.stream(Key.values()).map(Key::id).collect(Collectors.toUnmodifiableSet());

    private final Map<Kind, LongAdder> counts = new ConcurrentHashMap<>();

    /**
     * One kind of refusal: a status and a reason.
     *
     * @param reason the id of a configuration key, or {@link #OTHER}
     */
    public record Kind(int status, String reason) {
        static final Comparator<Kind> ORDER =
                Comparator.comparingInt(Kind::status).thenComparing(Kind::reason);
    }

    /**
     * Adds a count of 0 for each limit, so that monitors see the count from the start. A monitor computes the increase between two
     * readings. If the first reading of a count were already 1, the monitor would miss this refusal. A limit that a worker checks has no
     * count, because the worker sends the response.
     */
    Refusals() {
        for (Key key : Key.values()) {
            Consequence consequence = key.consequence();
            if (consequence.isRefusal()) {
                counts.put(new Kind(consequence.status(), key.id()), new LongAdder());
            }
        }
    }

    void count(int status, String reason) {
        Kind kind = new Kind(status, KEYS.contains(reason) ? reason : OTHER);
        LongAdder known = counts.get(kind);
        (known == null ? counts.computeIfAbsent(kind, made -> new LongAdder()) : known).increment();
    }

    /** The number of refusals of this kind until now. */
    long count(Kind kind) {
        LongAdder count = counts.get(kind);
        return count == null ? 0 : count.sum();
    }

    /** The number of refusals of each kind until now, in the order of status and reason. */
    public SortedMap<Kind, Long> snapshot() {
        SortedMap<Kind, Long> snapshot = new TreeMap<>(Kind.ORDER);
        counts.forEach((kind, count) -> snapshot.put(kind, count.sum()));
        return snapshot;
    }
}
