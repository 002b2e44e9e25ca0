package io.penstock;

import io.penstock.security.PasswordCheck;
import io.penstock.security.PasswordHash;
import org.jspecify.annotations.Nullable;

/**
 * Makes hashes of passwords and compares passwords with them, for realms of one's own. A hash is text such as
 * {@code $pbkdf2-sha512$210000$salt$hash}.
 *
 * <p>Thread: any. An object remembers recent successes, by a keyed digest, so that a client that sends its password with each request costs
 * one hash; so a realm has one and keeps it.
 */
public final class Passwords {
    private final PasswordCheck check = new PasswordCheck();

    /** Remembers nothing yet. */
    public Passwords() {
        // nothing to be set
    }

    /**
     * The hash of a password, with a salt of its own.
     *
     * @throws IllegalArgumentException if the password is empty or has more than 1024 characters
     */
    public static String hash(String password) {
        return PasswordHash.of(password).text();
    }

    /**
     * Whether the password is the one of the hash.
     *
     * @param hash null where there is no such user: false, in the same time as a wrong password
     * @throws IllegalArgumentException if the hash is none
     */
    public boolean matches(String password, @Nullable String hash) {
        return check.matches(password, hash == null ? null : PasswordHash.parse(hash), PasswordHash.ITERATIONS);
    }
}
