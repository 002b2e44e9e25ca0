package io.penstock.standalone;

import io.penstock.limits.ConfigurationSources;
import io.penstock.limits.Key;
import io.penstock.limits.Origin;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The folder of an installed release: an unpacked archive, or the folder of the Debian package. It has a configuration and a folder of
 * applications. The server uses both if the command line names no application, no configuration and no folder of applications.
 *
 * @param home the folder that contains {@code bin}, {@code conf}, {@code lib} and {@code webapps}
 */
record Distribution(Path home) {
    /** The system property with the folder. The script {@code bin/penstock} sets it. */
    private static final String PROPERTY = "penstock.home";

    /** The installed release; null if the server was not started by {@code bin/penstock}. */
    static @Nullable Distribution installed() {
        String home = System.getProperty(PROPERTY);
        return home == null ? null : new Distribution(Path.of(home));
    }

    /**
     * Adds the configuration file and the folder of applications. The folder takes precedence over the folder in the file, which is for a
     * service. A folder in the environment takes precedence over both.
     */
    void addTo(ConfigurationSources sources, Map<String, String> environment) {
        sources.file(home.resolve("conf").resolve("penstock.properties"));
        if (!environment.containsKey(Key.WEBAPPS.variable())) {
            Path webapps = home.resolve("webapps");
            sources.flag(Key.WEBAPPS, webapps.toString(), new Origin.Told("the applications of " + home));
        }
    }
}
