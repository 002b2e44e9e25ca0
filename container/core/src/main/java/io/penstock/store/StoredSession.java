package io.penstock.store;

import java.time.Instant;
import java.util.Map;

/**
 * A session in a store.
 *
 * @param version 1 after the first save; each change makes it higher. A change of {@code accessed} does not
 * @param accessed the start of the session's latest request, as far as the store knows
 * @param maxInactiveSeconds seconds without a request after which the session expires; zero or less: never
 * @param attributes the attributes, serialised, by name. The server adds some of its own, whose names begin with NUL. The arrays must not
 * be changed
 */
public record StoredSession(
        SessionKey key,
        long version,
        Instant created,
        Instant accessed,
        int maxInactiveSeconds,
        Map<String, byte[]> attributes) {

    /** Copies the map, not the arrays. */
    public StoredSession {
        attributes = Map.copyOf(attributes);
    }
}
