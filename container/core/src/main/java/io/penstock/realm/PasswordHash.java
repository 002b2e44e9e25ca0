package io.penstock.realm;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The hash of a password. New hashes are made by PBKDF2 with HMAC-SHA-512 (RFC 8018), and are written as {@code
 * $pbkdf2-sha512$210000$salt$hash}, with salt and hash in Base64.
 *
 * <p>Hashes that other servers have made are read, too. Their algorithm stands in braces:
 *
 * <pre>
 *   {PBKDF2WithHmacSHA1}salt$iterations$hash   of Tomcat's SecretKeyCredentialHandler, in hexadecimal
 *   {SHA-256}salt$iterations$hash              of Tomcat's MessageDigestCredentialHandler, in hexadecimal
 *   {SHA-256}hash                              the same without a salt; {SHA} is SHA-1
 *   {SHA}hash  {MD5}hash  {SSHA}hash and salt  in Base64, as directories store them (RFC 2307)
 * </pre>
 *
 * <p>Immutable.
 */
public final class PasswordHash {
    /** The number of iterations of a new hash. An existing hash contains its own number of iterations. */
    public static final int ITERATIONS = 210_000;

    /** The length of the longest password. Longer passwords never match, so that clients cannot keep the server busy with hashing. */
    static final int LONGEST_PASSWORD = 1024;

    private static final String SCHEME = "$pbkdf2-sha512$";
    private static final Pattern OWN = Pattern.compile("\\$pbkdf2-sha512\\$([0-9]{1,8})\\$([^$]+)\\$([^$]+)");
    private static final Pattern NAMED = Pattern.compile("\\{([A-Za-z0-9/-]{2,30})}(.+)");
    private static final Pattern HEXADECIMAL =
            Pattern.compile("(?:([0-9a-fA-F]*)\\$([0-9]{1,8})\\$)?((?:[0-9a-fA-F]{2})+)");
    private static final String PBKDF2 = "PBKDF2WITH";
    private static final String OWN_HMAC = "HmacSHA512";
    private static final int SHA1_BYTES = 20;
    private static final int MD5_BYTES = 16;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MIN_ITERATIONS = 1000;
    private static final int MAX_ITERATIONS = 10_000_000;

    private enum Method {
        PBKDF2,
        DIGEST_OF_SALT_AND_PASSWORD,
        DIGEST_OF_PASSWORD_AND_SALT
    }

    private final String text;
    private final Method method;
    private final String algorithm; // of the Mac or the MessageDigest
    private final boolean latin; // whether the password may be in ISO-8859-1, too
    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;

