package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import java.util.Map;

/**
 * One way in which a server is set up to be overloaded.
 *
 * @param name in a table
 * @param own settings by the server's own names
 * @param ageNanos how long a request may wait for a thread before it is refused; {@link #NO_AGE} where it may wait for ever, or
 *     where the server knows alone
 */
record OverloadSetup(String name, Map<String, String> own, long ageNanos) {
    static final long NO_AGE = Long.MAX_VALUE;

    /** As the server comes. */
    static final OverloadSetup DEFAULTS = new OverloadSetup("as it comes", Map.of(), NO_AGE);

    OverloadSetup {
        own = Map.copyOf(own);
    }

    /** As the server comes but for one setting. */
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
