package io.penstock.limits;

import io.penstock.limits.ServerConfig.Node;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the access log. The access log has a line for each request. {@link Key} explains the values.
 *
 * @param file the file of the log; null if {@code where} is not {@code FILE}
 * @param only conditions of which one must hold for a line; empty for no condition
 * @param unless conditions of which none may hold for a line
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
        List<String> only,
        List<String> unless,
        String node) {
    private static final String NONE = "none";
    private static final String STANDARD_OUTPUT = "-";

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
        only = List.copyOf(only);
        unless = List.copyOf(unless);
        if ((where == Where.FILE) != (file != null)) {
            throw new IllegalArgumentException("a log file needs a path; other places have none");
        }
        if (rotateSize != 0) {
            Allowed.atLeast(Key.ACCESS_LOG_ROTATE_SIZE, rotateSize, SMALLEST_FILE);
        }
    }

    static AccessLogging of(Configuration given) {
        return of(given, given.text(Key.ACCESS_LOG));
    }

    /**
     * The logs of single paths, by their paths as {@link io.penstock.address.ContextLocation} writes them.
     *
     * @throws ConfigurationException if a path ends with {@code /*}, so that it would have no effect
     */
    static Map<String, AccessLogging> ofPaths(Configuration given) {
        return given.ofPaths(ApplicationKey.ACCESS_LOG, own -> of(given, (String) own.value()));
    }

    private static AccessLogging of(Configuration given, String destination) {
        Where where =
                switch (destination) {
                    case NONE -> Where.NOWHERE;
                    case STANDARD_OUTPUT -> Where.STANDARD_OUTPUT;
                    default -> Where.FILE;
                };
        return new AccessLogging(
                where,
                where == Where.FILE ? Configuration.path(Key.ACCESS_LOG, destination) : null,
                given.text(Key.ACCESS_LOG_FORMAT),
                given.number(Key.ACCESS_LOG_RING),
                given.bytes(Key.ACCESS_LOG_ROTATE_SIZE),
                given.choice(Key.ACCESS_LOG_ROTATE),
                given.number(Key.ACCESS_LOG_KEEP),
                given.names(Key.ACCESS_LOG_IF),
                given.names(Key.ACCESS_LOG_UNLESS),
                Node.of(given).name());
    }
}
