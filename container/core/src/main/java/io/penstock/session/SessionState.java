package io.penstock.session;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The data of a session, in the form in which a {@link SessionRepository} stores a session.
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

    /** The session as the application sees it. If this state is loaded again, the application gets the same object. */
    volatile @Nullable WebSession view;

    /** Whether {@code sessionDidActivate} of the attributes must still be called after a load. */
    volatile Activation activation = Activation.DONE;

    /** The data of the session in the store, as of the last load or save. */
    volatile Stored stored = Stored.NOTHING;

    /** Whether this object has the session's latest attributes. */
    volatile Copy copy = Copy.CURRENT;

    /**
     * Names of stored attributes that could not be read. The bytes of such an attribute stay in the store until the application sets or
     * removes the attribute.
     */
    private volatile Set<String> unreadable = Set.of();

    enum Activation {
        DUE,
        DONE
    }

    enum Copy {
        CURRENT,
        /** Another server has changed or ended the session since it was loaded, or the session could not be saved. */
        STALE
    }

    /**
     * The data of a session in the store.
     *
     * @param accessed the time of the latest request, as stored in the store
     * @param digests the digests of the attributes' bytes, by the attribute's name
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

    /** The seconds without a request after which the session expires; zero or less means never. */
    public int maxInactiveInterval() {
        return maxInactiveInterval;
    }

    /** The version of the session in the store at the last load or save; 0 if the session has never been saved. */
    public long version() {
        return version;
    }

    /** The mark of {@link #version()}: a random number that identifies the change that made this version. 0 if the store has no marks. */
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

    /** Called when the application sets or removes the attribute. The stored bytes of the attribute are not needed any more. */
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

    /** Called when the session has been saved with the new version number, by the change with the new mark. */
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
