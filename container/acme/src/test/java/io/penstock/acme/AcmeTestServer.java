package io.penstock.acme;

import com.sun.net.httpserver.HttpServer;
import io.penstock.challenges.HttpChallenges;
import io.penstock.part.CertificateIssuer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A substitute for the server in tests of the ACME module. It reads its certificate from a file, and responds to HTTP challenges on a port.
 * The test advances the clock of this server ({@code time}).
 *
 * <p>The methods run on the thread of the test and on the threads of the orders. {@link #close} ends the orders and closes the port.
 */
final class AcmeTestServer implements CertificateIssuer.Receiver, AutoCloseable {
    final ManualTime time = new ManualTime();

    private final HttpChallenges challenges = new HttpChallenges();
    private final HttpServer http;
    private final CertificateIssuer.Settings settings;
    private final AcmeOrders orders;
    private volatile @Nullable X509Certificate current;
    private volatile int replaced;

    AcmeTestServer(Path folder, AcmeAuthority authority, String... hosts) throws Exception {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/", exchange -> {
            String answer = challenges.answer(exchange.getRequestURI().getPath());
            byte[] bytes = answer == null ? new byte[0] : answer.getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(answer == null ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        http.start();
        authority.begin = time::instant;
        authority.offers("http-01", new HttpProof(() -> http.getAddress().getPort()));
        settings = new CertificateIssuer.Settings(
                List.of(hosts),
                URI.create(authority.directory()),
                "admin@example.org",
                folder,
                folder.resolve("certificate.pem"),
                List.of("http-01"),
                null);
        if (Files.exists(settings.certificate())) {
            replaced();
            replaced = 0;
        }
        orders = new AcmeOrders(settings, this, KeptFiles.open(folder), time, new RetryPause(() -> 0L));
    }

    @Override
    public @Nullable X509Certificate current() {
        return current;
    }

    @Override
    public void replaced() throws IOException {
        byte[] certificate = Pem.find(Pem.CERTIFICATE, Files.readString(settings.certificate()));
        try {
            current = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(certificate));
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
        replaced++;
    }

    @Override
    public HttpChallenges httpChallenges() {
        return challenges;
    }

    @Override
    public void openTlsChallenge(String host, String keyAuthorization) throws IOException {
        throw new IOException("this test server does not support TLS");
    }

    @Override
    public void closeTlsChallenge(String host) {
        // This server never opens a TLS challenge.
    }

    AcmeOrders orders() {
        return orders;
    }

    /** Returns how often the certificate was replaced. */
    int count() {
        return replaced;
    }

    /** Starts an order if the server needs a certificate, and waits until no order runs. */
    void checkOrders() {
        orders.look();
        Awaitility.await().until(orders::isIdle);
    }

    @Override
    public void close() {
        orders.close();
        http.stop(0);
    }
}
