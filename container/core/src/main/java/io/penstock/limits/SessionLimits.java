package io.penstock.limits;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the sessions of each application.
 *
 * @param most the most sessions, whether in use or not; a request that needs a further session is answered 503
 * @param mostWaiting the most sessions that wait for a form login. They do not count as part of {@code most}; a further one ends the oldest
 * @param directory the directory for sessions that outlive the server; null to keep sessions only in memory
 * @param format the name of the format in which session attributes are stored
 * @param storeThreads the most threads that call the session store at one time; further threads wait while the store answers
 * @param storeWait the longest time that a thread waits while the session store answers no call
 * @param inMemory the most stored sessions that also stay in memory between requests
 * @param route the suffix of the session ids that are sent to clients, after a dot; empty for no suffix
 */
public record SessionLimits(
        int most,
        int mostWaiting,
        @Nullable Path directory,
        String format,
        int storeThreads,
        Duration storeWait,
        int inMemory,
        String route) {
    private static final String NONE = "none";

    public SessionLimits {
        Check.atLeast(Key.MAX_SESSIONS, most, 1);
        Check.atLeast(Key.MAX_LOGIN_SESSIONS, mostWaiting, 1);
        Check.notBlank(Key.SESSION_FORMAT, format);
        Check.atLeast(Key.SESSION_STORE_THREADS, storeThreads, 1);
        Check.positive(Key.SESSION_STORE_WAIT, storeWait);
        Check.atLeast(Key.SESSIONS_IN_MEMORY, inMemory, 0);
        if (directory != null && !Files.isDirectory(directory)) {
            String what = Files.exists(directory)
                    ? "is not a directory: "
                    : "is not an existing directory; create it first: ";
            throw new BadValueException(Key.SESSION_DIR, what + directory);
        }
    }

    public static SessionLimits defaults() {
        return of(Configuration.defaults());
    }

    static SessionLimits of(Configuration given) {
        return new SessionLimits(
                given.number(Key.MAX_SESSIONS),
                given.number(Key.MAX_LOGIN_SESSIONS),
                directory(given.text(Key.SESSION_DIR)),
                given.text(Key.SESSION_FORMAT),
                given.number(Key.SESSION_STORE_THREADS),
                given.duration(Key.SESSION_STORE_WAIT),
                given.number(Key.SESSIONS_IN_MEMORY),
                Node.of(given).route());
    }

    private static @Nullable Path directory(String text) {
        Check.notBlank(Key.SESSION_DIR, text);
        if (text.equals(NONE)) {
            return null;
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.SESSION_DIR, "is not a valid path: " + e.getMessage());
        }
    }
}
