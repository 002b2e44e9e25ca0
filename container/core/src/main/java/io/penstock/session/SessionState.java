package io.penstock.session;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a session consists of, in use or at rest: the unit that {@link RestingSessions} keep.
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

    /** The view that the application holds; kept here so that who loads the same state again gets the same session. */
    volatile @Nullable WebSession view;

    /** Whether the attributes have just been made of bytes and have not been told so. */
    volatile Activation activation = Activation.TOLD;

    /** What the store has of the session. */
    volatile Stored stored = Stored.NOTHING;

    /** Whether the attributes here are all that the session has. */
    volatile Copy copy = Copy.WHOLE;

    /** Attributes that the store has and that could not be read; their bytes stay until the application sets or removes them. */
    private volatile Set<String> unreadable = Set.of();

    enum Activation {
        DUE,
        TOLD
    }

    enum Copy {
        WHOLE,
        /** Another server has changed or ended the session since it was loaded. */
        PARTIAL
    }

    /** @param digests of the bytes of each attribute, by name */
    record Stored(int maxInactiveInterval, Map<String, String> digests) {
        static final Stored NOTHING = new Stored(0, Map.of());

        Stored {
            digests = Map.copyOf(digests);
        }
    }

    SessionState(String id, long created, long accessed, int maxInactiveInterval, long version) {
        this.id = id;
        this.created = created;
        this.accessed = accessed;
        this.maxInactiveInterval = maxInactiveInterval;
        this.version = version;
    }

    public String id() {
        return id;
    }

    public long created() {
        return created;
    }

    /** When the latest request of the session started. */
    public long accessed() {
        return accessed;
    }

    /** Seconds between requests after which the session ends; zero or less: never. */
    public int maxInactiveInterval() {
        return maxInactiveInterval;
    }

    /** Of the store, when the session was loaded or saved; 0 before it is saved first. */
    public long version() {
        return version;
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

    /** The application sets or removes the attribute. Returns whether it was one that could not be read. */
    boolean discardUnreadable(String name) {
        if (!isUnreadable(name)) {
            return false;
        }
        synchronized (this) {
            Set<String> others = new HashSet<>(unreadable);
            others.remove(name);
            unreadable(others);
        }
        return true;
    }

    /** The session has been saved as this version. */
    void saved(long newVersion) {
        version = newVersion;
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
