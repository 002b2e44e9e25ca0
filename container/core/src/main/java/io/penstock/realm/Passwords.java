package io.penstock.realm;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes hashes of passwords and compares passwords with them, for a program's own realm. A hash is text such as {@code
 * $pbkdf2-sha512$210000$salt$hash}.
 *
 * <p>A failure takes the same time whether or not the user exists. Correct passwords are remembered ({@link ProvenPasswords}): if a client
 * sends its password with each request, as with Basic, only the first request costs a hash. So a realm should keep one object of this class
 * and reuse it.
 *
 * <p>Thread: any.
 */
public final class Passwords {
    private final ProvenPasswords proven = new ProvenPasswords();

    /** For unknown users: a hash that no password matches, for each number of iterations. */
    private final Map<Integer, PasswordHash> unmatched = new ConcurrentHashMap<>();

    /** Creates an object that remembers no password yet. */
    public Passwords() {
        // no settings
    }

    /**
     * The hash of a password, with a new salt.
     *
     * @throws IllegalArgumentException if the password is empty, has more than 1024 characters, or a control character
     */
    public static String hash(String password) {
        return PasswordHash.of(password).text();
    }

    /**
     * Whether the password matches the hash.
     *
     * @param hash null if the user does not exist: returns false, in the same time as for a wrong password
     * @throws IllegalArgumentException if the hash is malformed
     */
    public boolean matches(String password, @Nullable String hash) {
        return matches(password, hash == null ? null : PasswordHash.parse(hash), PasswordHash.ITERATIONS);
    }

    /**
     * As {@link #matches(String, String)}, for hashes that have been parsed before.
     *
     * @param hash null if the user does not exist or has no password
     * @param iterations the iterations of the computation if {@code hash} is null
     */
    public boolean matches(String password, @Nullable PasswordHash hash, int iterations) {
        if (hash == null) {
            unmatched.computeIfAbsent(iterations, Passwords::unmatched).matches(password);
            return false;
        }
        String text = hash.text();
        if (proven.contains(text, password)) {
            return true;
        }
        if (!hash.matches(password)) {
            return false;
        }
        proven.add(text, password);
        return true;
    }

    private static PasswordHash unmatched(int iterations) {
        byte[] unknown = new byte[32];
        new SecureRandom().nextBytes(unknown);
        return PasswordHash.of(Base64.getEncoder().encodeToString(unknown), iterations);
    }
}
