package io.penstock.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.certificates.Issued;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.servlet.ServletContextInitializer;

/** Tests HTTPS with SSL bundles. The tests connect to the server as clients. */
class SslBundlesTest {
    private static final ServletContextInitializer SCHEME = Running.servlet(
            "/", (request, response) -> response.getWriter().print(request.getScheme() + request.isSecure()));

    private final Issued authority = Issued.authority("tests");
    private final Issued first = authority.issue("first", Issued.EC, "localhost");
    private final Issued second = authority.issue("second", Issued.RSA, "second.example.org");
    private final PenstockServletWebServerFactory factory = Running.factory();

    private SslBundle bundle(Issued certificate) {
        PemSslStoreDetails own =
                PemSslStoreDetails.forCertificate(certificate.pem()).withPrivateKey(certificate.keyPem());
        return SslBundle.of(new PemSslStoreBundle(own, PemSslStoreDetails.forCertificate(authority.pem())));
    }

    @Test
    void eachHostCanHaveItsOwnBundleAndNewConnectionsUseUpdatedBundles() throws Exception {
        DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("main", bundle(first));
        bundles.registerBundle("other", bundle(second));
        Ssl ssl = Ssl.forBundle("main");
        ssl.setServerNameBundles(List.of(new Ssl.ServerNameSslBundle("second.example.org", "other")));
        factory.setSsl(ssl);
        factory.setSslBundles(bundles);
        try (Running running = Running.start(factory, SCHEME)) {
            int port = running.server.getPort();
            assertEquals("CN=first", subject(port, "localhost", null));
            assertEquals("CN=second", subject(port, "second.example.org", null));
            Issued renewed = authority.issue("renewed", Issued.EC, "localhost");
            bundles.updateBundle("main", bundle(renewed));
            assertEquals("CN=renewed", subject(port, "localhost", null));
            bundles.updateBundle("other", bundle(renewed));
            assertEquals("CN=renewed", subject(port, "second.example.org", null));
        }
    }

    @Test
    void aClientWithoutACertificateIsRejectedIfClientAuthHasTheValueNeed() throws Exception {
        Ssl ssl = Ssl.forBundle("main");
        ssl.setClientAuth(Ssl.ClientAuth.NEED);
        factory.setSsl(ssl);
        factory.setSslBundles(new DefaultSslBundleRegistry("main", bundle(first)));
        try (Running running = Running.start(factory, SCHEME)) {
            int port = running.server.getPort();
            assertThrows(IOException.class, () -> subject(port, "localhost", null));
            assertEquals("CN=first", subject(port, "localhost", bundle(second)));
        }
    }

    @Test
    void theServerUsesPlainHttpIfSslIsDisabled() throws Exception {
        Ssl ssl = Ssl.forBundle("main");
        ssl.setEnabled(false);
        factory.setSsl(ssl);
        try (Running running = Running.start(factory, SCHEME)) {
            assertEquals("httpfalse", running.get("/").body());
            assertThrows(SSLException.class, () -> subject(running.server.getPort(), "localhost", null));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void clientsOfHttp2GetItOverTlsIfHttp2IsEnabled(boolean enabled) throws Exception {
        Http2 http2 = new Http2();
        http2.setEnabled(enabled);
        factory.setHttp2(http2);
        factory.setSsl(Ssl.forBundle("main"));
        factory.setSslBundles(new DefaultSslBundleRegistry("main", bundle(first)));
        try (Running running = Running.start(factory, SCHEME)) {
            HttpClient client =
                    HttpClient.newBuilder().sslContext(context(null)).build();
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create("https://localhost:" + running.server.getPort() + "/"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals("httpstrue", response.body());
            assertEquals(enabled ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1, response.version());
        }
    }

    /**
     * Sends a request as a client that trusts only the certificate authority of the test. Returns the subject of the server's certificate.
     */
    private String subject(int port, String host, SslBundle own) throws Exception {
        try (SSLSocket socket =
                (SSLSocket) context(own).getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName(host)));
            socket.setSSLParameters(parameters);
            socket.getOutputStream()
                    .write(("GET / HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals("httpstrue", answer.substring(answer.lastIndexOf("\r\n\r\n") + 4));
            X509Certificate certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return certificate.getSubjectX500Principal().getName();
        }
    }

    private SSLContext context(SslBundle own) throws Exception {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, null);
        trusted.setCertificateEntry("authority", authority.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        TrustManager[] managers = trust.getTrustManagers();
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own == null ? null : own.getManagers().getKeyManagers(), managers, null);
        return context;
    }
}
