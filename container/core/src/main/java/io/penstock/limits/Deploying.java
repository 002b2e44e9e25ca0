package io.penstock.limits;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the deployment of every application.
 *
 * @param excludedInitializers class names of initializers that do not run; {@code *} stands for any characters
 * @param excludedScans file names of libraries whose classes are not read; {@code *} stands for any characters
 * @param unpacked the most bytes of an unpacked archive; 0 for no limit
 * @param sessions the rules for sessions, which an application may change
 * @param migrateJavax whether archives made for {@code javax.servlet} are converted
 * @param migratedFolder the folder for converted archives
 */
public record Deploying(
        List<String> excludedInitializers,
        List<String> excludedScans,
        long unpacked,
        SessionRules sessions,
        Switch migrateJavax,
        Path migratedFolder) {
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
                sessions(given),
                Check.choice(Key.MIGRATE_JAVAX, given.text(Key.MIGRATE_JAVAX), Switch.class),
                folder(given.text(Key.MIGRATED_DIR)));
    }

    private static SessionRules sessions(Configuration given) {
        Check.notNegative(Key.SESSION_TIMEOUT, given.duration(Key.SESSION_TIMEOUT));
        return new SessionRules(
                rule(given, Key.SESSION_TIMEOUT, value -> ApplicationKey.wholeMinutes((Duration) value)),
                rule(given, Key.SESSION_COOKIE_NAME, value -> ApplicationKey.cookieName((String) value)),
                rule(given, Key.SESSION_COOKIE_PATH, value -> ApplicationKey.cookiePath((String) value)),
                rule(given, Key.SESSION_COOKIE_SAME_SITE, value -> ApplicationKey.sameSite((String) value)));
    }

    /** The rule of a key; null if the key has its default. */
    private static <T> @Nullable Given<T> rule(Configuration given, Key key, Function<Object, T> read) {
        Setting setting = given.setting(key);
        if (setting.text().equals(key.defaultShown())) {
            return null;
        }
        try {
            return new Given<>(read.apply(setting.value()), setting.origin());
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, String.valueOf(e.getMessage()), e);
        }
    }

    private static List<String> names(Key key, Configuration given) {
        try {
            return NameList.parse(given.text(key));
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, "needs at least one name");
        }
    }

    private static Path folder(String text) {
        try {
            return text.equals(PRIVATE)
                    ? Path.of(System.getProperty("user.home"), ".penstock", "migrated")
                    : Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.MIGRATED_DIR, "is not a valid path: " + e.getMessage());
        }
    }
}
