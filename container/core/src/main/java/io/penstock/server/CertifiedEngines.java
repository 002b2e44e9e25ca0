package io.penstock.server;

import io.penstock.certificates.ServerCertificates;
import io.penstock.tls.TlsEngines;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

/** The configured certificates as a listener with TLS uses them. */
record CertifiedEngines(ServerCertificates certificates) implements TlsEngines {

    @Override
    public SSLEngine create() {
        return certificates.engine();
    }

    @Override
    public Predicate<String> hosts(SSLSession session) {
        return certificates.hosts(session);
    }
}
