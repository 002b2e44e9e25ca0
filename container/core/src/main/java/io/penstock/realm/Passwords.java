package io.penstock.realm;

import java.security.SecureRandom;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Hashes passwords, and compares passwords with hashes, for a program that implements {@link Realm} itself. A hash is text such as {@code
 * $pbkdf2-sha512$210000$salt$hash}. {@link PasswordHash} has the other forms that can be compared.
 *
 * <p>A failed comparison takes the same time for unknown users as for existing users. {@link ProvenPasswords} remembers correct passwords.
 * So if a client sends its password with each request, as with Basic, only the first comparison computes a hash. For this purpose, a realm
 * should keep one object of this class and use it for all comparisons.
 *
 * <p>Thread: any.
 */
public final class Passwords {
    private final ProvenPasswords proven = new ProvenPasswords();

    /** The most expensive hash of all comparisons. Passwords of unknown users are compared with it, in vain. */
    private volatile @Nullable PasswordHash slowest;

    /** Creates an object without remembered passwords. */
    public Passwords() {
        // no settings
    }

    /**
     * Computes the hash of a password, with a new salt.
     *
     * @throws IllegalArgumentException if the password is empty, has more than 1024 characters, or has a control character
     */
    public static String hash(String password) {
        return PasswordHash.of(password).text();
    }

    /**
     * Whether the password matches the hash.
     *
     * @param hash the hash; null if the user does not exist. With null, the method returns false, after the same time as for a wrong
     *     password
     * @throws IllegalArgumentException if the hash is malformed
     */
    public boolean matches(String password, @Nullable String hash) {
        return matches(password, hash == null ? null : PasswordHash.parse(hash), slowest);
    }

    /**
     * Compares like {@link #matches(String, String)}, with a hash that has already been parsed.
     *
     * @param hash the hash; null if the user does not exist or has no password
     * @param like a failed comparison takes at least as long as one with this hash, also if {@code hash} is null; null for a new hash
     */
    public boolean matches(String password, @Nullable PasswordHash hash, @Nullable PasswordHash like) {
        if (hash == null) {
            PasswordHash other = like == null ? unmatched() : like;
            other.matches(password); // whatever it says
            return false;
        }
        PasswordHash known = slowest;
        if (known == null || hash.cost() > known.cost()) {
            slowest = hash;
        }
        String text = hash.text();
        if (proven.contains(text, password)) {
            return true;
        }
        if (!hash.matches(password)) {
            if (like != null && like.cost() > hash.cost()) {
                like.matches(password); // as for an unknown user
            }
            return false;
        }
        proven.add(text, password);
        return true;
    }

    /** A hash that no password is known for. */
    private PasswordHash unmatched() {
        PasswordHash made = slowest;
        if (made == null) {
            byte[] unknown = new byte[32];
            new SecureRandom().nextBytes(unknown);
            made = PasswordHash.of(Base64.getEncoder().encodeToString(unknown));
            slowest = made;
        }
        return made;
    }
}
