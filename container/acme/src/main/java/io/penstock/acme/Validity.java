package io.penstock.acme;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the host names and the lifetime of a certificate. */
final class Validity {
    private static final int DNS_NAME = 2;

    /** The divisor of the lifetime: a certificate is renewed when only a third of its lifetime remains. */
    private static final int PART_LEFT = 3;

    private Validity() {}

    /**
     * Whether the certificate contains all the given host names. The names must be in lower case. For a damaged certificate the result is
     * false.
     */
    static boolean covers(X509Certificate certificate, List<String> hosts) {
        Collection<List<?>> names;
        try {
            names = certificate.getSubjectAlternativeNames();
        } catch (CertificateParsingException e) {
            return false;
        }
        if (names == null) {
            return false;
        }
        Set<String> covered = names.stream()
                .filter(name -> name.get(0).equals(DNS_NAME))
                .map(name -> name.get(1).toString().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
        return covered.containsAll(hosts);
    }

    /**
     * Returns the time at which the next certificate must be ordered. If {@code current} is null or does not contain all host names, the
     * result is {@link Instant#MIN}.
     */
    static Instant renewal(@Nullable X509Certificate current, List<String> hosts) {
        if (current == null || !covers(current, hosts)) {
            return Instant.MIN;
        }
        Instant end = current.getNotAfter().toInstant();
        Duration life = Duration.between(current.getNotBefore().toInstant(), end);
        return end.minus(life.dividedBy(PART_LEFT));
    }
}
