package io.penstock.security;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.time.HandClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileUsersTest {
    private static final String HASH = PasswordHash.of("secret", 1000).text();

    @TempDir
    Path folder;

    private final HandClock clock = new HandClock();

    private Path write(String text) throws IOException {
        return Files.writeString(folder.resolve("users"), text);
    }

    private FileUsers users(String text) throws IOException {
        return FileUsers.of(write(text), clock);
    }

    @Test
    void aUserHasAPasswordAndRoles() throws Exception {
        FileUsers users = users("# who there is\n\n ann : " + HASH + " : staff, admin ,\njürgen:" + HASH + ":\n");
        assertEquals(new Users.Account("ann", Set.of("staff", "admin")), users.withPassword("ann", "secret"));
        assertEquals(new Users.Account("jürgen", Set.of()), users.withPassword("jürgen", "secret"));
        assertNull(users.withPassword("ann", "Secret"));
        assertNull(users.withPassword("Ann", "secret"));
        assertNull(users.withPassword("", "secret"));
        assertNull(users.withPassword("nobody", "secret"));
    }

    @Test
    void aUserMayHaveDigestSecretsAsWell() throws Exception {
        FileUsers users = users("ann:" + HASH + " " + DigestAlgorithm.MD5.kept("ann", "office", "secret") + " "
                + DigestAlgorithm.SHA_256.kept("ann", "office", "secret") + ":staff\nbob:" + HASH + ":staff\n");
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            assertEquals(
                    algorithm.secret("ann", "office", "secret"),
                    users.withDigest("ann", "office", algorithm).secret());
            assertNull(users.withDigest("bob", "office", algorithm));
            assertNull(users.withDigest("nobody", "office", algorithm));
        }
        assertNotNull(users.withPassword("ann", "secret"));
    }

    @Test
    void aUserWithoutAPasswordCannotLogInByOne() throws Exception {
        FileUsers users = users("CN=Ann, O=Acme::staff\n");
        assertNull(users.withPassword("CN=Ann, O=Acme", ""));
        assertNull(users.withPassword("CN=Ann, O=Acme", "secret"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ann                        | not of the form name:secrets:role,role
            ann:secret                 | not of the form name:secrets:role,role
            ann:x:a:b                  | not of the form name:secrets:role,role
            ann:secret:staff           | no password hash: it would begin with $pbkdf2-sha512$
            ' :: '                     | the user has no name
            ann:$digest-md5$xyz:staff  | a Digest secret is not hexadecimal
            ann:$digest-md5$00 $digest-md5$11:staff | two secrets of one kind
            bob::                      | a user of that name stands above already
            """)
    void aWrongLineIsNamed(String line, String problem) throws IOException {
        Path file = write("bob::\n# ann\n" + line + "\n");
        assertEquals(
                file + ":3: " + problem,
                assertThrows(IOException.class, () -> FileUsers.of(file)).getMessage());
    }

    @Test
    void aFileThatIsMissingOrNoTextIsNamed() throws IOException {
        Path missing = folder.resolve("missing");
        assertEquals(
                missing + ": no such file",
                assertThrows(IOException.class, () -> FileUsers.of(missing)).getMessage());
        Path latin = Files.write(folder.resolve("latin"), "jürgen::".getBytes(StandardCharsets.ISO_8859_1));
        assertEquals(
                latin + ": not in UTF-8",
                assertThrows(IOException.class, () -> FileUsers.of(latin)).getMessage());
    }

    @Test
    void aChangedFileIsReadAgainAndAWrongOneIsNot() throws Exception {
        FileUsers users = users("ann:" + HASH + ":staff\n");
        write("ann:" + HASH + ":staff,admin\n");
        assertEquals(Set.of("staff"), users.withPassword("ann", "secret").roles());
        clock.pass(Duration.ofSeconds(1));
        assertEquals(
                Set.of("staff", "admin"), users.withPassword("ann", "secret").roles());
        write("ann:" + HASH + "\n");
        clock.pass(Duration.ofSeconds(1));
        assertNotNull(users.withPassword("ann", "secret"));
        Files.delete(folder.resolve("users"));
        clock.pass(Duration.ofSeconds(1));
        assertNotNull(users.withPassword("ann", "secret"));
        write("bob:" + HASH + ":staff\n");
        clock.pass(Duration.ofSeconds(1));
        assertNull(users.withPassword("ann", "secret"));
        assertNotNull(users.withPassword("bob", "secret"));
    }
}
