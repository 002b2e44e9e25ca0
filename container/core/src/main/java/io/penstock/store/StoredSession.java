package io.penstock.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/**
 * A session in a store.
 *
 * @param version 1 after the first save; each change increases it, but not a change of {@code accessed} alone
 * @param mark the mark of the change that made this version; 0 if the store has no marks. A store may lose changes, for example if its
 * memory is ahead of its disk. It can then have the same version number twice, with different contents. The mark distinguishes these
 * versions
 * @param accessed the start of the session's latest request, as far as the store knows
 * @param maxInactiveSeconds seconds without a request after which the session expires; zero or less: never
 * @param attributes the serialised attributes, by name. The server adds its own attributes, whose names begin with NUL. The arrays must not
 * be changed
 */
public record StoredSession(
        SessionKey key,
        long version,
        long mark,
        Instant created,
        Instant accessed,
        int maxInactiveSeconds,
        Map<String, byte[]> attributes) {

    /** The attribute that contains the session's id, in UTF-8. The id cannot be computed from the key. */
    public static final String ID = "\0id";

    /** Copies the map, not the arrays. */
    public StoredSession {
        attributes = Map.copyOf(attributes);
    }

    /** A session of a store without marks. */
    public StoredSession(
            SessionKey key,
            long version,
            Instant created,
            Instant accessed,
            int maxInactiveSeconds,
            Map<String, byte[]> attributes) {
        this(key, version, 0, created, accessed, maxInactiveSeconds, attributes);
    }

    /** The session's id; empty if the attributes do not contain it. */
    public String id() {
        byte[] id = attributes.get(ID);
        return id == null ? "" : new String(id, StandardCharsets.UTF_8);
    }

    /** Whether a copy in memory with this version and mark has the same contents as this session. */
    public boolean isAt(long otherVersion, long otherMark) {
        return version == otherVersion && (mark == 0 || mark == otherMark);
    }
}
