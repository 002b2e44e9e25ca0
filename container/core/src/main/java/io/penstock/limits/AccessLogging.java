package io.penstock.limits;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the access log. The access log has a line for each request.
 *
 * @param where the destination of the lines
 * @param file the file of the log; null if {@code where} is not {@code FILE}
 * @param format the configured format of a line; the access log parses it
 * @param ring the most lines that may wait to be written; further lines are dropped
 * @param rotateSize the size in bytes at which the file is archived; 0 for no limit
 * @param rotate how often the file is archived, regardless of its size
 * @param keep the number of archived files that are kept; 0 to keep all
 * @param node the name of this server in the lines; empty if the server has no name
 */
public record AccessLogging(
        Where where,
        @Nullable Path file,
        String format,
        int ring,
        long rotateSize,
        Rotate rotate,
        int keep,
        String node) {
    private static final String NONE = "none";
    private static final String STANDARD_OUTPUT = "-";

    /**
     * The largest allowed {@code ring}. A larger ring would only use more memory: if lines arrive faster than the disk can write them, a
     * ring of any size becomes full.
     */
    private static final int LARGEST_RING = 1 << 20;

    /** The smallest size at which a file is archived. With a smaller size, nearly every write would archive the file. */
    private static final long SMALLEST_FILE = 64 << 10;

    /** The destination of the lines. */
    public enum Where {
        NOWHERE,
        STANDARD_OUTPUT,
        FILE
    }

    /** How often the file is archived, regardless of its size. */
    public enum Rotate {
        NEVER,
        DAILY
    }

    public AccessLogging {
        if ((where == Where.FILE) != (file != null)) {
            throw new IllegalArgumentException("a log file needs a path; other places have none");
        }
        Check.atLeast(Key.ACCESS_LOG_RING, ring, 1);
        Check.atMost(Key.ACCESS_LOG_RING, ring, LARGEST_RING);
        if (rotateSize != 0) {
            Check.atLeast(Key.ACCESS_LOG_ROTATE_SIZE, rotateSize, SMALLEST_FILE);
        }
        Check.atLeast(Key.ACCESS_LOG_KEEP, keep, 0);
    }

    public static AccessLogging defaults() {
        return of(Configuration.defaults());
    }

    static AccessLogging of(Configuration given) {
        String text = given.text(Key.ACCESS_LOG);
        Where where =
                switch (text) {
                    case NONE -> Where.NOWHERE;
                    case STANDARD_OUTPUT -> Where.STANDARD_OUTPUT;
                    default -> Where.FILE;
                };
        return new AccessLogging(
                where,
                where == Where.FILE ? path(text) : null,
                given.text(Key.ACCESS_LOG_FORMAT),
                given.number(Key.ACCESS_LOG_RING),
                given.bytes(Key.ACCESS_LOG_ROTATE_SIZE),
                Check.choice(Key.ACCESS_LOG_ROTATE, given.text(Key.ACCESS_LOG_ROTATE), Rotate.class),
                given.number(Key.ACCESS_LOG_KEEP),
                Node.of(given).name());
    }

    private static Path path(String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.ACCESS_LOG, "is not a valid path: " + e.getMessage());
        }
    }
}
