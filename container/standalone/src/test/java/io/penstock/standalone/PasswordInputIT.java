package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.realm.Realm;
import io.penstock.security.FileRealm;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the command {@code --hash-password}: an operator types a password at a terminal. After the command, the terminal must echo the
 * input again.
 */
@NeedsProgram(Program.SCRIPT)
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PasswordInputIT {
    private static final String PASSWORD = "open sesame";
    private static final String FIRST_PROMPT = "Password of ann: ";
    private static final String SECOND_PROMPT = "Once more: ";
    private static final String CTRL_C = "\003";
    private static final String CTRL_D = "\004";

    @TempDir
    Path folder;

    private final StringBuilder screen = new StringBuilder();
    private Path users;

    /** The keys that the operator types after a prompt. */
    private record Keys(String after, String text) {}

    @BeforeEach
    void nameFile() {
        users = folder.resolve("users");
    }

    /** The standard output is a file, a pipe, or the terminal. */
    @ParameterizedTest
    @ValueSource(strings = {" >> users", " | tee users", ""})
    void thePasswordIsRequestedTwiceAndIsNotShownOnTheTerminal(String output) throws Exception {
        atTerminal(output, new Keys(FIRST_PROMPT, PASSWORD + "\n"), new Keys(SECOND_PROMPT, PASSWORD + "\n"));
        assertFalse(screen.toString().contains(PASSWORD), screen::toString);
        String line = output.isEmpty()
                ? screen.toString()
                        .lines()
                        .filter(each -> each.startsWith("ann:"))
                        .findFirst()
                        .orElseThrow()
                : Files.readString(users);
        assertIsLineOfAnn(line);
    }

    @Test
    void twoDifferentPasswordsAreAnErrorAndNoUserIsAdded() throws Exception {
        atTerminal(" >> users", new Keys(FIRST_PROMPT, "one\n"), new Keys(SECOND_PROMPT, "two\n"));
        assertTrue(screen.toString().contains("the two passwords differ"), screen::toString);
        assertEquals("", Files.readString(users));
    }

    @Test
    void aMissingPasswordIsAnError() throws Exception {
        atTerminal(" >> users", new Keys(FIRST_PROMPT, CTRL_D));
        assertTrue(screen.toString().contains("no password was typed"), screen::toString);
        assertEquals("", Files.readString(users));
    }

    @Test
    void ctrlCEndsTheCommandAndNoUserIsAdded() throws Exception {
        atTerminal(" >> users", new Keys(FIRST_PROMPT, CTRL_C));
        assertEquals("", Files.readString(users));
    }

    @Test
    void aPasswordFromAPipeIsReadWithoutAPrompt() throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "echo '" + PASSWORD + "' | " + command() + " >> users")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        assertEquals("", new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertIsLineOfAnn(Files.readString(users));
    }

    private void assertIsLineOfAnn(String line) throws Exception {
        Files.writeString(users, line.strip() + "staff\n");
        assertEquals(new Realm.User("ann", Set.of("staff")), FileRealm.of(users).authenticate("ann", PASSWORD));
    }

    /** Runs the password command in a shell at a terminal. After the command, checks that the terminal echoes the input. */
    private void atTerminal(String output, Keys... typed) throws IOException {
        String commands = "trap : INT\n" + command() + output
                + "\nstty -a | tr '\\n' ' ' | grep -q ' echo ' && echo echo is on || echo no echo";
        // A build in the background ignores SIGINT. Without the option --default-signal, the child processes would
        // also ignore Ctrl-C.
        Process terminal = new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        Program.SCRIPT.path().toString(),
                        "--quiet",
                        "--command",
                        commands,
                        "/dev/null")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        try (Reader shown = terminal.inputReader(StandardCharsets.UTF_8);
                Writer keys = terminal.outputWriter(StandardCharsets.UTF_8)) {
            for (Keys next : typed) {
                readUntil(shown, next.after());
                keys.append(next.text()).flush();
            }
            readUntil(shown, "echo is on");
        } finally {
            terminal.destroy();
        }
    }

    private static String command() {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return "'" + java + "' -jar '" + JarProcess.usualJar().toAbsolutePath() + "' --hash-password ann";
    }

    private void readUntil(Reader shown, String text) throws IOException {
        while (screen.indexOf(text) < 0) {
            int next = shown.read();
            if (next < 0) {
                throw new IOException("'" + text + "' is missing on the screen: " + screen);
            }
            screen.append((char) next);
        }
    }
}
