package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.AnyCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLSession;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the HTTPS options of {@code penstock.jar}. */
class HttpsIT {
    private static final String PASSWORD = "swordfish";

    @TempDir
    Path folder;

    private String site() throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        return site.toString();
    }

    /** Creates a key store with a new certificate for this subject. */
    private Path keystore(String subject) throws IOException, InterruptedException {
        Path store = folder.resolve(subject + ".p12");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-genkeypair", "-keystore", store.toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD, "-alias", "a", "-keyalg", "EC", "-groupname", "secp256r1"));
        command.addAll(List.of("-dname", "CN=" + subject, "-ext", "san=dns:localhost", "-validity", "30"));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        keytool.getOutputStream().close();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
        return store;
    }

    /**
     * Sends a request with a new client. The client trusts every certificate. It resumes no TLS session, so the server sends its current
     * certificate.
     */
    static HttpResponse<String> get(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/hello.txt"))
                .build();
        return HttpClient.newBuilder()
                .sslContext(AnyCertificate.trusting())
                .build()
                .send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static String subject(int port) throws IOException, InterruptedException {
        SSLSession session = get(port).sslSession().orElseThrow();
        return ((X509Certificate) session.getPeerCertificates()[0])
                .getSubjectX500Principal()
                .getName();
    }

    @Test
    void aSelfSignedCertificateNeedsNoFiles() throws Exception {
        try (JarProcess jar = JarProcess.run("--tls-self-signed", "--port", "0", site())) {
            String line = jar.startLine();
            assertTrue(line.contains(" at https://localhost:"), line);
            int port = JarProcess.port(line);
            assertEquals("Hello", get(port).body());
            assertEquals("CN=localhost", subject(port));
            assertTrue(jar.log().contains("The certificate is self-signed"), jar.log());
        }
    }

    @Test
    void aRenewedKeyStoreIsUsedAndAnInvalidKeyStoreIsIgnored() throws Exception {
        Path first = keystore("first");
        Path second = keystore("second");
        Path used = Files.copy(first, folder.resolve("used.p12"));
        try (JarProcess jar = JarProcess.run(
                Map.of("PENSTOCK_TLS_KEY_PASSWORD", PASSWORD),
                "--port",
                "0",
                "--tls-keystore",
                used.toString(),
                "--tls-reload-interval",
                "50ms",
                site())) {
            int port = JarProcess.port(jar.startLine());
            assertEquals("CN=first", subject(port));
            Files.copy(second, used, StandardCopyOption.REPLACE_EXISTING);
            Awaitility.await().until(() -> subject(port).equals("CN=second"));
            Files.writeString(used, "nonsense");
            Awaitility.await().until(() -> jar.log().contains("used.p12: is neither PKCS#12 nor JKS"));
            assertEquals("CN=second", subject(port));
        }
    }

    @Test
    void aMissingCertificateFileIsReportedOnOneLine() throws Exception {
        Path missing = folder.resolve("missing.pem");
        try (JarProcess jar = JarProcess.run("--port", "0", "--tls-cert", missing.toString(), site())) {
            Ran ran = jar.ended();
            assertEquals(ExitCode.START_FAILED.number(), ran.exitCode());
            assertEquals("penstock: tls-cert: " + missing + ": no such file" + System.lineSeparator(), ran.err());
        }
    }
}
