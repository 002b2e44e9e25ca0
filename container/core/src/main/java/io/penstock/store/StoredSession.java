package io.penstock.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/**
 * A session in a {@link SessionStore}.
 *
 * @param version the version of the session. It is 1 after the first save, and each {@link SessionStore#save} increases it
 * @param mark the mark of the change that made this version; 0 if the store does not save marks. A store can lose its last changes, for
 *     example if it crashes before it has written them to disk. It can then assign a version number a second time, to different contents.
 *     The mark distinguishes these two versions
 * @param accessed the start of the latest request of the session that the store knows
 * @param maxInactiveSeconds the number of seconds without a request after which the session expires. If the number is zero or less, the
 *     session never expires
 * @param attributes the names and the serialised values of the attributes. The server adds attributes of its own, whose names begin with
 *     NUL. The arrays must not be changed
 */
public record StoredSession(
        SessionKey key,
        long version,
        long mark,
        Instant created,
        Instant accessed,
        int maxInactiveSeconds,
        Map<String, byte[]> attributes) {

    /** The name of the attribute that contains the id of the session, in UTF-8. The id cannot be computed from the key. */
    public static final String ID = "\0id";

    /** Copies the map. The arrays are not copied. */
    public StoredSession {
        attributes = Map.copyOf(attributes);
    }

    /** Makes a session for a store that does not save marks. */
    public StoredSession(
            SessionKey key,
            long version,
            Instant created,
            Instant accessed,
            int maxInactiveSeconds,
            Map<String, byte[]> attributes) {
        this(key, version, 0, created, accessed, maxInactiveSeconds, attributes);
    }

    /** The id of the session; empty if the attributes do not contain the id. */
    public String id() {
        byte[] id = attributes.get(ID);
        return id == null ? "" : new String(id, StandardCharsets.UTF_8);
    }

    /** Whether a copy in memory with the given version and mark has the same contents as this session. */
    public boolean isAt(long otherVersion, long otherMark) {
        return version == otherVersion && (mark == 0 || mark == otherMark);
    }
}
