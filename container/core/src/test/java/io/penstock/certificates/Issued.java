package io.penstock.certificates;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A certificate for tests, and its key. The certificate and the key are made in memory. */
public record Issued(String name, KeyPair keys, X509Certificate certificate) {
    static final Instant NOW = Instant.parse("2026-11-23T12:00:00Z");

    /** Certificates have a long validity, because some tests check them with the clock of the machine. */
    static final Instant BEGIN = Instant.parse("2001-01-01T00:00:00Z");

    static final Instant END = Instant.parse("2049-12-31T00:00:00Z");

    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";

    public static final KeyPair RSA = pair("RSA", "2048");
    static final KeyPair OTHER_RSA = pair("RSA", "2048");
    public static final KeyPair EC = pair("EC", "secp256r1");
    static final KeyPair ED25519 = pair("Ed25519", "");

    private static int serial;

    static KeyPair pair(String algorithm, String parameter) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(new ECGenParameterSpec(parameter));
            } else if (!parameter.isEmpty()) {
                generator.initialize(Integer.parseInt(parameter));
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes the self-signed certificate of an authority. */
    public static Issued authority(String name) {
        KeyPair keys = pair("EC", "secp256r1");
        return made(name, keys, name, keys.getPrivate(), List.of(), BEGIN, END, true);
    }

    /** Makes a self-signed certificate for the given server names. A name that is an IP address starts with {@code ip:}. */
    public static Issued self(KeyPair keys, String... names) {
        return until(END, keys, names);
    }

    static Issued until(Instant end, KeyPair keys, String... names) {
        String name = names.length == 0 ? "nameless" : names[0];
        return made(name, keys, name, keys.getPrivate(), List.of(names), BEGIN, end, false);
    }

    /** Makes a certificate for a server or a client. The certificate is signed with the key of this object. */
    public Issued issue(String subject, KeyPair its, String... names) {
        return made(subject, its, name, keys.getPrivate(), List.of(names), BEGIN, END, false);
    }

    /** Makes the certificate of an intermediate authority. The certificate is signed with the key of this object. */
    Issued below(String subject) {
        KeyPair its = pair("EC", "secp256r1");
        return made(subject, its, name, keys.getPrivate(), List.of(), BEGIN, END, true);
    }

    private static Issued made(
            String subject,
            KeyPair keys,
            String issuer,
            PrivateKey signing,
            List<String> names,
            Instant begin,
            Instant end,
            boolean authority) {
        try {
            byte[] algorithm = algorithm(signing);
            byte[] basic = authority ? Der.sequence(Der.yes()) : Der.sequence();
            byte[] constraints = Der.sequence(Der.objectIdentifier(BASIC_CONSTRAINTS), Der.yes(), Der.octets(basic));
            byte[] alternative = Der.sequence(Der.objectIdentifier(SUBJECT_ALTERNATIVE_NAME), Der.octets(names(names)));
            byte[] content = Der.sequence(
                    Der.explicit(0, Der.integer(2)),
                    Der.integer(BigInteger.valueOf(++serial)),
                    algorithm,
                    distinguished(issuer),
                    Der.sequence(Der.time(begin), Der.time(end)),
                    distinguished(subject),
                    keys.getPublic().getEncoded(),
                    Der.explicit(
                            3, names.isEmpty() ? Der.sequence(constraints) : Der.sequence(constraints, alternative)));
            Signature signature = signature(signing);
            signature.initSign(signing);
            signature.update(content);
            byte[] der = Der.sequence(content, algorithm, Der.bits(signature.sign()));
            return new Issued(subject, keys, (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Signature signature(PrivateKey signing) throws GeneralSecurityException {
        return Signature.getInstance(
                switch (signing.getAlgorithm()) {
                    case "RSA" -> "SHA256withRSA";
                    case "EC" -> "SHA256withECDSA";
                    default -> "Ed25519";
                });
    }

    private static byte[] algorithm(PrivateKey signing) {
        return switch (signing.getAlgorithm()) {
            case "RSA" -> Der.sequence(Der.objectIdentifier("1.2.840.113549.1.1.11"), new byte[] {5, 0});
            case "EC" -> Der.sequence(Der.objectIdentifier("1.2.840.10045.4.3.2"));
            default -> Der.sequence(Der.objectIdentifier("1.3.101.112"));
        };
    }

    private static byte[] distinguished(String name) {
        return Der.sequence(Der.set(Der.sequence(Der.objectIdentifier("2.5.4.3"), Der.text(name))));
    }

    private static byte[] names(List<String> names) {
        byte[][] all = new byte[names.size()][];
        for (int i = 0; i < all.length; i++) {
            String name = names.get(i);
            all[i] = name.startsWith("ip:")
                    ? Der.implicit(7, address(name.substring(3)))
                    : Der.implicit(2, name.getBytes(StandardCharsets.US_ASCII));
        }
        return Der.sequence(all);
    }

    private static byte[] address(String literal) {
        try {
            return InetAddress.getByName(literal).getAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** The certificate in the PEM format. */
    public String pem() {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The private key in the PEM format, as PKCS#8. */
    public String keyPem() {
        return pem("PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    static String pem(String label, byte[] content) {
        return pem(label, null, content);
    }

    static String pem(String label, @Nullable String headers, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + (headers == null ? "" : headers + "\n\n")
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + label + "-----\n";
    }
}
