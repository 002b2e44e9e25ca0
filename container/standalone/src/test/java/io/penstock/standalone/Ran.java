package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of one run of the command line. */
record Ran(int exitCode, String out, String err) {

    static Ran with(Map<String, String> environment, String... args) {
        return with(null, environment, args);
    }

    /** @param distribution the installed release; null if only the jar is known */
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
     * Checks that the standard output is empty, that the standard error is this one line, and that the exit code means a wrong command
     * line.
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
