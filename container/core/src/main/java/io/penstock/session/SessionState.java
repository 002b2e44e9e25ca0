package io.penstock.session;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a session consists of, in use or at rest: the unit that a {@link SessionStore} keeps.
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

    /** The view that the application holds; kept here so that a store that returns the same state returns the same session. */
    volatile @Nullable WebSession view;

    public SessionState(String id, long created, long accessed, int maxInactiveInterval, long version) {
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

    /** How often the session has been saved. */
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

    /** For stores: the session has been saved as this version. */
    public void saved(long newVersion) {
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
