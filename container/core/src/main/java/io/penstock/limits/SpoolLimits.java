package io.penstock.limits;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Limits on bodies that are stored on disk, in bytes unless stated otherwise.
 *
 * @param directory an existing directory for the bodies
 * @param limit the most bytes of all bodies together. If a further body does not fit, its request is answered 503. A request whose own
 *     declared length exceeds this limit is answered 413
 * @param responseLimit the most bytes of one response; beyond this limit, the worker waits until the client reads
 * @param threads the most file operations at one time
 * @param queue the most writes that wait or run; beyond this limit, the server stops reading from clients
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
