package io.penstock.certificates;

import java.io.IOException;
import java.nio.file.Path;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Reads private keys from PEM files. The formats are PKCS#8 with and without encryption (RFC 5958), PKCS#1 for RSA keys (RFC 8017 appendix
 * A.1.2), and the format for keys on elliptic curves (RFC 5915).
 */
final class PrivateKeys {
    private static final String PKCS8 = "PRIVATE KEY";
    private static final String ENCRYPTED = "ENCRYPTED PRIVATE KEY";
    private static final String PKCS1 = "RSA PRIVATE KEY";
    private static final String SEC1 = "EC PRIVATE KEY";
    private static final String OPENSSH = "OPENSSH PRIVATE KEY";

    private static final String RSA = "1.2.840.113549.1.1.1";
    private static final String EC = "1.2.840.10045.2.1";
    private static final byte[] NULL = {0x05, 0x00};

    /** The object identifiers of the algorithms in PKCS#8, and the JDK's names of these algorithms. */
    private static final Map<String, String> ALGORITHMS = Map.of(
            RSA,
            "RSA",
            EC,
            "EC",
            "1.2.840.113549.1.1.10",
            "RSASSA-PSS",
            "1.2.840.10040.4.1",
            "DSA",
            "1.3.101.112",
            "EdDSA",
            "1.3.101.113",
            "EdDSA");

    private PrivateKeys() {}

    /**
     * Reads the private key of a file. The file must contain exactly one private key.
     *
     * @throws TlsSetupException if the file has no private key or several, or if the key cannot be read
     */
    static PrivateKey read(Path file, List<Pem> blocks, Password password) throws TlsSetupException {
        List<Pem> keys =
                blocks.stream().filter(block -> block.label().endsWith(PKCS8)).toList();
        if (keys.size() != 1) {
            throw TlsSetupException.of(
                    file, keys.isEmpty() ? "has no private key" : "has " + keys.size() + " private keys, not one");
        }
        Pem key = keys.get(0);
        if (key.isEncrypted()) {
            throw TlsSetupException.of(
                    file,
                    "is encrypted in a form that only old programs make; convert it by"
                            + " openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW");
        }
        try {
            return switch (key.label()) {
                case PKCS8 -> key(key.content());
                case PKCS1 -> key(envelope(RSA, NULL, key.content()));
                case SEC1 -> key(envelope(EC, curve(key.content()), key.content()));
                case ENCRYPTED -> decrypted(file, key.content(), password);
                case OPENSSH ->
                    throw TlsSetupException.of(
                            file, "is a key for SSH; ssh-keygen -p -m PKCS8 -f FILE converts it for TLS");
                default -> throw TlsSetupException.of(file, "a " + key.label() + " is not a key for TLS");
            };
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw TlsSetupException.of(file, "the private key cannot be read: " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }

    /** Returns the parameters of the curve, which are part of the key. */
    private static byte[] curve(byte[] sec1) {
        DerReader members = new DerReader(new DerReader(sec1).content(Der.SEQUENCE));
        members.content(Der.INTEGER);
        members.content(Der.OCTET_STRING);
        int parameters = 0xA0;
        if (!members.isNext(parameters)) {
            throw new IllegalArgumentException("it does not name its curve");
        }
        return members.content(parameters);
    }

    /** Converts a key to PKCS#8. */
    private static byte[] envelope(String algorithm, byte[] parameters, byte[] key) {
        return Der.sequence(Der.integer(0), Der.sequence(Der.objectIdentifier(algorithm), parameters), Der.octets(key));
    }

    private static PrivateKey key(byte[] pkcs8) throws GeneralSecurityException {
        return KeyFactory.getInstance(algorithm(pkcs8)).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static String algorithm(byte[] pkcs8) {
        DerReader members = new DerReader(new DerReader(pkcs8).content(Der.SEQUENCE));
        members.content(Der.INTEGER);
        byte[] identifier = new DerReader(members.content(Der.SEQUENCE)).value();
        for (Map.Entry<String, String> algorithm : ALGORITHMS.entrySet()) {
            if (Arrays.equals(identifier, Der.objectIdentifier(algorithm.getKey()))) {
                return algorithm.getValue();
            }
        }
        throw new IllegalArgumentException("it is not an RSA, EC or Ed25519 key");
    }

    private static PrivateKey decrypted(Path file, byte[] content, Password password) throws TlsSetupException {
        EncryptedPrivateKeyInfo info;
        SecretKeyFactory keys;
        Cipher cipher;
        @Nullable AlgorithmParameters parameters;
        try {
            info = new EncryptedPrivateKeyInfo(content);
            parameters = info.getAlgParameters();
            String algorithm = scheme(info.getAlgName(), parameters);
            keys = SecretKeyFactory.getInstance(algorithm);
            cipher = Cipher.getInstance(algorithm);
        } catch (IOException | NoSuchAlgorithmException | NoSuchPaddingException e) {
            throw TlsSetupException.of(
                    file,
                    "is encrypted in a way that this Java does not know; convert it by"
                            + " openssl pkcs8 -topk8 -v2 aes-256-cbc -in OLD -out NEW",
                    e);
        }
        PBEKeySpec given = new PBEKeySpec(password.of(file));
        try {
            SecretKey secret = keys.generateSecret(given);
            cipher.init(Cipher.DECRYPT_MODE, secret, parameters);
            return key(info.getKeySpec(cipher).getEncoded());
        } catch (InvalidKeySpecException | IllegalArgumentException e) {
            // With a wrong password the decrypted bytes are not a key.
            throw password.wrong(file, e);
        } catch (InvalidKeyException e) {
            throw TlsSetupException.of(file, "cannot be decrypted by that password: " + reason(e), e);
        } catch (GeneralSecurityException e) {
            throw TlsSetupException.of(file, "cannot be decrypted: " + reason(e), e);
        } finally {
            given.clearPassword();
        }
    }

    /** Returns the JDK's name of the encryption scheme. For PBES2 (RFC 8018) the parameters contain this name. */
    private static String scheme(String name, @Nullable AlgorithmParameters parameters) {
        boolean composed = name.equals("PBES2") || name.equals("1.2.840.113549.1.5.13");
        return composed && parameters != null ? parameters.toString() : name;
    }
}
