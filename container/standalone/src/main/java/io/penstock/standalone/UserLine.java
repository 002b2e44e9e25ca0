package io.penstock.standalone;

import io.penstock.realm.PasswordHash;
import io.penstock.security.DigestAlgorithm;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Creates the line of a user for a {@code realm-file}.
 *
 * @param digestRealm the name of a realm whose applications use DIGEST authentication; null if there is none
 */
record UserLine(String name, @Nullable String digestRealm) {

    /** @throws OperatorException if there is no password, or the typed passwords differ */
    void print(PrintWriter out) {
        if (name.isBlank() || name.contains(":") || !name.equals(name.strip())) {
            throw OperatorException.usage("a user's name has no colon, and no blank at its ends");
        }
        String password = new PasswordInput(name).read();
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
}
