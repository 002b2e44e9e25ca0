package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.admin.ConfigTable;
import io.penstock.limits.Tls.ClientAuth;
import io.penstock.limits.Tls.Protocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the configuration keys for certificates and TLS. */
class TlsTest {
    private static ConfigurationSources sources(String... namesAndValues) {
        ConfigurationSources sources = new ConfigurationSources();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = namesAndValues[i];
            sources.flag(name, namesAndValues[i + 1], new Origin.Flag("--" + name));
        }
        return sources;
    }

    private static Tls of(String... namesAndValues) {
        return ServerConfig.of(sources(namesAndValues).resolve()).tls();
    }

    private static void assertFails(String message, String... namesAndValues) {
        assertEquals(
                message,
                assertThrows(ConfigurationException.class, () -> of(namesAndValues))
                        .getMessage());
    }

    @Test
    void tlsIsOffByDefault() {
        Tls tls = Tls.defaults();
        assertFalse(tls.isOn());
        assertNull(tls.trust());
        assertEquals(List.of(Protocol.TLS_1_3, Protocol.TLS_1_2), tls.protocols());
        assertEquals(List.of(), tls.ciphers());
        assertEquals(Duration.ofSeconds(10), tls.reloadInterval());
    }

    @Test
    void certificateFilesAndKeyFilesArePairedInTheirOrder() {
        Tls tls = of("tls-cert", "a.pem, my b.pem", "tls-key", "a.key , b.key");
        assertTrue(tls.isOn());
        assertEquals(List.of(Path.of("a.pem"), Path.of("my b.pem")), tls.certificates());
        assertEquals(List.of(Path.of("a.key"), Path.of("b.key")), tls.keys());
        assertEquals(List.of(), of("tls-cert", "a.pem").keys(), "the key files without tls-key");
        assertFails(
                "tls-key must have as many files as tls-cert, which has 2, not 1 (from --tls-key)",
                "tls-cert",
                "a.pem,b.pem",
                "tls-key",
                "a.key");
    }

    @Test
    void theRedirectPortRequiresACertificateAndMustNotBeTheListenerPort() {
        Https https = ServerConfig.of(sources("tls-self-signed", "on", "redirect-port", "80", "redirect-to-port", "443")
                        .resolve())
                .https();
        assertEquals(80, https.redirectPort());
        assertEquals(443, https.publicPort());
        assertEquals(
                Https.OFF, ServerConfig.of(Configuration.defaults()).https().redirectPort());
        assertFails(
                "redirect-port redirects to HTTPS, so it needs a certificate: tls-cert, tls-keystore, acme or"
                        + " tls-self-signed (from --redirect-port)",
                "redirect-port",
                "8081");
        assertFails(
                "redirect-port must not be the port of a listener: 8080 is the port of https://0.0.0.0:8080 (from"
                        + " --redirect-port)",
                "tls-self-signed",
                "on",
                "redirect-port",
                "8080");
        assertFails("redirect-port must be a port or off, not 'on' (from --redirect-port)", "redirect-port", "on");
        assertFails("redirect-port must be at most 65535, not 65536 (from --redirect-port)", "redirect-port", "65536");
        assertFails("redirect-to-port needs a redirect-port (from --redirect-to-port)", "redirect-to-port", "443");
    }

    private static final String GONE =
            " is gone: with a certificate (tls-cert) the server itself speaks HTTPS, and redirect-port opens a port"
                    + " that redirects to it";

    @Test
    void theErrorForTheRemovedKeyHttpsPortContainsTheNewKeys(@TempDir Path folder) throws IOException {
        assertFails("https-port" + GONE + " (from --https-port)", "https-port", "8443");
        assertEquals(
                "PENSTOCK_HTTPS_PORT" + GONE,
                assertThrows(ConfigurationException.class, () -> new ConfigurationSources()
                                .environment(Map.of("PENSTOCK_HTTPS_PORT", "8443")))
                        .getMessage());
        Path file = Files.writeString(folder.resolve("penstock.conf"), "https-port = 8443\n");
        assertEquals(
                "https-port" + GONE + " (from " + file + ":1)",
                assertThrows(ConfigurationException.class, () -> new ConfigurationSources().file(file))
                        .getMessage());
    }

    private static void assertHstsHeader(@Nullable String value, String hsts) {
        assertEquals(
                value,
                ServerConfig.of(sources("tls-self-signed", "on", "hsts", hsts).resolve())
                        .https()
                        .strictTransportSecurity());
    }

    @Test
    void theValueOfTheKeyHstsIsParsedAndChecked() {
        assertHstsHeader(null, "off");
        assertHstsHeader("max-age=0", "0s");
        assertHstsHeader("max-age=31536000", "365d");
        assertHstsHeader("max-age=3600; includeSubDomains", "1h, includeSubDomains");
        assertHstsHeader("max-age=63072000; includeSubDomains; preload", "730d,includeSubDomains,preload");
        for (String bad :
                List.of("on", "365", "1y", "1h includeSubDomains", "365d, preload, includeSubDomains", "-1d")) {
            assertFails(
                    "hsts must be off, or a time, perhaps followed by includeSubDomains and preload, such as"
                            + " '365d, includeSubDomains', not '" + bad + "' (from --hsts)",
                    "hsts",
                    bad);
        }
        for (String tooShort : List.of("365d, preload", "364d, includeSubDomains, preload")) {
            assertFails("hsts with preload needs includeSubDomains and at least 365d (from --hsts)", "hsts", tooShort);
        }
        assertFails(
                "hsts is sent over HTTPS only, so it needs a certificate: tls-cert, tls-keystore, acme or"
                        + " tls-self-signed (from --hsts)",
                "hsts",
                "1h");
    }

    @Test
    void theAdminPortUsesTheCertificatesOfTheServer() {
        assertEquals(
                Switch.ON,
                ServerConfig.of(sources("tls-self-signed", "on", "admin-tls", "on")
                                .resolve())
                        .admin()
                        .tls());
        assertEquals(Switch.OFF, ServerConfig.defaults().admin().tls());
        assertFails(
                "admin-tls needs a certificate of the server: tls-cert, tls-keystore, acme or tls-self-signed (from"
                        + " --admin-tls)",
                "admin-tls",
                "on");
    }

    @Test
    void onlyOneSourceOfCertificatesCanBeConfigured() {
        assertTrue(of("tls-keystore", "a.p12").isOn());
        assertTrue(of("tls-self-signed", "on").isOn());
        assertFails(
                "tls-keystore is used in place of tls-cert; set one of them (from --tls-keystore)",
                "tls-keystore",
                "a.p12",
                "tls-cert",
                "a.pem");
        assertFails(
                "tls-self-signed makes a certificate, but another one is configured already (from --tls-self-signed)",
                "tls-self-signed",
                "on",
                "tls-cert",
                "a.pem");
        assertFails(
                "tls-key-password-file is used in place of tls-key-password; set one of them (from"
                        + " --tls-key-password-file)",
                "tls-key-password",
                "a",
                "tls-key-password-file",
                "b");
    }

    /**
     * {@code tls-client-auth} without {@code tls-trust} is an error. If the server ignored {@code tls-client-auth}, clients without a
     * certificate could use the server.
     */
    @Test
    void theKeyTlsClientAuthRequiresTheKeyTlsTrust() {
        Tls tls = of("tls-cert", "a.pem", "tls-client-auth", "need", "tls-trust", "ca.pem");
        assertEquals(ClientAuth.NEED, tls.clientAuth());
        assertEquals(Path.of("ca.pem"), tls.trust());
        assertFails(
                "tls-client-auth needs the authorities of clients' certificates: tls-trust (from --tls-client-auth)",
                "tls-cert",
                "a.pem",
                "tls-client-auth",
                "want");
    }

    @Test
    void eachHostCanHaveItsOwnRuleForClientCertificates() {
        Tls tls = of(
                "tls-cert",
                "a.pem",
                "//A.example:client-auth",
                "need",
                "//*.b.example:client-auth",
                "none",
                "tls-trust",
                "ca.pem");
        assertEquals(ClientAuth.NONE, tls.clientAuth());
        assertEquals(Map.of("a.example", ClientAuth.NEED, "*.b.example", ClientAuth.NONE), tls.clientAuthOfHosts());
        assertFails(
                "//a.example/:client-auth needs the authorities of clients' certificates: tls-trust (from"
                        + " --//a.example:client-auth)",
                "tls-cert",
                "a.pem",
                "//a.example:client-auth",
                "want");
        assertFails(
                "//a.example/:client-auth needs a certificate of the server: tls-cert, tls-keystore, acme or"
                        + " tls-self-signed (from --//a.example:client-auth)",
                "//a.example:client-auth",
                "none");
        assertFails(
                "tls-trust needs tls-client-auth, want or need (from --tls-trust)",
                "tls-cert",
                "a.pem",
                "//a.example:client-auth",
                "none",
                "tls-trust",
                "ca.pem");
    }

    @Test
    void severalProtocolsAndCiphersCanBeConfigured() {
        Tls tls = of("tls-protocols", "TLSv1.3", "tls-ciphers", "TLS_AES_128_GCM_SHA256, TLS_AES_256_GCM_SHA384");
        assertEquals(List.of(Protocol.TLS_1_3), tls.protocols());
        assertEquals(List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"), tls.ciphers());
    }

    @Test
    void passwordsAreHidden() {
        Configuration configuration = sources("tls-trust-password", "secret-of-trust")
                .environment(Map.of("PENSTOCK_TLS_KEY_PASSWORD", "secret-of-keys"))
                .resolve();
        assertEquals("secret-of-keys", ServerConfig.of(configuration).tls().keyPassword());
        String shown = ConfigTable.of(configuration) + configuration.settings() + ServerConfig.of(configuration);
        assertFalse(shown.contains("secret-of"), shown);
        assertTrue(shown.contains("(hidden)"), shown);
    }
}
