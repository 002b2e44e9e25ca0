package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import io.penstock.testing.AnyCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a security provider in the folder of the jar, as described in {@code docs/tls.md}. */
class TlsProviderIT {
    private static final String NAME = "AmazonCorrettoCryptoProvider";

    @TempDir
    Path folder;

    @BeforeEach
    void requireASystemThatTheProviderSupports() {
        assumeTrue(System.getProperty("os.name").equals("Linux"));
        assumeTrue(System.getProperty("os.arch").equals("amd64"));
    }

    private static Path provider() throws URISyntaxException {
        return Path.of(AmazonCorrettoCryptoProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private Path jar() throws IOException {
        return Files.copy(JarProcess.usualJar(), folder.resolve("penstock.jar"));
    }

    private String[] arguments() throws IOException {
        Path site = Files.createDirectories(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        return new String[] {"--tls-self-signed", "--tls-provider", NAME, "--port", "0", site.toString()};
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theServerUsesTheSecurityProviderForTls(String version) throws Exception {
        Path jar = jar();
        Files.copy(provider(), folder.resolve("penstock-tls-provider.jar"));
        try (JarProcess process = JarProcess.ofCopy(jar, arguments())) {
            int port = JarProcess.port(process.startLine());
            SSLContext context = SSLContext.getInstance(version);
            context.init(null, new TrustManager[] {new AnyCertificate()}, null);
            HttpsURLConnection connection = (HttpsURLConnection) URI.create("https://localhost:" + port + "/hello.txt")
                    .toURL()
                    .openConnection();
            connection.setSSLSocketFactory(context.getSocketFactory());
            try (InputStream body = connection.getInputStream()) {
                assertEquals(
                        version,
                        connection.getSSLSession().map(SSLSession::getProtocol).orElseThrow());
                assertEquals("Hello", new String(body.readAllBytes(), StandardCharsets.UTF_8));
            }
            String log = process.log();
            assertTrue(
                    log.matches(
                            "(?s).*" + NAME + " version \\S+ is now the first security provider of this process\\..*"),
                    log);
            assertTrue(log.contains("AES/GCM/NoPadding"), log);
        }
    }

    @Test
    void theServerDoesNotStartIfTheSecurityProviderIsMissing() throws Exception {
        assertRefused(jar(), "is neither the name nor the class of a security provider on the class path");
    }

    @Test
    void theServerDoesNotStartIfTheNativeLibraryOfTheProviderIsMissing() throws Exception {
        Path jar = jar();
        try (JarInputStream from = new JarInputStream(Files.newInputStream(provider()));
                JarOutputStream to =
                        new JarOutputStream(Files.newOutputStream(folder.resolve("penstock-tls-provider.jar")))) {
            for (JarEntry entry = from.getNextJarEntry(); entry != null; entry = from.getNextJarEntry()) {
                if (!entry.getName().endsWith(".so")) {
                    to.putNextEntry(new JarEntry(entry.getName()));
                    from.transferTo(to);
                }
            }
        }
        assertRefused(
                jar, "offers no algorithm of TLS; its native library may be missing, or be made for another system");
    }

    private void assertRefused(Path jar, String problem) throws Exception {
        try (JarProcess process = JarProcess.ofCopy(jar, arguments())) {
            Ran ran = process.ended();
            assertEquals(ExitCode.START_FAILED.number(), ran.exitCode());
            assertTrue(
                    ran.err().endsWith("penstock: tls-provider: '" + NAME + "' " + problem + System.lineSeparator()));
        }
    }
}
