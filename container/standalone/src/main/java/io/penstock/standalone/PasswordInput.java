package io.penstock.standalone;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** Reads the password of a user from the standard input. If this is a terminal, the operator types the password twice, without echo. */
final class PasswordInput {
    private final String name;

    PasswordInput(String name) {
        this.name = name;
    }

    /** @throws OperatorException if there is no password, or the two typed passwords differ */
    @SuppressWarnings(
            "SystemConsoleNull") // Java 22 and newer may have a console that is no terminal; it reads the input, too
    String read() {
        Console console = System.console();
        if (console != null) {
            return equal(chars(console.readPassword("%s", prompt())), chars(console.readPassword("%s", again())));
        }
        // Java has no console if only the output is redirected, as in --hash-password ann >> users.
        return setEcho(false) ? typed() : line(input());
    }

    private String typed() {
        // Ctrl-C, too, must not leave a terminal without echo.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> setEcho(true), "terminal-echo"));
        BufferedReader in = input();
        // The output can be a file of users, so the operator is asked on the error stream.
        System.err.print(prompt());
        String first = line(in);
        System.err.print(System.lineSeparator() + again());
        String second = line(in);
        System.err.println();
        return equal(first, second);
    }

    /** Switches the echo of the terminal. Returns false if the standard input is no terminal. */
    private static boolean setEcho(boolean on) {
        try {
            return new ProcessBuilder("stty", on ? "echo" : "-echo")
                            .redirectInput(Redirect.INHERIT)
                            .redirectOutput(Redirect.DISCARD)
                            .redirectError(Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // no such program, as on Windows
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String prompt() {
        return "Password of " + name + ": ";
    }

    private static String again() {
        return "Once more: ";
    }

    private static String equal(@Nullable String first, @Nullable String second) {
        if (first == null || !first.equals(second)) {
            throw OperatorException.usage("the two passwords differ");
        }
        return first;
    }

    private static @Nullable String chars(char @Nullable [] typed) {
        return typed == null ? null : new String(typed);
    }

    private static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
    }

    private static String line(BufferedReader in) {
        try {
            String line = in.readLine();
            if (line == null) {
                throw OperatorException.usage("the input has no password");
            }
            return line;
        } catch (IOException e) {
            throw new OperatorException(ExitCode.START_FAILED, "the password cannot be read: " + e.getMessage(), e);
        }
    }
}
