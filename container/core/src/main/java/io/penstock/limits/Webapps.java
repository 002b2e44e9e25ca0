package io.penstock.limits;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The folder whose applications are deployed, redeployed and undeployed while the server runs.
 *
 * @param folder the folder; null for none
 * @param interval the time between two scans; if zero, the folder is scanned only at the start
 * @param undeploy how long an undeployed application waits for its running requests
 */
public record Webapps(@Nullable Path folder, Duration interval, Duration undeploy) {
    private static final String NONE = "none";

    public Webapps {
        Check.notNegative(Key.WEBAPPS_INTERVAL, interval);
        Check.notNegative(Key.UNDEPLOY_TIMEOUT, undeploy);
    }

    public static Webapps defaults() {
        return of(Configuration.defaults());
    }

    static Webapps of(Configuration given) {
        return new Webapps(
                folder(given.text(Key.WEBAPPS)),
                given.duration(Key.WEBAPPS_INTERVAL),
                given.duration(Key.UNDEPLOY_TIMEOUT));
    }

    private static @Nullable Path folder(String text) {
        Check.notBlank(Key.WEBAPPS, text);
        try {
            return text.equals(NONE) ? null : Path.of(text);
        } catch (InvalidPathException e) {
            throw new BadValueException(Key.WEBAPPS, "is not a valid path: " + e.getMessage());
        }
    }
}
