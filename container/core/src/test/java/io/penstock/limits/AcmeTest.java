package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the configuration keys for certificates from an ACME authority. */
class AcmeTest {
    private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";

    private static ServerConfig of(String... namesAndValues) {
        ConfigurationSources sources = new ConfigurationSources();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = namesAndValues[i];
            sources.flag(name, namesAndValues[i + 1], new Origin.Flag("--" + name));
        }
        return ServerConfig.of(sources.resolve());
    }

    private static void assertFails(String message, String... namesAndValues) {
        assertEquals(
                message,
                assertThrows(ConfigurationException.class, () -> of(namesAndValues))
                        .getMessage());
    }

    @Test
    void acmeIsOffByDefault() {
        assertFalse(ServerConfig.defaults().acme().isOn());
        assertFalse(ServerConfig.defaults().tls().isOn());
    }

    @Test
    void theAcmeDirectoryAndTheFolderAndTheChallengesHaveDefaults() {
        ServerConfig config = of("acme", "Example.ORG");
        Acme acme = config.acme();
        assertEquals(List.of("example.org"), acme.names());
        assertEquals(URI.create("https://acme-v02.api.letsencrypt.org/directory"), acme.directory());
        assertEquals(
                Path.of(System.getProperty("user.home"), ".penstock/acme/acme-v02.api.letsencrypt.org-directory"),
                acme.folder());
        assertEquals(List.of("tls-alpn-01"), acme.challenges());
        assertNull(acme.email());
        assertNull(acme.binding());
        assertTrue(config.tls().isOn());
        assertEquals(List.of(acme.certificate()), config.tls().certificates());
    }

    @Test
    void severalHostNamesAreAcceptedAndNormalized() {
        assertEquals(
                List.of("example.org", "www.example.org", "xn--bcher-kva.example", "server"),
                of("acme", "example.org, www.example.org,bücher.example,WWW.example.org,server")
                        .acme()
                        .names());
    }

    /**
     * Each authority has its own folder for certificates. So the server does not use the certificate of a test authority after the
     * operator has configured another authority.
     */
    @Test
    void theCertificateFolderDependsOnTheAuthority() {
        assertEquals(
                Path.of("/d/localhost-14000-dir"),
                of("acme", "a.example", "acme-dir", "/d", "acme-directory", "http://localhost:14000/dir")
                        .acme()
                        .folder());
    }

    @Test
    void challengeTypesAreParsedAndChecked() {
        assertEquals(
                List.of("http-01", "tls-alpn-01"),
                of("acme", "a.example", "redirect-port", "8081").acme().challenges());
        assertEquals(
                List.of("http-01"),
                of("acme", "a.example", "redirect-port", "8081", "acme-challenge", "http-01")
                        .acme()
                        .challenges());
        assertEquals(
                List.of("tls-alpn-01"),
                of("acme", "a.example", "redirect-port", "8081", "acme-challenge", "tls-alpn-01")
                        .acme()
                        .challenges());
        assertFails(
                "acme-challenge http-01 needs a port without TLS, at which the authority asks: redirect-port (from --acme-challenge)",
                "acme",
                "a.example",
                "acme-challenge",
                "http-01");
        assertFails(
                "acme-challenge must be auto, http-01 or tls-alpn-01, not 'dns-01' (from --acme-challenge)",
                "acme",
                "a.example",
                "acme-challenge",
                "dns-01");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "*.example.org | cannot have wildcards, which need a proof by DNS: get a certificate for '*.example.org' with another program, and set tls-cert",
                "127.0.0.1     | can have names of hosts, not addresses such as '127.0.0.1'",
                "::1           | can have names of hosts, not addresses such as '::1'",
                "a b.example   | has a name that is not valid for a host: 'a b.example'",
                "a..example    | has a name that is not valid for a host: 'a..example'",
                "a.example,    | has a name that is not valid for a host: ''",
                "-a.example    | has a name that is not valid for a host: '-a.example'",
                "a_b.example   | has a name that is not valid for a host: 'a_b.example'",
                "https://a.example | can have names of hosts, not addresses such as 'https://a.example'"
            })
    void anInvalidHostNameIsRefused(String names, String problem) {
        assertFails("acme " + problem + " (from --acme)", "acme", names);
    }

    @ParameterizedTest
    @CsvSource({
        "http://authority.example/dir",
        "ftp://localhost/dir",
        "https:dir",
        "authority.example",
    })
    void anInvalidUrlOfTheAcmeDirectoryIsRefused(String url) {
        assertFails(
                "acme-directory must be a URL that begins with https:// and has a host, not '" + url
                        + "' (from --acme-directory)",
                "acme",
                "a.example",
                "acme-directory",
                url);
    }

    @Test
    void acmeTogetherWithAnotherSourceOfTheCertificateIsRefused() {
        for (String key : List.of("tls-cert", "tls-key", "tls-keystore")) {
            assertFails(
                    "acme gets the certificate from an authority, but " + key + " is set, too (from --acme)",
                    "acme",
                    "a.example",
                    key,
                    "a.pem");
        }
        assertFails(
                "tls-self-signed makes a certificate, but another one is configured already (from --tls-self-signed)",
                "acme",
                "a.example",
                "tls-self-signed",
                "on");
    }

    @Test
    void theKeysForAcmeEmailAndAcmeEabAreRefusedWithoutTheKeyAcme() {
        for (String key : List.of("acme-email", "acme-eab-kid", "acme-eab-key")) {
            assertFails(key + " needs the hosts of the certificate: acme (from --" + key + ")", key, "x");
        }
    }

    @Test
    void theExternalAccountBindingAndTheEmailAreParsedAndChecked() {
        Acme acme = of("acme", "a.example", "acme-eab-kid", "kid", "acme-eab-key", KEY, "acme-email", "me@a.example")
                .acme();
        assertEquals(new Acme.Binding("kid", KEY), acme.binding());
        assertEquals("me@a.example", acme.email());
        assertFalse(acme.toString().contains(KEY), acme.toString());
        assertFails(
                "acme-eab-kid needs acme-eab-key, too (from --acme-eab-kid)", "acme", "a.example", "acme-eab-kid", "k");
        assertFails(
                "acme-eab-key needs acme-eab-kid, too (from --acme-eab-key)", "acme", "a.example", "acme-eab-key", KEY);
        assertFails(
                "acme-eab-key is not base64url, the form in which authorities give it (from --acme-eab-key)",
                "acme",
                "a.example",
                "acme-eab-kid",
                "k",
                "acme-eab-key",
                "+/");
        assertFails(
                "acme-eab-key is too short: it must have 32 bytes (from --acme-eab-key)",
                "acme",
                "a.example",
                "acme-eab-kid",
                "k",
                "acme-eab-key",
                "YWJj");
        assertFails(
                "acme-email must be one address, such as admin@example.org (from --acme-email)",
                "acme",
                "a.example",
                "acme-email",
                "me@a.example,you@a.example");
    }
}
