package io.penstock.limits;

import io.penstock.limits.ApplicationSettings.Given;
import io.penstock.limits.ApplicationSettings.SessionRules;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Settings for the deployment of every application. {@link Key} explains the values.
 *
 * @param sharedLibraries the folder of the libraries that all applications share; null for none
 */
public record Deploying(
        List<String> excludedInitializers,
        List<String> excludedScans,
        @Nullable Path sharedLibraries,
        long unpacked,
        SessionRules sessions,
        Switch migrateJavax,
        Path migratedFolder) {

    public Deploying {
        excludedInitializers = List.copyOf(excludedInitializers);
        excludedScans = List.copyOf(excludedScans);
        if (sharedLibraries != null && !Files.isDirectory(sharedLibraries)) {
            throw new BadValueException(Key.SHARED_LIBRARIES, "is not an existing folder: " + sharedLibraries);
        }
    }

    static Deploying of(Configuration given) {
        return new Deploying(
                given.names(Key.EXCLUDE_INITIALIZERS),
                given.names(Key.EXCLUDE_SCAN),
                given.file(Key.SHARED_LIBRARIES),
                given.bytes(Key.UNPACKED_LIMIT),
                sessions(given),
                given.choice(Key.MIGRATE_JAVAX),
                given.file(
                        Key.MIGRATED_DIR,
                        "private",
                        Path.of(System.getProperty("user.home"), ".penstock", "migrated")));
    }

    private static SessionRules sessions(Configuration given) {
        return new SessionRules(
                rule(given, Key.SESSION_TIMEOUT, value -> ApplicationKey.wholeMinutes((Duration) value)),
                rule(given, Key.SESSION_COOKIE_NAME, value -> ApplicationKey.cookieName((String) value)),
                rule(given, Key.SESSION_COOKIE_PATH, value -> ApplicationKey.cookiePath((String) value)),
                rule(given, Key.SESSION_COOKIE_SAME_SITE, value -> ApplicationKey.sameSite((String) value)),
                rule(given, Key.SESSION_COOKIE_DOMAIN, value -> ApplicationKey.cookieDomain((String) value)),
                rule(given, Key.SESSION_COOKIE_MAX_AGE, value -> ApplicationKey.cookieMaxAge((Duration) value)),
                rule(
                        given,
                        Key.SESSION_COOKIE_HTTP_ONLY,
                        value -> Allowed.choice((String) value, Switch.class) == Switch.ON),
                rule(
                        given,
                        Key.SESSION_COOKIE_SECURE,
                        value -> Allowed.choice((String) value, SecureCookie.class) == SecureCookie.ON),
                rule(
                        given,
                        Key.SESSION_COOKIE_PARTITIONED,
                        value -> Allowed.choice((String) value, Switch.class) == Switch.ON),
                rule(given, Key.SESSION_TRACKING, value -> ApplicationKey.tracking((String) value)));
    }

    /** The rule of a key; null if the key has its default. */
    private static <T> @Nullable Given<T> rule(Configuration given, Key key, Function<Object, T> read) {
        Setting setting = given.setting(key);
        key.allowed().check(key, setting.value());
        if (setting.text().equals(key.defaultShown())) {
            return null;
        }
        try {
            return new Given<>(read.apply(setting.value()), setting.origin());
        } catch (IllegalArgumentException e) {
            throw new BadValueException(key, String.valueOf(e.getMessage()), e);
        }
    }

    /** Whether the session cookie is always {@code Secure}, or only if the request was secure. */
    enum SecureCookie {
        AUTO,
        ON
    }

    /**
     * The folder whose applications are deployed, redeployed and undeployed while the server runs. {@link Key} explains the values.
     *
     * @param folder the folder; null for none
     */
    public record Webapps(@Nullable Path folder, Duration interval, Duration undeploy) {

        static Webapps of(Configuration given) {
            return new Webapps(
                    given.file(Key.WEBAPPS),
                    given.duration(Key.WEBAPPS_INTERVAL),
                    given.duration(Key.UNDEPLOY_TIMEOUT));
        }
    }
}
