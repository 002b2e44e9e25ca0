package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.certificates.ServerCertificates;
import io.penstock.certificates.TlsSetupException;
import io.penstock.limits.Switch;
import io.penstock.limits.Tls;
import io.penstock.limits.Tls.ClientAuth;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests certificates and keys that OpenSSL has created. */
@NeedsProgram(Program.OPENSSL)
class OpensslKeysTest {
    private static final String PASSWORD = "swordfish";

    @TempDir
    Path folder;

    private void openssl(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>();
        words.add(Program.OPENSSL.path().toString());
        words.addAll(List.of(command.split(" ")));
        Process openssl = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        // The input is closed, so OpenSSL does not wait at a prompt.
        openssl.getOutputStream().close();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, openssl.waitFor(), said);
    }

    private void certificate(String key) throws IOException, InterruptedException {
        openssl("req -x509 -new -key " + key
                + " -passin pass:" + PASSWORD
                + " -subj /CN=a.example -addext subjectAltName=DNS:a.example -days 30 -out a.pem");
    }

    private static void assertIsRead(Tls tls) throws TlsSetupException {
        assertTrue(ServerCertificates.open(tls).expires().isAfter(Instant.now().plus(Duration.ofDays(29))));
    }

    private Tls tls(@Nullable String key, @Nullable String store) throws IOException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        return new Tls(
                key == null ? List.of() : List.of(folder.resolve("a.pem")),
                key == null ? List.of() : List.of(folder.resolve(key)),
                store == null ? null : folder.resolve(store),
                Tls.NO_PASSWORD,
                password,
                Switch.OFF,
                Switch.OFF,
                ClientAuth.NONE,
                Map.of(),
                null,
                Tls.NO_PASSWORD,
                List.of(Tls.Protocol.values()),
                List.of(),
                Tls.JDK,
                Switch.OFF,
                Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @CsvSource({
        "-algorithm RSA -pkeyopt rsa_keygen_bits:2048",
        "-algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048",
        "-algorithm EC -pkeyopt ec_paramgen_curve:P-256",
        "-algorithm EC -pkeyopt ec_paramgen_curve:P-384",
        "-algorithm ED25519",
        "-algorithm ED448",
        "-algorithm RSA -pkeyopt rsa_keygen_bits:2048 -aes-256-cbc -pass pass:" + PASSWORD,
        "-algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes-128-cbc -pass pass:" + PASSWORD,
        "-algorithm ED25519 -aes-256-cbc -pass pass:" + PASSWORD
    })
    void privateKeysInPkcs8FormatAreRead(String how) throws Exception {
        openssl("genpkey " + how + " -out a.key");
        certificate("a.key");
        assertIsRead(tls("a.key", null));
    }

    @Test
    void privateKeysInPkcs1FormatAreRead() throws Exception {
        openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out a.key");
        openssl("rsa -in a.key -traditional -out old.key");
        certificate("a.key");
        assertIsRead(tls("old.key", null));
    }

    @Test
    void privateKeysInSec1FormatWithCurveParametersAreRead() throws Exception {
        openssl("ecparam -name prime256v1 -genkey -out a.key");
        certificate("a.key");
        assertIsRead(tls("a.key", null));
    }

    @Test
    void keyStoresInPkcs12FormatAreRead() throws Exception {
        openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out a.key");
        certificate("a.key");
        openssl("pkcs12 -export -inkey a.key -in a.pem -out a.p12 -passout pass:" + PASSWORD);
        assertIsRead(tls(null, "a.p12"));
    }

    /** The error message contains an OpenSSL command. The test runs this command, and reads the converted key. */
    @Test
    void theCommandInTheErrorMessageConvertsAKeyWithAnUnsupportedEncryption() throws Exception {
        openssl("genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out a.key");
        openssl("rsa -in a.key -aes256 -traditional -passout pass:" + PASSWORD + " -out old.key");
        certificate("a.key");
        TlsSetupException refusal =
                assertThrows(TlsSetupException.class, () -> ServerCertificates.open(tls("old.key", null)));
        String command = String.valueOf(refusal.getMessage()).replaceFirst(".* by openssl ", "");
        openssl(command.replace("OLD", "old.key").replace("NEW", "new.key") + " -passin pass:" + PASSWORD
                + " -passout pass:" + PASSWORD);
        assertIsRead(tls("new.key", null));
    }
}
