package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.realm.PasswordHash;
import io.penstock.realm.Realm;
import io.penstock.time.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileRealmTest {
    private static final String HASH = PasswordHash.of("secret", 1000).text();

    private static final Path LOG = Path.of(System.getProperty("org.slf4j.simpleLogger.logFile", "target/tests.log"));

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("users"), text);
    }

    private FileRealm users(String text) throws IOException {
        return FileRealm.of(write(text), clock);
    }

    @Test
    void usersAreReadWithTheirPasswordsAndRoles() throws Exception {
        FileRealm users = users("# who there is\n\n ann : " + HASH + " : staff, admin ,\njürgen:" + HASH + ":\n");
        assertEquals(new Realm.User("ann", Set.of("staff", "admin")), users.authenticate("ann", "secret"));
        assertEquals(new Realm.User("jürgen", Set.of()), users.authenticate("jürgen", "secret"));
        assertNull(users.authenticate("ann", "Secret"));
        assertNull(users.authenticate("Ann", "secret"));
        assertNull(users.authenticate("", "secret"));
        assertNull(users.authenticate("nobody", "secret"));
    }

    @Test
    void digestSecretsOfUsersAreRead() throws Exception {
        FileRealm users = users("ann:" + HASH + " " + DigestAlgorithm.MD5.kept("ann", "office", "secret") + " "
                + DigestAlgorithm.SHA_256.kept("ann", "office", "secret") + ":staff\nbob:" + HASH + ":staff\n");
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            assertEquals(
                    algorithm.secret("ann", "office", "secret"),
                    users.digest("ann", "office", algorithm.id()).secret());
            assertNull(users.digest("bob", "office", algorithm.id()));
            assertNull(users.digest("nobody", "office", algorithm.id()));
        }
        assertNotNull(users.authenticate("ann", "secret"));
    }

    @Test
    void aUserWithoutAPasswordCannotLogInByPassword() throws Exception {
        FileRealm users = users("CN=Ann, O=Acme::staff\n");
        assertNull(users.authenticate("CN=Ann, O=Acme", ""));
        assertNull(users.authenticate("CN=Ann, O=Acme", "secret"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ann                        | not of the form name:secrets:role,role
            ann:secret                 | not of the form name:secrets:role,role
            ann:x:a:b                  | not of the form name:secrets:role,role
            ann:secret:staff           | not a password hash: it must begin with $pbkdf2-sha512$, or with its algorithm in braces: {SHA-256}
            ' :: '                     | the user has no name
            ann:$digest-md5$xyz:staff  | a Digest secret is not hexadecimal
            ann:$digest-md5$00 $digest-md5$11:staff | two secrets of one kind
            bob::                      | the file has a user of that name already
            """)
    void anInvalidLineIsReportedWithItsLineNumber(String line, String problem) throws IOException {
        Path file = write("bob::\n# ann\n" + line + "\n");
        assertEquals(
                file + ":3: " + problem,
                assertThrows(IOException.class, () -> FileRealm.of(file)).getMessage());
    }

    @Test
    void aFileIsReportedIfItIsMissingOrNotInUtf8() throws IOException {
        Path missing = folder.resolve("missing");
        assertEquals(
                missing + ": no such file",
                assertThrows(IOException.class, () -> FileRealm.of(missing)).getMessage());
        Path latin = Files.write(folder.resolve("latin"), "jürgen::".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(
                latin + ": not in UTF-8",
                assertThrows(IOException.class, () -> FileRealm.of(latin)).getMessage());
    }

    @Test
    void aChangedFileIsReloadedButAnInvalidOrMissingFileIsIgnored() throws Exception {
        FileRealm users = users("ann:" + HASH + ":staff\n");
        write("ann:" + HASH + ":staff,admin\n");
        assertEquals(Set.of("staff"), users.authenticate("ann", "secret").roles());
        clock.pass(Duration.ofSeconds(1));
        assertEquals(
                Set.of("staff", "admin"), users.authenticate("ann", "secret").roles());
        write("ann:" + HASH + "\n");
        clock.pass(Duration.ofSeconds(1));
        assertNotNull(users.authenticate("ann", "secret"));
        Files.delete(folder.resolve("users"));
        clock.pass(Duration.ofSeconds(1));
        assertNotNull(users.authenticate("ann", "secret"));
        write("bob:" + HASH + ":staff\n");
        clock.pass(Duration.ofSeconds(1));
        assertNull(users.authenticate("ann", "secret"));
        assertNotNull(users.authenticate("bob", "secret"));
    }

    @Test
    void aMissingFileIsLoggedOnceAMinuteWhateverUsersLogIn() throws Exception {
        FileRealm users = users("ann:" + HASH + ":staff\n");
        Files.delete(folder.resolve("users"));
        for (int second = 0; second < 61; second++) {
            clock.pass(Duration.ofSeconds(1));
            assertNull(users.digest("ann", "office", "MD5"));
        }
        try (Stream<String> lines = Files.lines(LOG, StandardCharsets.ISO_8859_1)) {
            long logged = lines.filter(line -> line.contains("have not changed") && line.contains(folder.toString()))
                    .count();
            assertEquals(2, logged);
        }
    }
}
