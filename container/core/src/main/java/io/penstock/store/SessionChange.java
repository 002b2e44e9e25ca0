package io.penstock.store;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a session that one call saves. A store saves the whole change or none of it.
 *
 * @param former the key under which the store has the session; equal to {@code key} unless the session's id has changed
 * @param key the key under which the store has the session from now on
 * @param base the version to which the change applies; 0 for a session that the store does not have yet
 * @param baseMark the mark of the change that made this version; 0 if it is not known
 * @param mark a random number that names this change, never 0
 * @param accessed the start of the session's latest request
 * @param maxInactiveSeconds seconds without a request after which the session expires; zero or less: never
 * @param newInterval whether {@code maxInactiveSeconds} has changed since {@code base}. If not, the session keeps its interval in the store
 * @param written attributes that are new, or whose bytes have changed since {@code base}. The arrays must not be changed
 * @param removed names of removed attributes
 */
public record SessionChange(
        SessionKey former,
        SessionKey key,
        long base,
        long baseMark,
        long mark,
        Instant created,
        Instant accessed,
        int maxInactiveSeconds,
        boolean newInterval,
        Map<String, byte[]> written,
        Set<String> removed) {

    /** Copies the map and the set, not the arrays. */
    public SessionChange {
        written = Map.copyOf(written);
        removed = Set.copyOf(removed);
    }

    /** A change with a new mark and a new interval, whose base version has no known mark. */
    public SessionChange(
            SessionKey former,
            SessionKey key,
            long base,
            Instant created,
            Instant accessed,
            int maxInactiveSeconds,
            Map<String, byte[]> written,
            Set<String> removed) {
        this(former, key, base, 0, newMark(), created, accessed, maxInactiveSeconds, true, written, removed);
    }

    /** A random number that is not 0. */
    public static long newMark() {
        long mark;
        do {
            mark = ThreadLocalRandom.current().nextLong();
        } while (mark == 0);
        return mark;
    }

    /**
     * The session after this change, for stores that keep each session in one piece. The version of the result is one higher than before.
     *
     * @param before the session as the store has it; null for a new session
     */
    public StoredSession appliedTo(@Nullable StoredSession before) {
        Map<String, byte[]> attributes = before == null ? new HashMap<>() : new HashMap<>(before.attributes());
        attributes.keySet().removeAll(removed);
        attributes.putAll(written);
        long version = before == null ? 1 : before.version() + 1;
        int interval = before == null || newInterval ? maxInactiveSeconds : before.maxInactiveSeconds();
        return new StoredSession(key, version, mark, created, accessed, interval, attributes);
    }
}
