package io.penstock.session;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The data of a session, in use or not: the unit that a {@link SessionRepository} stores.
 *
 * <p>Thread: any. Owns: the attributes. Times are milliseconds since 1970.
 */
public final class SessionState {
    private final long created;
    private final ConcurrentHashMap<String, Object> attributes = new ConcurrentHashMap<>();
    private volatile String id;
    private volatile long accessed;
    private volatile int maxInactiveInterval;
    private volatile long version;
    private volatile long mark;

    /** The session as the application sees it. A later load of the same state gives the same object. */
    volatile @Nullable WebSession view;

    /** Whether {@code sessionDidActivate} of the attributes must still be called after a load. */
    volatile Activation activation = Activation.DONE;

    /** The session as the store has it. */
    volatile Stored stored = Stored.NOTHING;

    /** Whether this object has the session's latest attributes. */
    volatile Copy copy = Copy.CURRENT;

    /** Names of stored attributes that could not be read. Their bytes stay until the application sets or removes them. */
    private volatile Set<String> unreadable = Set.of();

    enum Activation {
        DUE,
        DONE
    }

    enum Copy {
        CURRENT,
        /** Another server has changed or ended the session since it was loaded. */
        STALE
    }

    /**
     * @param accessed as the store has it
     * @param digests of the bytes of each attribute, by name
     */
    record Stored(long accessed, int maxInactiveInterval, Map<String, String> digests) {
        static final Stored NOTHING = new Stored(0, 0, Map.of());

        Stored {
            digests = Map.copyOf(digests);
        }

        Stored accessedAt(long time) {
            return new Stored(Math.max(time, accessed), maxInactiveInterval, digests);
        }
    }

    SessionState(String id, long created, long accessed, int maxInactiveInterval, long version, long mark) {
        this.id = id;
        this.created = created;
        this.accessed = accessed;
        this.maxInactiveInterval = maxInactiveInterval;
        this.version = version;
        this.mark = mark;
    }

    public String id() {
        return id;
    }

    public long created() {
        return created;
    }

    /** The start of the session's latest request, in milliseconds since 1970. */
    public long accessed() {
        return accessed;
    }

    /** The seconds without a request after which the session expires; zero or less: never. */
    public int maxInactiveInterval() {
        return maxInactiveInterval;
    }

    /** The store's version when the session was last loaded or saved; 0 if it has never been saved. */
    public long version() {
        return version;
    }

    /** The mark of the change that made this version; 0 if the store has no marks. */
    long mark() {
        return mark;
    }

    public Map<String, Object> attributes() {
        return attributes;
    }

    public boolean isExpired(long now) {
        int interval = maxInactiveInterval;
        return interval > 0 && now - accessed >= interval * 1000L;
    }

    void unreadable(Set<String> names) {
        unreadable = Set.copyOf(names);
    }

    boolean isUnreadable(String name) {
        return unreadable.contains(name);
    }

    /** The application sets or removes the attribute, so its stored bytes are no longer needed. */
    void discardUnreadable(String name) {
        if (!isUnreadable(name)) {
            return;
        }
        synchronized (this) {
            Set<String> others = new HashSet<>(unreadable);
            others.remove(name);
            unreadable(others);
        }
    }

    /** The session has been saved as this version, by the change with this mark. */
    void saved(long newVersion, long newMark) {
        version = newVersion;
        mark = newMark;
    }

    void id(String newId) {
        id = newId;
    }

    void accessed(long now) {
        accessed = now;
    }

    void maxInactiveInterval(int seconds) {
        maxInactiveInterval = seconds;
    }
}
