package io.penstock.limits;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the deployment of every application.
 *
 * @param excludedInitializers class names of initializers that do not run; {@code *} stands for any characters
 * @param excludedScans file names of libraries whose classes are not read; {@code *} stands for any characters
 * @param unpacked the most bytes of an unpacked archive; 0 for no limit
 * @param migrateJavax whether archives made for {@code javax.servlet} are converted
 * @param migratedFolder the folder for converted archives, or null for a private folder of the server's user
 */
public record Deploying(
        List<String> excludedInitializers,
        List<String> excludedScans,
        long unpacked,
        Switch migrateJavax,
        @Nullable Path migratedFolder) {
    private static final String PRIVATE = "private";

    public Deploying {
        excludedInitializers = List.copyOf(excludedInitializers);
        excludedScans = List.copyOf(excludedScans);
    }

    static Deploying of(Configuration given) {
        return new Deploying(
                names(Key.EXCLUDE_INITIALIZERS, given),
                names(Key.EXCLUDE_SCAN, given),
                given.bytes(Key.UNPACKED_LIMIT),
                Check.choice(Key.MIGRATE_JAVAX, given.text(Key.MIGRATE_JAVAX), Switch.class),
                folder(given.text(Key.MIGRATED_DIR)));
    }

    private static List<String> names(Key key, Configuration given) {
        try {
            return NameList.parse(given.text(key));
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, "needs at least one name");
        }
    }

    private static @Nullable Path folder(String text) {
        try {
            return text.equals(PRIVATE) ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.MIGRATED_DIR, "is not a valid path: " + e.getMessage());
        }
    }
}
