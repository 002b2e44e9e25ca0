package io.penstock.tls;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.KeyAgreement;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Computes TLS keys with X25519 and SHA-256 (RFC 8446 section 7.1, RFC 5246 section 5). */
final class RawTlsSecrets {
    static final int HASH = 32;

    /** The DER bytes before the 32 bytes of an X25519 public key. */
    private static final byte[] PUBLIC = HexFormat.of().parseHex("302a300506032b656e032100");

    private RawTlsSecrets() {}

    static KeyPair keys() {
        try {
            return KeyPairGenerator.getInstance("X25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] publicKey(KeyPair keys) {
        byte[] der = keys.getPublic().getEncoded();
        return Arrays.copyOfRange(der, PUBLIC.length, der.length);
    }

    static byte[] agree(KeyPair keys, byte[] other) {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance("X25519");
            agreement.init(keys.getPrivate());
            agreement.doPhase(
                    KeyFactory.getInstance("X25519").generatePublic(new X509EncodedKeySpec(join(PUBLIC, other))), true);
            return agreement.generateSecret();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] hash(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    static byte[] hmac(byte[] key, byte[] bytes) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(bytes);
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    /** The function HKDF-Expand-Label. The result has at most the length of one hash. */
    static byte[] expand(byte[] secret, String label, byte[] context, int length) {
        byte[] name = latin("tls13 " + label);
        ByteBuffer info = ByteBuffer.allocate(2 + 1 + name.length + 1 + context.length + 1);
        info.putShort((short) length).put((byte) name.length).put(name);
        info.put((byte) context.length).put(context).put((byte) 1);
        return Arrays.copyOf(hmac(secret, info.array()), length);
    }

    static byte[] derive(byte[] secret, String label, byte[] messages) {
        return expand(secret, label, hash(messages), HASH);
    }

    /** The pseudorandom function of TLS 1.2. */
    static byte[] prf(byte[] secret, String label, byte[] seed, int length) {
        byte[] labelled = join(latin(label), seed);
        byte[] all = new byte[0];
        for (byte[] a = hmac(secret, labelled); all.length < length; a = hmac(secret, a)) {
            all = join(all, hmac(secret, join(a, labelled)));
        }
        return Arrays.copyOf(all, length);
    }

    static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] join(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Arrays.stream(parts).mapToInt(part -> part.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}
