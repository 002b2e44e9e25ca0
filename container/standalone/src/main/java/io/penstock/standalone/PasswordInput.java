package io.penstock.standalone;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the password of a user from the standard input. At a terminal the operator types the password twice, without echo. Otherwise the
 * password is the first line. Without the program {@code stty}, as on Windows, a terminal is recognized only if the output also goes to it.
 *
 * <p>Thread: one.
 */
final class PasswordInput {
    private final String name;

    PasswordInput(String name) {
        this.name = name;
    }

    /** @throws OperatorException if there is no password, or the two typed passwords differ */
    @SuppressWarnings("SystemConsoleNull") // The console of Java 22 and newer is checked, too.
    String read() {
        // Java has no console if the output goes to a file, as in --hash-password ann >> users. So stty is asked first.
        String settings = stty("-g");
        if (settings != null) {
            return atTerminal(settings);
        }
        Console console = System.console();
        return console != null && isTerminal(console) ? atConsole(console) : firstLine();
    }

    private String atTerminal(String settings) {
        Thread restore = new Thread(() -> stty(settings), "terminal-settings");
        Runtime.getRuntime().addShutdownHook(restore); // for Ctrl-C
        try {
            if (stty("-echo") == null) {
                throw OperatorException.usage(
                        "the echo of the terminal cannot be switched off; pipe the password instead");
            }
            BufferedReader in = input(terminalCharset());
            return typedTwice(() -> ask("Password of " + name + ": ", in), () -> ask("Once more: ", in));
        } finally {
            stty(settings);
        }
    }

    /** The prompt goes to the error stream, since the output can be a file of users. */
    private static @Nullable String ask(String prompt, BufferedReader in) {
        System.err.print(prompt);
        System.err.flush();
        try {
            return line(in);
        } finally {
            System.err.println();
        }
    }

    private String atConsole(Console console) {
        return typedTwice(
                () -> text(console.readPassword("Password of %s: ", name)),
                () -> text(console.readPassword("Once more: ")));
    }

    private static String typedTwice(Supplier<@Nullable String> first, Supplier<@Nullable String> second) {
        String typed = first.get();
        if (typed == null) {
            throw OperatorException.usage("no password was typed");
        }
        if (!typed.equals(second.get())) {
            throw OperatorException.usage("the two passwords differ");
        }
        return typed;
    }

    private static String firstLine() {
        String line = line(input(Charset.defaultCharset()));
        if (line == null) {
            throw OperatorException.usage("the input has no password");
        }
        return line;
    }

    /** Calls {@code stty} for the standard input. Returns its output, or null if the input is no terminal or there is no such program. */
    private static @Nullable String stty(String argument) {
        try {
            Process stty = new ProcessBuilder("stty", argument)
                    .redirectInput(Redirect.INHERIT)
                    .redirectError(Redirect.DISCARD)
                    .start();
            String output = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            return stty.waitFor() == 0 ? output : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Java 22 to 24 can have a console without a terminal, and the method that tells. In earlier versions a console is a terminal. */
    private static boolean isTerminal(Console console) {
        try {
            return (boolean) Console.class.getMethod("isTerminal").invoke(console);
        } catch (NoSuchMethodException e) {
            return true;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The charset of the keys. Java's default charset is UTF-8 from Java 18 on, whatever the terminal uses. */
    private static Charset terminalCharset() {
        String encoding = System.getProperty("stdin.encoding", System.getProperty("native.encoding"));
        return encoding != null && Charset.isSupported(encoding) ? Charset.forName(encoding) : Charset.defaultCharset();
    }

    private static BufferedReader input(Charset charset) {
        return new BufferedReader(new InputStreamReader(System.in, charset));
    }

    private static @Nullable String line(BufferedReader in) {
        try {
            return in.readLine();
        } catch (IOException e) {
            throw new OperatorException(ExitCode.START_FAILED, "the password cannot be read: " + e.getMessage(), e);
        }
    }

    private static @Nullable String text(char @Nullable [] typed) {
        return typed == null ? null : new String(typed);
    }
}
