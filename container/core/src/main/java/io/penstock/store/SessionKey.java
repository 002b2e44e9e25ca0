package io.penstock.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The key of a session in a {@link SessionStore}. It is the SHA-256 digest of the session id, in 64 lower-case hexadecimal digits. The id
 * is a secret: a client with the id has access to the session. The digest gives no access. It is a valid file name and a valid database
 * key.
 */
public record SessionKey(String digest) {
    private static final Pattern FORM = Pattern.compile("[0-9a-f]{64}");

    /** @throws IllegalArgumentException if the text does not consist of 64 lower-case hexadecimal digits */
    public SessionKey {
        if (!FORM.matcher(digest).matches()) {
            throw new IllegalArgumentException("not a SHA-256 in lower-case hexadecimal digits: " + digest);
        }
    }

    /** Returns the key of the session with the given id. */
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
