package io.penstock.store;

import java.time.Instant;
import java.util.Map;

/**
 * A session as a store has it.
 *
 * @param version 1 when the session is saved first; each change has a higher one. The time of last use is not part of it
 * @param accessed when the latest request of the session started, as far as the store was told
 * @param maxInactiveSeconds between requests, after which the session is over; zero or less: never
 * @param attributes the attributes, serialised, by name. The server keeps some of its own there; the names of these begin with NUL.
 *     Nobody changes the arrays
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
