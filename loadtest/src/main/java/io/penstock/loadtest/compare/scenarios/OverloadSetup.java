package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import java.util.Map;

/**
 * The settings of a server in an {@link OverloadScenario}.
 *
 * @param name the name of these settings in a table
 * @param own the changed settings; the keys are the server's own names of the settings
 * @param ageNanos the maximum time for which a request waits for a thread, in nanoseconds; after this time the request is refused. {@link
 *     #NO_AGE} if there is no maximum, or if it is not known
 */
record OverloadSetup(String name, Map<String, String> own, long ageNanos) {
    static final long NO_AGE = Long.MAX_VALUE;

    /** The default settings of the server. */
    static final OverloadSetup DEFAULTS = new OverloadSetup("default", Map.of(), NO_AGE);

    OverloadSetup {
        own = Map.copyOf(own);
    }

    /** Returns the default settings of the server with one changed setting. */
    static OverloadSetup with(String setting, String value, long ageNanos) {
        return new OverloadSetup(setting + "=" + value, Map.of(setting, value), ageNanos);
    }

    ServerOptions of(ServerOptions common) {
        ServerOptions options = common;
        for (Map.Entry<String, String> setting : own.entrySet()) {
            options = options.with(setting.getKey(), setting.getValue());
        }
        return options;
    }
}
