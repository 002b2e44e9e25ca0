package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.HelpPage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests key stores. The JDK's program keytool makes the stores. The default certificate has the alphabetically first alias. */
class KeystoreTest {
    private static final String PASSWORD = "swordfish";

    @TempDir
    Path folder;

    private void keytool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.add("-J-XX:TieredStopAtLevel=1");
        command.addAll(List.of(arguments));
        Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
        keytool.getOutputStream().close(); // keytool gets no input
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, keytool.waitFor(), said);
    }

    private Path with(String type, String... aliases) throws IOException, InterruptedException {
        Path store = folder.resolve("keys");
        for (String alias : aliases) {
            keytool(
                    "-genkeypair",
                    "-keystore",
                    store.toString(),
                    "-storetype",
                    type,
                    "-storepass",
                    PASSWORD,
                    "-keypass",
                    PASSWORD,
                    "-alias",
                    alias,
                    "-keyalg",
                    "EC",
                    "-groupname",
                    "secp256r1",
                    "-dname",
                    "CN=" + alias,
                    "-ext",
                    "san=dns:" + alias + ".example",
                    "-validity",
                    "30");
        }
        return store;
    }

    private static String served(ServerCertificates certificates, String name) throws Exception {
        return Handshake.of(certificates, name)
                .served()
                .getSubjectX500Principal()
                .getName();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PKCS12", "JKS"})
    void allCertificatesOfTheKeyStoreAreUsedAndTheFirstAliasIsTheDefault(String type) throws Exception {
        ServerCertificates certificates = new TlsFiles(folder)
                .keystore(with(type, "b", "a"))
                .passwordFile(PASSWORD)
                .open();
        assertEquals("CN=a", served(certificates, "a.example"));
        assertEquals("CN=b", served(certificates, "b.example"));
        assertEquals("CN=a", served(certificates, "other.example"));
    }

    @Test
    void unusableKeyStoresAreReported() throws Exception {
        Path store = with("PKCS12", "a");
        TlsFiles files = new TlsFiles(folder).keystore(store);
        assertFails(
                store + ": is encrypted, and there is no password for it (tls-key-password-file or tls-key-password)"
                        + HelpPage.PASSWORDS.more(),
                files);
        assertFails(
                store + ": cannot be decrypted: the password is wrong (tls-key-password-file or tls-key-password)",
                files.password("wrong"));
        Files.write(store, Stream.of("-----BEGIN CERTIFICATE-----").toList());
        assertFails(store + ": is neither PKCS#12 nor JKS", files.password(PASSWORD));
        Path empty = folder.resolve("empty");
        Issued issued = Issued.self(Issued.EC, "a.example");
        Path certificate = files.write("a.pem", issued.pem());
        keytool(
                "-importcert",
                "-noprompt",
                "-keystore",
                empty.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                "a",
                "-file",
                certificate.toString());
        assertFails(empty + ": has no private key with a certificate", files.keystore(empty));
    }

    @Test
    void differentPasswordsOfTheKeyStoreAndTheKeyAreReported() throws Exception {
        Path store = with("JKS", "a");
        keytool(
                "-keypasswd",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD,
                "-alias",
                "a",
                "-keypass",
                PASSWORD,
                "-new",
                "otherfish");
        assertFails(
                store + ": a key and the store have different passwords; the passwords must be the same",
                new TlsFiles(folder).keystore(store).password(PASSWORD));
    }

    private static void assertFails(String message, TlsFiles files) {
        assertEquals(message, assertThrows(TlsSetupException.class, files::open).getMessage());
    }
}
