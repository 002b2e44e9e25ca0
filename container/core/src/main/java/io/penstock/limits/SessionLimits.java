package io.penstock.limits;

import io.penstock.limits.ServerConfig.Node;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the sessions of each application. {@link Key} explains the values.
 *
 * @param directory the directory for sessions that outlive the server; null to keep sessions only in memory
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

    public SessionLimits {
        if (directory != null && !Files.isDirectory(directory)) {
            String what = Files.exists(directory)
                    ? "is not a directory: "
                    : "is not an existing directory; create it first: ";
            throw new BadValueException(Key.SESSION_DIR, what + directory);
        }
    }

    static SessionLimits of(Configuration given) {
        return new SessionLimits(
                given.number(Key.MAX_SESSIONS),
                given.number(Key.MAX_LOGIN_SESSIONS),
                given.file(Key.SESSION_DIR),
                given.text(Key.SESSION_FORMAT),
                given.number(Key.SESSION_STORE_THREADS),
                given.duration(Key.SESSION_STORE_WAIT),
                given.number(Key.SESSIONS_IN_MEMORY),
                Node.of(given).route());
    }
}
