package io.penstock.certificates;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Whether the certificate of one connection covers a host. It remembers the last one, since nearly all requests of a connection are for the
 * same.
 *
 * <p>Thread: the connection's reactor.
 */
final class CoveredHosts implements Predicate<String> {
    private final CertificateNames names;
    private @Nullable String last; // a host that it covers, so its length is bounded

    CoveredHosts(CertificateNames names) {
        this.names = names;
    }

    @Override
    public boolean test(String host) {
        if (host.equals(last)) {
            return true;
        }
        boolean covered = names.covers(host);
        if (covered) {
            last = host;
        }
        return covered;
    }
}
