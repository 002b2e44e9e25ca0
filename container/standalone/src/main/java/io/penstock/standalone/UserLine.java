package io.penstock.standalone;

import io.penstock.realm.PasswordHash;
import io.penstock.security.DigestAlgorithm;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Creates the line of a user for a {@code realm-file}. The operator types the password without echo. Without a terminal, the password is
 * the first line of the standard input.
 *
 * @param digestRealm the name of a realm whose applications use DIGEST authentication; null if there is none
 */
record UserLine(String name, @Nullable String digestRealm) {

    /** @throws OperatorException if there is no password, or the two typed passwords differ */
    void print(PrintWriter out) {
        if (name.isBlank() || name.contains(":") || !name.equals(name.strip())) {
            throw OperatorException.usage("a user's name has no colon, and no blank at its ends");
        }
        String password = password();
        StringBuilder line = new StringBuilder(name).append(':');
        try {
            line.append(PasswordHash.of(password).text());
        } catch (IllegalArgumentException e) {
            throw new OperatorException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
        if (digestRealm != null) {
            for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
                line.append(' ').append(algorithm.kept(name, digestRealm, password));
            }
        }
        out.println(line.append(':'));
        out.flush();
    }

    @SuppressWarnings("SystemConsoleNull") // without a terminal, a console reads stdin, too
    private String password() {
        Console console = System.console();
        if (console == null) {
            return firstLine();
        }
        char[] typed = console.readPassword("Password of %s: ", name);
        char[] again = console.readPassword("Once more: ");
        if (typed == null || !Arrays.equals(typed, again)) {
            throw OperatorException.usage("the two passwords differ");
        }
        return new String(typed);
    }

    private static String firstLine() {
        try {
            BufferedReader in = new BufferedReader(new InputStreamReader(System.in, Charset.defaultCharset()));
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
