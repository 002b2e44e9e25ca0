package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.deploy.Packing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
            /:access-log   | folder    | /:access-log: cannot be written: $/folder: is a directory
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
            error-pages    | none      | error-pages: $/none: no such folder; create it first
            error-pages    | text      | error-pages: $/text: not a folder
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
            /:access-log   | none/log  | /:access-log: no such folder: $/none
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

    private List<String> problemsOfFolder(String key, String name) throws Exception {
        return builder(key, name)
                .set("acme", "shop.example")
                .set("acme-directory", "https://127.0.0.1:9/")
                .set("migrate-javax", "on")
                .check()
                .stream()
                .filter(problem -> problem.startsWith(key))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"acme-dir, text", "acme-dir, text/deeper", "migrated-dir, text", "migrated-dir, text/deeper"})
    void theCheckReportsAFolderThatCannotBeMade(String key, String name) throws Exception {
        assertEquals(List.of(key + ": not a folder: " + folder.resolve("text")), problemsOfFolder(key, name));
    }

    @ParameterizedTest
    @CsvSource({"acme-dir, open/127.0.0.1-9-", "migrated-dir, open"})
    void theCheckReportsAFolderThatOthersCanWriteTo(String key, String written) throws Exception {
        Path open = Files.createDirectories(folder.resolve(written));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwx---"));
        assertEquals(List.of(key + ": others can write to " + open), problemsOfFolder(key, "open"));
    }

    @ParameterizedTest
    @CsvSource({"acme-dir", "migrated-dir"})
    void theCheckMakesNoFolder(String key) throws Exception {
        assertEquals(List.of(), problemsOfFolder(key, "not/yet"));
        assertFalse(Files.exists(folder.resolve("not")));
    }
}
