package io.penstock.certificates;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a connection may have requests for a host. Remembers the last permitted host, since nearly all requests of a connection
 * are for the same host.
 *
 * <p>Thread: the connection's reactor.
 */
final class HostsOfConnection implements Predicate<String> {
    private static final int LONGEST = 255; // longer names are not remembered, since no budget counts them

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
