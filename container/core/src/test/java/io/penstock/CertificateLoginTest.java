package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.realm.Realm;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests the login by a client certificate. The test does not use TLS: a listener sets the request attribute that the TLS transport would
 * set.
 */
class CertificateLoginTest {
    private static final String ATTRIBUTE = "jakarta.servlet.request.X509Certificate";

    /** A self-signed certificate: CN=Ann, O=Acme. */
    private static final String CERTIFICATE = """
            -----BEGIN CERTIFICATE-----
            MIIBkDCCATegAwIBAgIUDxRqNZytm9gYRCO+w+jzLF+2GCQwCgYIKoZIzj0EAwIw
            HTENMAsGA1UECgwEQWNtZTEMMAoGA1UEAwwDQW5uMCAXDTI2MTEyMTExMTcxNloY
            DzIxMjYxMDI4MTExNzE2WjAdMQ0wCwYDVQQKDARBY21lMQwwCgYDVQQDDANBbm4w
            WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASKnxt4nhjXx8u9/je+nvINmr5nm7Fr
            qAwe9KhUYFLQveSU0QE+x8pYE4uxxfxmIVOOLlIH6wKIdo+dAn06OXiso1MwUTAd
            BgNVHQ4EFgQUk1TvPtKDQiHuqbEYHvG4TI5QaikwHwYDVR0jBBgwFoAUk1TvPtKD
            QiHuqbEYHvG4TI5QaikwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBE
            AiArICkWi9CbtKo/kXSTEkwzSt/nnQNL4qq4qhi0Za7rGQIgbVq33SJChxFuqVzG
            85VVho1UE2CHGRBvO+xPzpdQyUE=
            -----END CERTIFICATE-----
            """;

    /** A realm that knows the holder of one certificate. */
    private static final class ByCertificate implements Realm {
        @Override
        public @Nullable User authenticate(String name, String password) {
            return null;
        }

        @Override
        public @Nullable User authenticate(List<X509Certificate> chain) {
            String subject = chain.get(0).getSubjectX500Principal().toString();
            return subject.equals("CN=Ann, O=Acme") ? new User(subject, Set.of("staff")) : null;
        }
    }

    /** Sets the certificate attribute of the request, like the TLS transport. */
    private record Showing(Object shown) implements ServletRequestListener {
        @Override
        public void requestInitialized(ServletRequestEvent event) {
            event.getServletRequest().setAttribute(ATTRIBUTE, shown);
        }
    }

    private static X509Certificate certificate() throws CertificateException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(CERTIFICATE.getBytes(StandardCharsets.US_ASCII)));
    }

    private static RawExchange requestStaffPage(Realm realm, String role, Object shown) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .realm(realm)
                .context("/", context -> context.servlet("staff", new WhoServlet(), "/staff")
                        .listener(new Showing(shown))
                        .constrain("/staff", role)
                        .certificateLogin())
                .start()) {
            return RawExchange.get(server, "/staff", "Authorization: Basic YW5uOnNlY3JldA==");
        }
    }

    @Test
    void theHolderOfAKnownClientCertificateIsLoggedIn() throws Exception {
        RawExchange shown = requestStaffPage(new ByCertificate(), "staff", new X509Certificate[] {certificate()});
        assertEquals("reached by CN=Ann, O=Acme/CN=Ann, O=Acme/CLIENT_CERT/staff=true", shown.body());
    }

    @Test
    void aRequestWithoutAKnownCertificateOrWithoutTheRoleGets403() throws Exception {
        assertEquals(403, requestStaffPage(new ByCertificate(), "staff", "none").status());
        assertEquals(
                403,
                requestStaffPage(new ByCertificate(), "staff", new X509Certificate[0])
                        .status());
        assertEquals(
                403,
                requestStaffPage(GivenRealm.annAndBob(), "staff", new X509Certificate[] {certificate()})
                        .status());
        assertEquals(
                403,
                requestStaffPage(new ByCertificate(), "admin", new X509Certificate[] {certificate()})
                        .status());
    }
}
