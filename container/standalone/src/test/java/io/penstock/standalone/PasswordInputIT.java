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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An operator types a password at a terminal, while the line of the user goes to a file: {@code --hash-password ann >> users}. */
@NeedsProgram(Program.SCRIPT)
@Timeout(600)
class PasswordInputIT {
    private static final String PASSWORD = "open sesame";

    @TempDir
    Path folder;

    private final StringBuilder screen = new StringBuilder();

    @Test
    void theTerminalAsksTwiceAndShowsNoPassword() throws Exception {
        Process terminal = terminal();
        try (Reader output = terminal.inputReader(StandardCharsets.UTF_8);
                Writer keys = terminal.outputWriter(StandardCharsets.UTF_8)) {
            readUntil(output, "Password of ann: ");
            keys.append(PASSWORD).append('\n').flush();
            readUntil(output, "Once more: ");
            keys.append(PASSWORD).append('\n').flush();
            readUntil(output, "echo is on");
        } finally {
            terminal.destroy();
        }
        assertFalse(screen.toString().contains(PASSWORD), screen::toString);
        Path users = folder.resolve("users");
        Files.writeString(users, Files.readString(users).strip() + "staff\n");
        assertEquals(new Realm.User("ann", Set.of("staff")), FileRealm.of(users).authenticate("ann", PASSWORD));
    }

    @Test
    void twoDifferentPasswordsAreAnErrorAndGiveNoLine() throws Exception {
        Process terminal = terminal();
        try (Reader output = terminal.inputReader(StandardCharsets.UTF_8);
                Writer keys = terminal.outputWriter(StandardCharsets.UTF_8)) {
            readUntil(output, "Password of ann: ");
            keys.append("one\n").flush();
            readUntil(output, "Once more: ");
            keys.append("two\n").flush();
            readUntil(output, "echo is on");
        } finally {
            terminal.destroy();
        }
        assertTrue(screen.toString().contains("the two passwords differ"), screen::toString);
        assertEquals("", Files.readString(folder.resolve("users")));
    }

    /** The command in a shell at a terminal, and after it a line that says whether the terminal has its echo again. */
    private Process terminal() throws IOException {
        String command = "'" + Path.of(System.getProperty("java.home"), "bin", "java") + "' -jar '"
                + JarProcess.usualJar() + "' --hash-password ann >> '" + folder.resolve("users") + "'\n"
                + "stty -a | grep -q ' echo ' && echo echo is on || echo no echo";
        return new ProcessBuilder(Program.SCRIPT.path().toString(), "--quiet", "--command", command, "/dev/null")
                .redirectErrorStream(true)
                .start();
    }

    private void readUntil(Reader output, String text) throws IOException {
        while (screen.indexOf(text) < 0) {
            int next = output.read();
            if (next < 0) {
                throw new IOException("'" + text + "' is missing on the screen: " + screen);
            }
            screen.append((char) next);
        }
    }
}
