package io.penstock.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The hash algorithms of the Digest scheme (RFC 7616 section 3.2), the more secure algorithm first. */
public enum DigestAlgorithm {
    SHA_256("SHA-256", "$digest-sha256$"),
    MD5("MD5", "$digest-md5$");

    private final String id;
    private final String prefix;

    DigestAlgorithm(String id, String prefix) {
        this.id = id;
        this.prefix = prefix;
    }

    /** The name in header fields and in the JDK. */
    public String id() {
        return id;
    }

    /** The prefix of secrets for this algorithm in a file of users. */
    String prefix() {
        return prefix;
    }

    static @Nullable DigestAlgorithm named(String id) {
        for (DigestAlgorithm algorithm : values()) {
            if (algorithm.id.equalsIgnoreCase(id)) {
                return algorithm;
            }
        }
        return null;
    }

    /**
     * The hash that a server stores instead of the password, in hexadecimal. The hash is as sensitive as the password: an attacker with the
     * hash can log in to this realm.
     */
    public String secret(String user, String realm, String password) {
        return hash((user + ':' + realm + ':' + password).getBytes(StandardCharsets.UTF_8));
    }

    /** The secret with its prefix, as it is written in a file of users. */
    public String kept(String user, String realm, String password) {
        return prefix + secret(user, realm, password);
    }

    /** The hash of the octets, in hexadecimal. Each char of the text is one octet. */
    String hash(String octets) {
        return hash(octets.getBytes(StandardCharsets.ISO_8859_1));
    }

    private String hash(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance(id).digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no " + id, e);
        }
    }
}
