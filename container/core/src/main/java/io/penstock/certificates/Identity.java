package io.penstock.certificates;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server certificate with its chain and its private key.
 *
 * @param source the file or the key store entry of the certificate, for messages
 * @param chain the server certificate, then its issuer, then the issuer of the issuer, and so on; not empty
 * @param unused the number of certificates in the file that are not in the chain
 */
record Identity(
        String source, KeyKind kind, PrivateKey key, List<X509Certificate> chain, int unused, CertificateNames names) {

    Identity {
        chain = List.copyOf(chain);
    }

    /**
     * Combines a key with its certificates.
     *
     * @param source the file or the key store entry of the certificates, for messages
     * @param keySource the file or the key store entry of the key, for messages
     * @param certificates the certificates of one file. The first is the certificate of the key; the others are in any order
     * @throws TlsSetupException if the key does not match the first certificate, or cannot be used for TLS
     */
    static Identity of(String source, List<X509Certificate> certificates, String keySource, PrivateKey key)
            throws TlsSetupException {
        X509Certificate own = certificates.get(0);
        KeyKind kind = kind(source, own.getPublicKey());
        if (!isPair(key, own)) {
            for (int i = 1; i < certificates.size(); i++) {
                if (isPair(key, certificates.get(i))) {
                    throw TlsSetupException.of(
                            source,
                            "the server's own certificate must be the first; the key in " + keySource
                                    + " belongs to certificate " + (i + 1));
                }
            }
            throw TlsSetupException.of(
                    keySource,
                    "the private key does not belong to the certificate in " + source + " ("
                            + own.getSubjectX500Principal() + ")");
        }
        try {
            List<X509Certificate> chain = chain(certificates);
            int unused = (int) certificates.stream().distinct().count() - chain.size();
            return new Identity(source, kind, key, chain, unused, CertificateNames.of(own));
        } catch (CertificateParsingException e) {
            throw TlsSetupException.of(source, "the names of the certificate cannot be read: " + e.getMessage(), e);
        }
    }

    private static KeyKind kind(String source, PublicKey key) throws TlsSetupException {
        try {
            return KeyKind.of(key);
        } catch (IllegalArgumentException e) {
            throw TlsSetupException.of(source, String.valueOf(e.getMessage()), e);
        }
    }

    private static boolean isPair(PrivateKey key, X509Certificate certificate) {
        PublicKey other = certificate.getPublicKey();
        if (!key.getAlgorithm().equals(other.getAlgorithm())) {
            return false;
        }
        try {
            return KeyKind.of(other).isPair(key, other);
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            // The keys have the same algorithm and do not match, for example because they are on different curves.
            return false;
        }
    }

    /**
     * Returns the first certificate, then its issuer, then the issuer of the issuer, and so on. Certificates that are not in this chain are
     * ignored.
     */
    private static List<X509Certificate> chain(List<X509Certificate> certificates) {
        List<X509Certificate> left = new ArrayList<>(certificates);
        List<X509Certificate> chain = new ArrayList<>();
        X509Certificate last = left.remove(0);
        while (last != null) {
            chain.add(last);
            left.removeAll(chain);
            last = issuer(last, left);
        }
        return chain;
    }

    private static @Nullable X509Certificate issuer(X509Certificate certificate, List<X509Certificate> among) {
        for (X509Certificate other : among) {
            if (certificate.getIssuerX500Principal().equals(other.getSubjectX500Principal())
                    && isSigned(certificate, other.getPublicKey())) {
                return other;
            }
        }
        return null;
    }

    private static boolean isSigned(X509Certificate certificate, PublicKey by) {
        try {
            certificate.verify(by);
            return true;
        } catch (GeneralSecurityException e) {
            // The key belongs to another authority with the same name.
            return false;
        }
    }

    X509Certificate certificate() {
        return chain.get(0);
    }

    /** The earliest time at which a certificate of the chain expires. */
    Instant expires() {
        return chain.stream()
                .map(certificate -> certificate.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
    }

    /** The result does not contain the private key. */
    @Override
    public String toString() {
        return names + " (" + kind.words() + ", " + source + ")";
    }
}
