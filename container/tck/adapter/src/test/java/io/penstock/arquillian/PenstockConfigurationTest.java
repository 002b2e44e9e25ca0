package io.penstock.arquillian;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.Penstock;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.jboss.arquillian.container.spi.ConfigurationException;
import org.junit.jupiter.api.Test;

/** Tests the properties of the container in {@code arquillian.xml}. */
class PenstockConfigurationTest {

    @Test
    void usersAreSeparatedBySemicolons() {
        assertEquals(
                List.of(
                        new TestUser("j2ee", "secret", Set.of("Administrator", "Employee")),
                        new TestUser("CN=CTS, O=Some Inc.", "", Set.of("Administrator"))),
                TestUser.parse(
                        "  j2ee | secret | Administrator, Employee;\n  CN=CTS, O=Some Inc. | | Administrator; "));
    }

    @Test
    void anInvalidUserIsRejected() {
        assertThrows(ConfigurationException.class, () -> TestUser.parse("j2ee"));
        assertThrows(ConfigurationException.class, () -> TestUser.parse("| a | b"));
    }

    @Test
    void invalidSettingsAreRejected() {
        PenstockConfiguration configuration = new PenstockConfiguration();
        configuration.validate();
        configuration.setSettings("body-limit = \\u12");
        assertThrows(ConfigurationException.class, configuration::validate);
    }

    @Test
    void theServerUsesHttpsIfTheSettingsEnableASelfSignedCertificate() throws Exception {
        PenstockConfiguration configuration = new PenstockConfiguration();
        configuration.setSettings("tls-self-signed = on; workers = 2");
        configuration.validate();
        try (Penstock server = configuration.server().start();
                SSLSocket client = (SSLSocket) trusting().getSocketFactory().createSocket("localhost", server.port())) {
            client.startHandshake();
            assertEquals("CN=localhost", client.getSession().getPeerPrincipal().getName());
        }
    }

    private static SSLContext trusting() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        return context;
    }

    private static final class AnyCertificate implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
