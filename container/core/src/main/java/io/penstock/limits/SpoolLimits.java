package io.penstock.limits;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Limits on bodies on disk, in bytes unless said otherwise.
 *
 * @param directory existing directory for them
 * @param limit all bodies together; a request that needs more is answered 503, a request that declares more 413
 * @param responseLimit one response; beyond this its worker waits for the client
 * @param threads the most concurrent operations on files
 * @param queue the most writes that wait or run; beyond this reading pauses
 */
public record SpoolLimits(Path directory, long limit, long responseLimit, int threads, int queue) {
    private static final String TEMPORARY = "temporary";

    public SpoolLimits {
        Check.atLeast(Key.SPOOL_LIMIT, limit, 0);
        Check.atLeast(Key.RESPONSE_SPOOL_LIMIT, responseLimit, 0);
        Check.atLeast(Key.SPOOL_THREADS, threads, 1);
        Check.atLeast(Key.SPOOL_QUEUE, queue, 1);
    }

    public static SpoolLimits defaults() {
        return of(Configuration.defaults());
    }

    static SpoolLimits of(Configuration given) {
        return new SpoolLimits(
                directory(given.text(Key.SPOOL_DIR)),
                given.bytes(Key.SPOOL_LIMIT),
                given.bytes(Key.RESPONSE_SPOOL_LIMIT),
                given.number(Key.SPOOL_THREADS),
                given.number(Key.SPOOL_QUEUE));
    }

    private static Path directory(String text) {
        Check.notBlank(Key.SPOOL_DIR, text);
        try {
            return Path.of(text.equals(TEMPORARY) ? System.getProperty("java.io.tmpdir") : text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.SPOOL_DIR, "is not a valid path: " + e.getMessage());
        }
    }
}