    private PasswordHash(
            String text, Method method, String algorithm, boolean latin, int iterations, byte[] salt, byte[] hash) {
        this.text = text;
        this.method = method;
        this.algorithm = algorithm;
        this.latin = latin;
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
        checkIterations(iterations, MIN_ITERATIONS);
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        try {
            return own(iterations, salt, Pbkdf2.derive(OWN_HMAC, utf8(password), salt, iterations, HASH_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform cannot hash passwords", e);
        }
    }

    private static PasswordHash own(int iterations, byte[] salt, byte[] hash) {
        Base64.Encoder encoder = Base64.getEncoder().withoutPadding();
        String text = SCHEME + iterations + '$' + encoder.encodeToString(salt) + '$' + encoder.encodeToString(hash);
        return new PasswordHash(text, Method.PBKDF2, OWN_HMAC, false, iterations, salt, hash);
    }

    private static byte[] utf8(String password) {
        return password.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Reads a hash: as {@link #text} of a new one writes it, or with its algorithm in braces. If another pair of braces follows, only it
     * counts. So a query can put the algorithm before all hashes of a table, of which some have their own.
     *
     * @throws IllegalArgumentException if the text is not a hash; the message does not repeat the text
     */
    public static PasswordHash parse(String text) {
        Matcher own = OWN.matcher(text);
        if (own.matches()) {
            return parse(own);
        }
        Matcher named = NAMED.matcher(text);
        if (named.matches()) {
            String rest = named.group(2);
            return NAMED.matcher(rest).matches() ? parse(rest) : named(text, named.group(1), rest);
        }
        throw new IllegalArgumentException(
                "not a password hash: it must begin with " + SCHEME + ", or with its algorithm in braces: {SHA-256}");
    }

    private static PasswordHash parse(Matcher parts) {
        int iterations = Integer.parseInt(parts.group(1));
        checkIterations(iterations, MIN_ITERATIONS);
        try {
            byte[] salt = Base64.getDecoder().decode(parts.group(2));
            byte[] hash = Base64.getDecoder().decode(parts.group(3));
            if (salt.length < 8 || hash.length < 16) {
                throw new IllegalArgumentException("the salt or the hash of a password is too short");
            }
            return own(iterations, salt, hash);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the salt or the hash of a password is not in Base64, or too short", e);
        }
    }

    private static PasswordHash named(String text, String name, String rest) {
        String algorithm = name.toUpperCase(Locale.ROOT);
        Matcher parts = HEXADECIMAL.matcher(rest);
        boolean digits = parts.matches();
        if (algorithm.equals("SSHA") || algorithm.equals("SHA") && !digits) {
            return base64(text, "SHA-1", SHA1_BYTES, algorithm.equals("SSHA"), rest);
        }
        if (algorithm.equals("MD5") && !digits) {
            return base64(text, "MD5", MD5_BYTES, false, rest);
        }
        if (!digits) {
            throw new IllegalArgumentException(
                    "a password hash in hexadecimal is of the form {ALGORITHM}SALT$ITERATIONS$HASH or {ALGORITHM}HASH");
        }
        byte[] salt = HexFormat.of().parseHex(parts.group(1) == null ? "" : parts.group(1));
        int iterations = parts.group(2) == null ? 1 : Integer.parseInt(parts.group(2));
        checkIterations(iterations, 1);
        byte[] hash = HexFormat.of().parseHex(parts.group(3));
        if (algorithm.startsWith(PBKDF2)) {
            String hmac = algorithm.substring(PBKDF2.length());
            if (!hmac.matches("HMACSHA(1|224|256|384|512)") || salt.length == 0 || hash.length < MD5_BYTES) {
                throw new IllegalArgumentException(
                        "a PBKDF2 hash has HmacSHA1, 224, 256, 384 or 512, a salt, and at least 16 bytes");
            }
            return new PasswordHash(text, Method.PBKDF2, hmac, false, iterations, salt, hash);
        }
        check(algorithm, hash.length);
        return new PasswordHash(text, Method.DIGEST_OF_SALT_AND_PASSWORD, algorithm, false, iterations, salt, hash);
    }

    /** Directories hash passwords in UTF-8, and Tomcat in ISO-8859-1. */
    private static PasswordHash base64(String text, String algorithm, int bytes, boolean salted, String rest) {
        byte[] decoded;
        try {
            decoded = Base64.getDecoder().decode(rest);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the hash of a password is not in Base64", e);
        }
        if (salted ? decoded.length <= bytes : decoded.length != bytes) {
            throw new IllegalArgumentException("the hash of a password has not the length of its algorithm");
        }
        return new PasswordHash(
                text,
                Method.DIGEST_OF_PASSWORD_AND_SALT,
                algorithm,
                true,
                1,
                Arrays.copyOfRange(decoded, bytes, decoded.length),
                Arrays.copyOf(decoded, bytes));
    }

    private static void check(String algorithm, int bytes) {
        int length;
        try {
            length = MessageDigest.getInstance(algorithm).getDigestLength();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException("this Java platform does not know the algorithm of a password hash", e);
        }
        if (bytes != length) {
            throw new IllegalArgumentException("the hash of a password has not the length of its algorithm");
        }
    }

    private static void checkIterations(int iterations, int least) {
        if (iterations < least || iterations > MAX_ITERATIONS) {
            throw new IllegalArgumentException(
                    "a password hash takes " + least + " to " + MAX_ITERATIONS + " iterations");
        }
    }

    /** How long a comparison takes, in hashes of one block. */
    public long cost() {
        return method == Method.PBKDF2 ? 2L * iterations : iterations;
    }

    /** Whether passwords are quicker to guess by this hash than by any that this class makes. */
    public boolean isWeak() {
        return cost() < 2 * MIN_ITERATIONS;
    }

    /** The text to store in a file or a table. */
    public String text() {
        return text;
    }

    /** Compares a password with this hash. The time of the comparison does not depend on the password. */
    boolean matches(String password) {
        boolean possible = isPossible(password);
        String tried = possible ? password : "-";
        try {
            boolean equal = MessageDigest.isEqual(derive(utf8(tried)), hash);
            if (!equal && latin && StandardCharsets.ISO_8859_1.newEncoder().canEncode(tried)) {
                equal = MessageDigest.isEqual(derive(tried.getBytes(StandardCharsets.ISO_8859_1)), hash);
            }
            return equal && possible;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform cannot hash passwords", e);
        }
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

    private byte[] derive(byte[] password) throws GeneralSecurityException {
        if (method == Method.PBKDF2) {
            return Pbkdf2.derive(algorithm, password, salt, iterations, hash.length);
        }
        boolean saltFirst = method == Method.DIGEST_OF_SALT_AND_PASSWORD;
        MessageDigest digest = MessageDigest.getInstance(algorithm);
        digest.update(saltFirst ? salt : password);
        byte[] derived = digest.digest(saltFirst ? password : salt);
        for (int i = 1; i < iterations; i++) {
            derived = digest.digest(derived);
        }
        return derived;
    }

    /** The algorithm and the iterations. */
    @Override
    public String toString() {
        return (method == Method.PBKDF2 ? "PBKDF2 with " : "") + algorithm + ", iterations: " + iterations;
    }
}
