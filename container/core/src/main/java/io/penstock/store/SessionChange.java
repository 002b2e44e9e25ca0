package io.penstock.store;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a session that one call of {@link SessionStore#save} saves. A store must save all parts of a change or no part of it.
 *
 * @param former the key under which the store has the session. It is equal to {@code key} if the id of the session has not changed
 * @param key the key under which the store must save the session
 * @param base the version to which the change applies; 0 for a new session, which is not in the store
 * @param baseMark the mark of the change that made the version {@code base}; 0 if this mark is not known
 * @param mark a random number that identifies this change; never 0
 * @param accessed the start of the latest request of the session
 * @param maxInactiveSeconds the number of seconds without a request after which the session expires. If the number is zero or less, the
 *     session never expires
 * @param newInterval whether {@code maxInactiveSeconds} has changed since {@code base}. If not, the store must keep the value that it has
 * @param written the attributes that are new, or whose bytes have changed since {@code base}. The arrays must not be changed
 * @param removed the names of the removed attributes
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

    /** Copies the map and the set. The arrays are not copied. */
    public SessionChange {
        written = Map.copyOf(written);
        removed = Set.copyOf(removed);
    }

    /** Makes a change with a new mark. The mark of the base version is unknown, and {@code newInterval} is true. */
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

    /** Returns a random number that is not 0. */
    public static long newMark() {
        long mark;
        do {
            mark = ThreadLocalRandom.current().nextLong();
        } while (mark == 0);
        return mark;
    }

    /**
     * Returns the session after this change, for stores that save all attributes of a session together. The version of the result is one
     * higher than the version before the change.
     *
     * @param before the session in the store; null for a new session
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
