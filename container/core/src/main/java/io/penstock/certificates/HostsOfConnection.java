package io.penstock.certificates;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Tests whether a client may send requests for a host over a connection. The object stores the last permitted host, because nearly all
 * requests of a connection are for the same host.
 *
 * <p>Thread: the reactor of the connection.
 */
final class HostsOfConnection implements Predicate<String> {
    // Longer names are not stored, because no memory budget counts these bytes.
    private static final int LONGEST = 255;

    private final Predicate<String> rule;
    private @Nullable String last;

    HostsOfConnection(Predicate<String> rule) {
        this.rule = rule;
    }

    @Override
    public boolean test(String host) {
        if (host.equals(last)) {
            return true;
        }
        boolean may = rule.test(host);
        if (may && host.length() <= LONGEST) {
            last = host;
        }
        return may;
    }
}
