package io.penstock.server;

import io.penstock.certificates.ServerCertificates;
import io.penstock.certificates.TlsChallenges;
import io.penstock.certificates.TlsSetupException;
import io.penstock.challenges.HttpChallenges;
import io.penstock.limits.Acme;
import io.penstock.limits.Key;
import io.penstock.part.CertificateIssuer;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/**
 * Orders the server's certificate through the optional library for ACME, and gives the certificate to the server.
 *
 * <p>Thread: the thread that starts or stops the server calls {@link #open} and {@link #close}. The scheduler calls {@link #look}. Any
 * thread can call {@link #failures}. Owns: the open orders of the library.
 */
final class CertificateOrders implements AutoCloseable {
    private final Acme acme;
    private final CertificateIssuer issuer;
    private final CertificateIssuer.Receiver receiver;

    /** Written by {@link #open} and {@link #close}. */
    private volatile CertificateIssuer.@Nullable Orders orders;

    /**
     * Finds the library for ACME. {@link #open} starts the library.
     *
     * @throws IllegalArgumentException if the library for ACME is missing. The message names the key
     */
    CertificateOrders(
            Acme acme, ServerCertificates certificates, HttpChallenges challenges, TlsChallenges tlsChallenges) {
        this.acme = acme;
        this.issuer = issuer();
        this.receiver = new Receiver(certificates, challenges, tlsChallenges);
    }

    /** @throws IllegalArgumentException if the library for ACME is missing. The message names the key */
    static CertificateIssuer issuer() {
        return ServiceLoader.load(CertificateIssuer.class, CertificateIssuer.class.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(Key.ACME.id()
                        + ": this server has no library for it; add io.penstock:penstock-acme to its class path"));
    }

    /** @throws ServerStartException if the library cannot start, for example because it cannot use its folder */
    void open() throws ServerStartException {
        Acme.Binding binding = acme.binding();
        try {
            orders = issuer.open(
                    new CertificateIssuer.Settings(
                            acme.names(),
                            acme.directory(),
                            acme.email(),
                            acme.folder(),
                            acme.certificate(),
                            acme.challenges(),
                            binding == null ? null : new CertificateIssuer.Binding(binding.id(), binding.key())),
                    receiver);
        } catch (IOException e) {
            throw new ServerStartException(Key.ACME_DIR.id() + ": " + e.getMessage(), e);
        }
    }

    void look() {
        CertificateIssuer.Orders open = orders;
        if (open != null) {
            open.look();
        }
    }

    int failures() {
        CertificateIssuer.Orders open = orders;
        return open == null ? 0 : open.failures();
    }

    /** Closes the orders. A second call has no effect. */
    @Override
    public void close() {
        CertificateIssuer.Orders open = orders;
        orders = null;
        if (open != null) {
            open.close();
        }
    }

    /** The part of the server that the library for ACME calls. */
    private record Receiver(ServerCertificates certificates, HttpChallenges httpChallenges, TlsChallenges tlsChallenges)
            implements CertificateIssuer.Receiver {

        @Override
        public @Nullable X509Certificate current() {
            return certificates.certificate();
        }

        @Override
        public void replaced() throws IOException {
            if (certificates.reload() == ServerCertificates.Reload.FAILED) {
                throw new IOException("the certificate that the authority has signed cannot be used");
            }
        }

        @Override
        public void openTlsChallenge(String host, String keyAuthorization) throws IOException {
            try {
                tlsChallenges.put(host, keyAuthorization);
            } catch (TlsSetupException e) {
                throw new IOException(e.getMessage(), e);
            }
        }

        @Override
        public void closeTlsChallenge(String host) {
            tlsChallenges.remove(host);
        }
    }
}
