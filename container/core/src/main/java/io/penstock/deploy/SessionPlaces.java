package io.penstock.deploy;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.SessionLimits;
import io.penstock.session.FileSessions;
import io.penstock.session.MemorySessions;
import io.penstock.session.PassivatedSessions;
import io.penstock.session.RestingSessions;
import io.penstock.session.SessionRoom;
import io.penstock.store.SessionStore;
import io.penstock.store.SessionStores;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the sessions of each application of one server are between requests: in the embedding program's stores, in a folder for each
 * application below {@code session-dir}, or in memory.
 *
 * <p>Thread: any. Owns: the lock by which no other server uses the directory, from the first deployment until closed.
 */
public final class SessionPlaces implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionPlaces.class);

    private final SessionLimits limits;
    private final Counters counters;
    private final @Nullable SessionStores given;

    /** By context path: a new version of an application finds the sessions of the old one. */
    @GuardedBy("this")
    private final Map<String, FileSessions> folders = new HashMap<>();

    @GuardedBy("this")
    private @Nullable FileChannel lock;

    /** @param given by the embedding program, or null; closed with this object */
    public SessionPlaces(SessionLimits limits, Counters counters, @Nullable SessionStores given) {
        this.limits = limits;
        this.counters = counters;
        this.given = given;
    }

    /** In memory, with the default limits. */
    public static SessionPlaces inMemory() {
        return new SessionPlaces(SessionLimits.defaults(), new Counters(), null);
    }

    /**
     * The sessions of one application, as it is deployed.
     *
     * @param loader of the application, whose classes attributes may be of
     * @throws IOException if the store, or what it has, cannot be used
     */
    RestingSessions of(String contextPath, ClassLoader loader) throws IOException {
        SessionStore store = store(contextPath);
        return store == null
                ? new MemorySessions()
                : new PassivatedSessions(
                        store, loader, limits.inMemory(), () -> counters.increment(Counter.SESSIONS_PASSIVATED));
    }

    private @Nullable SessionStore store(String contextPath) throws IOException {
        if (given != null) {
            return given.of(contextPath.isEmpty() ? "/" : contextPath);
        }
        return limits.directory() == null ? null : folder(limits.directory(), contextPath);
    }

    private synchronized FileSessions folder(Path directory, String contextPath) throws IOException {
        if (lock == null) {
            lock = locked(directory);
        }
        FileSessions known = folders.get(contextPath);
        if (known == null) {
            known = FileSessions.open(directory.resolve(name(contextPath)));
            folders.put(contextPath, known);
        }
        return known;
    }

    private static FileChannel locked(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (channel.tryLock() != null) {
                return channel;
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another server of this process has locked {}", directory, e);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
        channel.close();
        throw new IOException(Key.SESSION_DIR.id() + ": " + directory + " is used by another server");
    }

    /** A context path as the name of a folder: letters and digits stay, everything else is escaped; {@code root} for the root. */
    private static String name(String contextPath) {
        if (contextPath.isEmpty()) {
            return "root";
        }
        StringBuilder name = new StringBuilder("=");
        for (char c : contextPath.substring(1).toCharArray()) {
            boolean plain = c < 0x80 && Character.isLetterOrDigit(c) || c == '-' || c == '_';
            name.append(plain ? String.valueOf(c) : "%" + Integer.toHexString(c) + "%");
        }
        return name.toString();
    }

    /** For as many sessions as the application may have. Not bounded where a store is given: other servers may use it, too. */
    synchronized SessionRoom room(String contextPath) {
        if (given != null) {
            return SessionRoom.unlimited();
        }
        FileSessions folder = folders.get(contextPath);
        int found = folder == null ? 0 : folder.size();
        return new SessionRoom(limits.most(), found, () -> counters.increment(Counter.SESSIONS_REFUSED));
    }

    @Override
    public synchronized void close() throws IOException {
        FileChannel held = lock;
        lock = null;
        if (held != null) {
            held.close();
        }
        if (given != null) {
            try {
                given.close();
            } catch (RuntimeException e) {
                LOG.error("The session stores were not closed", e);
            }
        }
    }
}
