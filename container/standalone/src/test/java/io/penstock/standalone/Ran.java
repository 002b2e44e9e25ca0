package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The exit code and the output of one run of the command {@code penstock}. */
record Ran(int exitCode, String out, String err) {

    static Ran with(Map<String, String> environment, String... args) {
        return with(null, environment, args);
    }

    /** @param distribution the installed release; null if the jar runs without an installed release */
    static Ran with(@Nullable Distribution distribution, Map<String, String> environment, String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Command command = new Command(environment, new PrintWriter(out), new PrintWriter(err), null, distribution);
        int exitCode = command.execute(args);
        return new Ran(exitCode, out.toString(), err.toString());
    }

    static Ran with(String... args) {
        return with(Map.of(), args);
    }

    /**
     * Checks that the exit code is 2, which means a usage error. Checks that the message is the only line of the standard error, and that
     * the standard output is empty.
     */
    void assertUsageError(String message) {
        assertError(2, message);
    }

    void assertError(int expectedCode, String message) {
        assertEquals("penstock: " + message + System.lineSeparator(), err);
        assertEquals("", out);
        assertEquals(expectedCode, exitCode);
    }

    void assertOneLineStartingWith(int expectedCode, String start) {
        assertTrue(err.startsWith(start), err);
        assertEquals(1, err.lines().count(), err);
        assertEquals("", out);
        assertEquals(expectedCode, exitCode);
    }
}
