package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.deploy.Packing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A file or folder of the configuration that cannot be used is reported by one line with the key, the file and the reason, in an operator's
 * words.
 */
class UnusableFilesTest {
    @TempDir
    Path folder;

    @BeforeEach
    void makeFiles() throws Exception {
        Files.createDirectory(folder.resolve("folder"));
        Files.writeString(folder.resolve("text"), "text\n");
        Files.createDirectories(folder.resolve("locked/lock"));
    }

    private Penstock.Builder builder(String key, String name) throws Exception {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set(key, folder.resolve(name).toString())
                .war(
                        "/",
                        Packing.empty()
                                .with("WEB-INF/web.xml", "<web-app version='6.1'/>")
                                .folder(folder.resolve("app")));
        return switch (key) {
            case "tls-keystore" -> builder.set("tls-key-password", "changeit");
            case "tls-key-password-file" ->
                builder.set("tls-keystore", folder.resolve("text").toString());
            case "tls-key" -> builder.set("tls-cert", folder.resolve(name).toString());
            default -> builder;
        };
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            access-log     | none/log  | access-log: cannot be written: $/none/log: no such folder; create it first
            access-log     | folder    | access-log: cannot be written: $/folder: is a directory
            spool-dir      | none      | spool-dir: $/none: no such folder; create it first
            spool-dir      | text      | spool-dir: $/text: not a folder
            session-dir    | none      | session-dir is not an existing directory; create it first: $/none (from code)
            session-dir    | locked    | $/app: its sessions cannot be kept: session-dir: $/locked/lock: Is a directory
            tls-cert       | nope.pem  | tls-cert: $/nope.pem: no such file
            tls-cert       | text      | tls-cert: $/text: is not a PEM file: it has no line -----BEGIN ...-----
            tls-cert       | folder    | tls-cert: $/folder: is not a file
            tls-cert       | text/pem  | tls-cert: $/text/pem: Not a directory
            tls-keystore   | nope.p12  | tls-keystore: $/nope.p12: no such file
            tls-keystore   | text      | tls-keystore: $/text: is neither PKCS#12 nor JKS
            tls-key-password-file | none | tls-key-password-file: $/none: no such file
            realm-file     | none      | realm-file: $/none: no such file
            realm-file     | folder    | realm-file: $/folder: Is a directory
            response-rules | none      | response-rules: $/none: no such file
            webapps        | none      | webapps: $/none: no such folder
            webapps        | text      | webapps: $/text: not a folder
            /:override-web-xml | none  | $/app: override-web-xml: $/none: no such file
            """)
    void theErrorHasTheKeyTheFileAndTheReason(String key, String name, String message) throws Exception {
        String expected = message.replace("$", folder.toString());
        assertEquals(
                expected,
                assertThrows(StartException.class, () -> builder(key, name).start())
                        .getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            access-log     | none/log  | access-log: no such folder: $/none
            spool-dir      | text      | spool-dir: not a folder: $/text
            tls-cert       | nope.pem  | tls-cert: $/nope.pem: no such file
            tls-keystore   | nope.p12  | tls-keystore: $/nope.p12: no such file
            webapps        | none      | webapps: $/none: no such folder
            """)
    void theCheckOfTheConfigurationReportsTheSame(String key, String name, String message) throws Exception {
        assertEquals(
                List.of(message.replace("$", folder.toString())),
                builder(key, name).check());
    }

    @ParameterizedTest
    @CsvSource({"text", "text/deeper"})
    void theCheckReportsAnAcmeFolderThatCannotBeMade(String name) throws Exception {
        Penstock.Builder builder =
                builder("acme-dir", name).set("acme", "shop.example").set("acme-directory", "https://127.0.0.1:9/");
        assertEquals(
                List.of("acme-dir: not a folder: " + folder.resolve("text")),
                builder.check().stream()
                        .filter(problem -> problem.startsWith("acme-dir"))
                        .toList());
    }
}
