package io.penstock.session;

import java.util.Map;
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

    /** Of the bytes that are stored; empty where none are. */
    volatile String fingerprint = "";

    enum Activation {
        DUE,
        TOLD
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
