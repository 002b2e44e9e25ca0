package io.penstock.realm;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hash of a password, made by PBKDF2 with HMAC-SHA-512 (RFC 8018). It is written as {@code $pbkdf2-sha512$210000$salt$hash}, with salt
 * and hash in Base64. Immutable.
 */
public final class PasswordHash {
    /** The number of iterations of a new hash. An existing hash contains its own number of iterations. */
    public static final int ITERATIONS = 210_000;

    /** The length of the longest password. Longer passwords never match, so that clients cannot keep the server busy with hashing. */
    static final int LONGEST_PASSWORD = 1024;

    private static final String SCHEME = "$pbkdf2-sha512$";
    private static final Pattern FORM = Pattern.compile("\\$pbkdf2-sha512\\$([0-9]{1,8})\\$([^$]+)\\$([^$]+)");
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MIN_ITERATIONS = 1000;
    private static final int MAX_ITERATIONS = 10_000_000;

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    /** Hashes a new password with {@link #ITERATIONS}, as {@link #of(String, int)} does. */
    public static PasswordHash of(String password) {
        return of(password, ITERATIONS);
    }

    /**
     * Hashes a new password with a new salt.
     *
     * @param iterations the number of iterations, 1,000 to 10,000,000
     * @throws IllegalArgumentException if the password is empty, has more than 1024 characters or has a control character, or if the
     *     iterations are out of bounds
     */
    public static PasswordHash of(String password, int iterations) {
        if (!isPossible(password)) {
            throw new IllegalArgumentException(
                    "a password has 1 to " + LONGEST_PASSWORD + " characters, and no control characters");
        }
        checkIterations(iterations);
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new PasswordHash(iterations, salt, derive(password, salt, iterations, HASH_BYTES));
    }

    /**
     * Reads a hash as {@link #text} writes it.
     *
     * @throws IllegalArgumentException if the text is not a hash; the message does not repeat the text
     */
    public static PasswordHash parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a password hash: it must begin with " + SCHEME);
        }
        int iterations = Integer.parseInt(parts.group(1));
        checkIterations(iterations);
        try {
            byte[] salt = Base64.getDecoder().decode(parts.group(2));
            byte[] hash = Base64.getDecoder().decode(parts.group(3));
            if (salt.length < 8 || hash.length < 16) {
                throw new IllegalArgumentException("the salt or the hash of a password is too short");
            }
            return new PasswordHash(iterations, salt, hash);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the salt or the hash of a password is not in Base64, or too short", e);
        }
    }

    private static void checkIterations(int iterations) {
        if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) {
            throw new IllegalArgumentException(
                    "a password hash takes " + MIN_ITERATIONS + " to " + MAX_ITERATIONS + " iterations");
        }
    }

    /** The number of iterations that a comparison with this hash takes. */
    public int iterations() {
        return iterations;
    }

    /** The text to store in a file or a table. */
    public String text() {
        Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
        return SCHEME + iterations + '$' + encoder.encodeToString(salt) + '$' + encoder.encodeToString(hash);
    }

    /** Compares a password with this hash. The comparison takes long. Its time does not depend on the password. */
    boolean matches(String password) {
        boolean possible = isPossible(password);
        byte[] derived = derive(possible ? password : "-", salt, iterations, hash.length);
        return MessageDigest.isEqual(derived, hash) && possible;
    }

    /**
     * Whether the text can be a password. Control characters are not allowed: HMAC pads a short key with NUL, so a password with NUL at its
     * end would have the same hash as the password without this NUL.
     */
    private static boolean isPossible(String password) {
        return !password.isEmpty() && password.length() <= LONGEST_PASSWORD && !hasControls(password);
    }

    private static boolean hasControls(String password) {
        return password.chars().anyMatch(c -> c < ' ' || c == 0x7f);
    }

    private static byte[] derive(String password, byte[] salt, int iterations, int bytes) {
        try {
            return Pbkdf2.derive(password, salt, iterations, bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform cannot hash passwords", e);
        }
    }

    @Override
    public String toString() {
        return SCHEME + iterations + "$…";
    }
}
