package io.penstock.certificates;

import io.penstock.limits.Key;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Makes self-signed certificates for three purposes. The first is for programs on this machine ({@code localhost}, 127.0.0.1 and ::1). The
 * second is for hosts whose certificate is being ordered from an authority. The third is for the answer to an authority's challenge ({@code
 * tls-alpn-01}, RFC 8737). The JDK has no public API that makes certificates, so this class writes the DER bytes of the certificate (RFC
 * 5280 section 4.1). The key is an EC key on the curve P-256. The certificate and the key are never stored.
 */
final class SelfSigned {
    private static final String LOCALHOST = "localhost";
    private static final Duration LIFE = Duration.ofDays(365);

    /** The validity of a certificate begins this long before the current time, because the clock of a client can be slow. */
    private static final Duration EARLIER = Duration.ofHours(1);

    /** The number of bits of a serial number. RFC 5280 section 4.1.2.2 requires a positive number of at most 20 bytes. */
    private static final int SERIAL_BITS = 127;

    private static final String ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
    private static final String COMMON_NAME = "2.5.4.3";
    private static final String BASIC_CONSTRAINTS = "2.5.29.19";
    private static final String KEY_USAGE = "2.5.29.15";
    private static final String EXTENDED_KEY_USAGE = "2.5.29.37";
    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    private static final String SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
    private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";
    private static final int DNS_NAME = 2;
    private static final int IP_ADDRESS = 7;
    private static final byte[] DIGITAL_SIGNATURE = Der.value(Der.BIT_STRING, new byte[] {7, (byte) 0x80});

    private SelfSigned() {}

    /** Makes a new key and its certificate for programs on this machine. */
    static Identity make(Instant now) throws TlsSetupException {
        byte[] ipv4 = {127, 0, 0, 1};
        byte[] ipv6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
        byte[] names = Der.sequence(dnsName(LOCALHOST), Der.implicit(IP_ADDRESS, ipv4), Der.implicit(IP_ADDRESS, ipv6));
        return make(Key.TLS_SELF_SIGNED.id(), LOCALHOST, extensions(names), now);
    }

    /** Makes a new key and its certificate for hosts whose certificate is being ordered. */
    static Identity make(List<String> hosts, Instant now) throws TlsSetupException {
        byte[] names = Der.sequence(hosts.stream().map(SelfSigned::dnsName).toArray(byte[][]::new));
        return make(Key.ACME.id(), "a certificate is being ordered", extensions(names), now);
    }

    /**
     * Makes a new key and the certificate that answers a challenge (RFC 8737 section 3). The certificate is valid only for this host, and
     * contains the digest of the answer.
     */
    static Identity challenge(String host, byte[] digest, Instant now) throws TlsSetupException {
        byte[] extensions = Der.sequence(
                extension(SUBJECT_ALTERNATIVE_NAME, Der.sequence(dnsName(host))),
                critical(ACME_IDENTIFIER, Der.octets(digest)));
        return make(Key.ACME.id(), "the challenge of a host", extensions, now);
    }

    private static Identity make(String source, String commonName, byte[] extensions, Instant now)
            throws TlsSetupException {
        try {
            SecureRandom random = new SecureRandom();
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            byte[] der = certificate(
                    pair, new BigInteger(SERIAL_BITS, random).setBit(SERIAL_BITS - 1), commonName, extensions, now);
            X509Certificate made = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
            return Identity.of(source, List.of(made), source, pair.getPrivate());
        } catch (GeneralSecurityException e) {
            throw TlsSetupException.of(source, "this Java cannot make a certificate: " + e.getMessage(), e);
        }
    }

    private static byte[] certificate(
            KeyPair pair, BigInteger serial, String commonName, byte[] extensions, Instant now)
            throws GeneralSecurityException {
        byte[] algorithm = Der.sequence(Der.objectIdentifier(ECDSA_WITH_SHA256));
        byte[] content = Der.sequence(
                Der.explicit(0, Der.integer(2)), // version 3
                Der.integer(serial),
                algorithm,
                name(commonName), // the issuer
                Der.sequence(Der.time(now.minus(EARLIER)), Der.time(now.plus(LIFE))),
                name(commonName), // the subject
                pair.getPublic().getEncoded(),
                Der.explicit(3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(pair.getPrivate());
        signature.update(content);
        return Der.sequence(content, algorithm, Der.bits(signature.sign()));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.objectIdentifier(COMMON_NAME), Der.text(commonName))));
    }

    private static byte[] extensions(byte[] names) {
        return Der.sequence(
                critical(BASIC_CONSTRAINTS, Der.sequence()), // this certificate is not an authority
                critical(KEY_USAGE, DIGITAL_SIGNATURE),
                extension(EXTENDED_KEY_USAGE, Der.sequence(Der.objectIdentifier(SERVER_AUTH))),
                extension(SUBJECT_ALTERNATIVE_NAME, names));
    }

    private static byte[] dnsName(String host) {
        return Der.implicit(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] extension(String id, byte[] value) {
        return Der.sequence(Der.objectIdentifier(id), Der.octets(value));
    }

    private static byte[] critical(String id, byte[] value) {
        return Der.sequence(Der.objectIdentifier(id), Der.yes(), Der.octets(value));
    }
}
