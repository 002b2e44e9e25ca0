package io.penstock.admin;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The secret that requests to the admin site need. Comparisons take the same time for right and wrong secrets.
 *
 * <p>Thread: any.
 */
final class Token {
    private final byte[] digest;

    Token(String secret) {
        digest = digest(secret);
    }

    /**
     * Whether an {@code Authorization} field contains the secret: as a bearer token (RFC 6750), or as a password with any user name (RFC
     * 7617).
     */
    boolean isShownBy(@Nullable String authorization) {
        int space = authorization == null ? -1 : authorization.indexOf(' ');
        if (authorization == null || space < 0) {
            return false;
        }
        String credentials = authorization.substring(space + 1).strip();
        return switch (authorization.substring(0, space).toLowerCase(Locale.ROOT)) {
            case "bearer" -> isEqual(credentials);
            case "basic" -> isEqual(password(credentials));
            default -> false;
        };
    }

    private boolean isEqual(String shown) {
        return MessageDigest.isEqual(digest, digest(shown));
    }

    /** The password in the credentials. The result is empty if the credentials are not valid; a secret is never empty. */
    private static String password(String credentials) {
        try {
            String decoded = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
            return decoded.substring(decoded.indexOf(':') + 1);
        } catch (IllegalArgumentException e) {
            return ""; // not Base64
        }
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
