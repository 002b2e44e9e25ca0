package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.realm.Realm;
import io.penstock.security.FileRealm;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code --hash-password}, which prints a user's line for a realm file (a file of users, password hashes and roles). */
class UserLineTest {
    @TempDir
    Path folder;

    private final InputStream before = System.in;

    @AfterEach
    void restore() {
        System.setIn(before);
    }

    private static void type(String text) {
        System.setIn(new ByteArrayInputStream(text.getBytes(Charset.defaultCharset())));
    }

    @Test
    void thePrintedLineIsAValidLineOfARealmFileAfterARoleIsAdded() throws Exception {
        type("open sesame\nignored\n");
        Ran ran = Ran.with("--hash-password", "ann");
        assertEquals(0, ran.exitCode(), ran.err());
        assertTrue(ran.out().startsWith("ann:$pbkdf2-sha512$210000$"), ran.out());
        FileRealm users = FileRealm.of(
                Files.writeString(folder.resolve("users"), ran.out().strip() + "staff\n"));
        assertEquals(new Realm.User("ann", Set.of("staff")), users.authenticate("ann", "open sesame"));
    }

    @Test
    void theOptionDigestRealmAddsDigestHashesToTheLine() {
        type("open sesame\n");
        Ran ran = Ran.with("--hash-password", "ann", "--digest-realm", "office");
        assertEquals(0, ran.exitCode(), ran.err());
        assertTrue(ran.out().contains(" $digest-sha256$"), ran.out());
        assertTrue(ran.out().contains(" $digest-md5$"), ran.out());
    }

    @Test
    void anInvalidUserNameOrPasswordIsAUsageError() {
        type("");
        Ran.with("--hash-password", "ann").assertUsageError("the input has no password");
        type("\n");
        Ran.with("--hash-password", "ann")
                .assertUsageError("a password has 1 to 1024 characters, and no control characters");
        Ran.with("--hash-password", "an:n").assertUsageError("a user's name has no colon, and no blank at its ends");
    }

    @Test
    void theErrorMessageForAnInvalidRealmFileContainsThePathOfTheFile() throws Exception {
        Path users = Files.writeString(folder.resolve("users"), "# one\nann:secret:staff\n");
        Ran.with("--port", "0", "--realm-file", users.toString(), folder.toString())
                .assertError(
                        1,
                        "realm-file: " + users
                                + ":2: not a password hash: it must begin with $pbkdf2-sha512$, or with its algorithm in braces: {SHA-256}");
        Ran.with("--port", "0", "--realm-file", "missing", folder.toString())
                .assertError(1, "realm-file: missing: no such file");
    }
}
