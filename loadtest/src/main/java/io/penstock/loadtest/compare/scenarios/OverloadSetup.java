package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import java.util.Map;

/**
 * Settings of a server that is overloaded.
 *
 * @param name in a table
 * @param own settings by the server's own names
 * @param ageNanos the time for which a request may wait for a thread before it is refused; {@link #NO_AGE} if there is no
 *     limit, or if it is not known
 */
record OverloadSetup(String name, Map<String, String> own, long ageNanos) {
    static final long NO_AGE = Long.MAX_VALUE;

    /** The server's own settings. */
    static final OverloadSetup DEFAULTS = new OverloadSetup("default", Map.of(), NO_AGE);

    OverloadSetup {
        own = Map.copyOf(own);
    }

    /** The server's own settings, except for one. */
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
