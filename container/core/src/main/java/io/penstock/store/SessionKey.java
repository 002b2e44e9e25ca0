package io.penstock.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The name of a session in a store: the SHA-256 of its id, in 64 lower-case hexadecimal digits. The id itself is a secret that grants
 * access. The digest grants no access, and is a valid file name and database key.
 */
public record SessionKey(String digest) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    /** @throws IllegalArgumentException if the text is not a SHA-256 in lower-case hexadecimal digits */
    public SessionKey {
        if (!FORM.matcher(digest).matches()) {
            throw new IllegalArgumentException("not a SHA-256 in lower-case hexadecimal digits: " + digest);
        }
    }

    /** The key of the session with this id. */
    public static SessionKey of(String id) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            return new SessionKey(HexFormat.of().formatHex(digest.digest(id.getBytes(StandardCharsets.UTF_8))));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return digest;
    }
}
