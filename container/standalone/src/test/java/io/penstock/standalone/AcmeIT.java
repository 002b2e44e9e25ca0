package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.acme.AcmeAuthority;
import io.penstock.acme.HttpProof;
import io.penstock.acme.TlsAlpnProof;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests {@code penstock.jar --acme}, which gets a certificate from an ACME authority. The test runs its own authority,
 * {@link AcmeAuthority}.
 */
class AcmeIT {
    private static final Pattern REDIRECTS = Pattern.compile("to which port ([0-9]+) redirects");

    @TempDir
    Path folder;

    private final CompletableFuture<Integer> port = new CompletableFuture<>();
    private final CompletableFuture<Integer> redirectPort = new CompletableFuture<>();
    private AcmeAuthority authority;

    @BeforeEach
    void startAuthority() throws Exception {
        Files.writeString(Files.createDirectory(folder.resolve("site")).resolve("hello.txt"), "Hello");
        authority = new AcmeAuthority()
                .offers("http-01", new HttpProof(redirectPort::join))
                .offers("tls-alpn-01", new TlsAlpnProof(port::join));
    }

    @AfterEach
    void closeAuthority() {
        authority.close();
    }

    private String[] with(String... more) {
        List<String> all = new ArrayList<>(List.of("--port", "0", "--host", "127.0.0.1", "--acme", "a.example"));
        all.addAll(List.of("--acme-directory", authority.directory()));
        all.addAll(List.of("--acme-dir", folder.resolve("acme").toString()));
        all.addAll(List.of(more));
        all.add(folder.resolve("site").toString());
        return all.toArray(String[]::new);
    }

    private static X509Certificate served(int port) throws Exception {
        try (SSLSocket socket = TlsAlpnProof.connect(port, "a.example", "http/1.1")) {
            socket.startHandshake();
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-01", "tls-alpn-01"})
    void aCertificateIsOrderedAndIsUsedAgainAfterARestart(String kind) throws Exception {
        X509Certificate got;
        String[] arguments = with("--redirect-port", "0", "--acme-challenge", kind);
        try (JarProcess jar = JarProcess.run(arguments)) {
            String line = jar.startLine();
            Matcher redirects = REDIRECTS.matcher(line);
            assertTrue(redirects.find(), line);
            redirectPort.complete(Integer.valueOf(redirects.group(1)));
            port.complete(JarProcess.port(line));
            Awaitility.await().until(() -> jar.log().contains("Certificate for a.example"));
            got = served(port.join());
            got.verify(authority.certificate().getPublicKey());
            String log = jar.log();
            assertTrue(log.contains("Clients get a self-signed certificate until the authority has signed"), log);
            assertTrue(
                    log.contains("By setting acme the operator agrees to its terms of service: " + AcmeAuthority.TERMS),
                    log);
            assertFalse(log.contains("ERROR"), log);
        }
        try (JarProcess jar = JarProcess.run(arguments)) {
            assertEquals(got, served(JarProcess.port(jar.startLine())));
            assertFalse(jar.log().contains("self-signed"), jar.log());
        }
        assertEquals(1, authority.signed());
    }

    @Test
    void anErrorResponseOfTheAuthorityIsLoggedOnOneLine() throws Exception {
        authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", "not for you"));
        try (JarProcess jar = JarProcess.run(with())) {
            jar.startLine();
            Awaitility.await().until(() -> jar.log().contains("No certificate for a.example from "));
            List<String> lines =
                    jar.log().lines().filter(line -> line.contains("ERROR")).toList();
            assertEquals(1, lines.size(), jar.log());
            assertTrue(
                    lines.get(0)
                            .contains(
                                    ": not for you (urn:ietf:params:acme:error:rejectedIdentifier). The next attempt is at "),
                    lines.get(0));
            jar.terminate();
            assertEquals(143, jar.ended().exitCode());
        }
    }

    @Test
    void aSecondServerWithTheSameAcmeFolderDoesNotStart() throws Exception {
        authority.on("dir", AcmeAuthority.hangs());
        try (JarProcess first = JarProcess.run(with())) {
            first.startLine();
            try (JarProcess second = JarProcess.run(with())) {
                Ran ran = second.ended();
                assertEquals(ExitCode.START_FAILED.number(), ran.exitCode());
                String last = ran.err().lines().reduce("", (former, line) -> line);
                assertTrue(last.startsWith("penstock: acme-dir: " + folder.resolve("acme")), ran.err());
                assertTrue(last.endsWith(" is used by another server"), ran.err());
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*.example.org | | acme cannot have wildcards, which need a proof by DNS: get a certificate for '*.example.org' with another program, and set tls-cert (from --acme)",
                "127.0.0.1 | | acme can have names of hosts, not addresses such as '127.0.0.1' (from --acme)",
                "a.example | --tls-cert=a.pem | acme gets the certificate from an authority, but tls-cert is set, too (from --acme)",
                "a.example | --acme-challenge=http-01 | acme-challenge http-01 needs a port without TLS, at which the authority asks: redirect-port (from --acme-challenge)"
            })
    void invalidAcmeOptionsAreUsageErrors(String names, String more, String message) {
        List<String> arguments = new ArrayList<>(List.of("--acme", names));
        if (more != null) {
            arguments.add(more);
        }
        arguments.add(folder.toString());
        Ran.with(arguments.toArray(String[]::new)).assertUsageError(message);
    }

    @Test
    void theCheckAndPrintConfigOptionsNeitherOrderACertificateNorPrintASecret() throws Exception {
        String key = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY";
        Map<String, String> environment = Map.of("PENSTOCK_ACME_EAB_KEY", key);
        try (JarProcess jar = JarProcess.run(environment, with("--acme-eab-kid", "kid-1", "--check"))) {
            Ran ran = jar.ended();
            assertEquals(0, ran.exitCode(), ran.err());
        }
        try (JarProcess jar = JarProcess.run(environment, with("--acme-eab-kid", "kid-1", "--print-config"))) {
            Ran ran = jar.ended();
            assertEquals(0, ran.exitCode(), ran.err());
            assertTrue(ran.out().contains("acme-eab-kid"), ran.out());
            assertTrue(ran.out().contains(authority.directory()), ran.out());
            assertFalse(ran.out().contains(key), ran.out());
        }
        assertEquals(List.of(), authority.requests());
        assertFalse(Files.exists(folder.resolve("acme")));
    }
}
