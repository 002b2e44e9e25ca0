package io.penstock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.deploy.SessionKeeping;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.SessionLimits;
import io.penstock.session.ByteStore;
import io.penstock.session.FileSessions;
import io.penstock.session.MemorySessions;
import io.penstock.session.PassivatedSessions;
import io.penstock.session.RestingSessions;
import io.penstock.session.SessionRoom;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the sessions of each application of one server are between requests: in the embedding program's stores, in a folder of their
 * own below {@code session-dir}, or in memory.
 *
 * <p>Thread: any. Owns: the lock by which no other server uses the directory, from the first deployment until closed.
 */
final class SessionPlaces implements SessionKeeping, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionPlaces.class);

    private final SessionLimits limits;
    private final Counters counters;
    private final @Nullable Function<String, SessionStore> given;

    /** By context path: a new version of an application finds the sessions of the old one. */
    @GuardedBy("this")
    private final Map<String, FileSessions> folders = new HashMap<>();

    @GuardedBy("this")
    private @Nullable FileChannel lock;

    SessionPlaces(SessionLimits limits, Counters counters, @Nullable Function<String, SessionStore> given) {
        this.limits = limits;
        this.counters = counters;
        this.given = given;
    }

    @Override
    public RestingSessions of(String contextPath, ClassLoader loader) throws IOException {
        ByteStore store = store(contextPath);
        return store == null
                ? new MemorySessions()
                : new PassivatedSessions(
                        store, loader, limits.inMemory(), () -> counters.increment(Counter.SESSIONS_PASSIVATED));
    }

    private @Nullable ByteStore store(String contextPath) throws IOException {
        if (given != null) {
            return new GivenStore(given.apply(contextPath.isEmpty() ? "/" : contextPath));
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

    /** A store that others use too tells nobody how many sessions there are. */
    @Override
    public SessionRoom room() {
        return given != null
                ? SessionRoom.unlimited()
                : new SessionRoom(limits.most(), () -> counters.increment(Counter.SESSIONS_REFUSED));
    }

    @Override
    public synchronized void close() throws IOException {
        FileChannel held = lock;
        lock = null;
        if (held != null) {
            held.close();
        }
    }
}
