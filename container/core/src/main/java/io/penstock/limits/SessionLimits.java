package io.penstock.limits;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the sessions of each application.
 *
 * @param most the most sessions, in use or not; a request for a further one is answered 503
 * @param directory for sessions that outlive the server; null to keep them only in memory
 * @param inMemory sessions that also stay in memory between their requests
 */
public record SessionLimits(int most, @Nullable Path directory, int inMemory) {
    private static final String NONE = "none";

    public SessionLimits {
        Check.atLeast(Key.MAX_SESSIONS, most, 1);
        Check.atLeast(Key.SESSIONS_IN_MEMORY, inMemory, 0);
        if (directory != null && !Files.isDirectory(directory)) {
            throw new BadValueException(Key.SESSION_DIR, "is no directory: " + directory);
        }
    }

    public static SessionLimits defaults() {
        return of(Configuration.defaults());
    }

    static SessionLimits of(Configuration given) {
        return new SessionLimits(
                given.number(Key.MAX_SESSIONS),
                directory(given.text(Key.SESSION_DIR)),
                given.number(Key.SESSIONS_IN_MEMORY));
    }

    private static @Nullable Path directory(String text) {
        Check.notBlank(Key.SESSION_DIR, text);
        if (text.equals(NONE)) {
            return null;
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.SESSION_DIR, "is no path: " + e.getMessage());
        }
    }
}
