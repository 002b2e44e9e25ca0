package io.penstock.certificates;

import io.penstock.limits.Tls;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Reads the configured certificates and private keys of the server. */
final class Identities {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String OLD_CERTIFICATE = "X509 CERTIFICATE";

    private Identities() {}

    /** Returns all configured files of certificates, keys, passwords and client authorities. */
    static Set<Path> files(Tls tls) {
        Set<Path> files = new LinkedHashSet<>(tls.certificates());
        files.addAll(tls.keys());
        for (Path file : new Path[] {tls.keystore(), tls.keyPasswordFile(), tls.trust()}) {
            if (file != null) {
                files.add(file);
            }
        }
        return files;
    }

    /** Reads the certificates with their private keys, in the configured order. The result is never empty. */
    static List<Identity> read(Tls tls, FileContents files) throws TlsSetupException {
        Path store = tls.keystore();
        return store == null ? ofPem(tls, files) : ofStore(store, files, Password.ofKeys(tls, files));
    }

    private static List<Identity> ofPem(Tls tls, FileContents files) throws TlsSetupException {
        Password password = Password.ofKeys(tls, files);
        List<Identity> all = new ArrayList<>();
        for (int i = 0; i < tls.certificates().size(); i++) {
            Path file = tls.certificates().get(i);
            Path keyFile = tls.keys().isEmpty() ? file : tls.keys().get(i);
            List<Pem> blocks = Pem.parse(file, files.of(file));
            List<Pem> keyBlocks = keyFile.equals(file) ? blocks : Pem.parse(keyFile, files.of(keyFile));
            List<X509Certificate> certificates = certificates(file, blocks);
            all.add(Identity.of(
                    file.toString(), certificates, keyFile.toString(), PrivateKeys.read(keyFile, keyBlocks, password)));
        }
        return all;
    }

    /**
     * Reads all certificates of a PEM file, in the order of the file.
     *
     * @throws TlsSetupException if the file contains no certificate
     */
    static List<X509Certificate> certificates(Path file, List<Pem> blocks) throws TlsSetupException {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Pem block : blocks) {
            if (block.label().equals(CERTIFICATE) || block.label().equals(OLD_CERTIFICATE)) {
                certificates.add(certificate(file, certificates.size() + 1, block.content()));
            }
        }
        if (certificates.isEmpty()) {
            throw TlsSetupException.of(file, "has no certificate");
        }
        return certificates;
    }

    private static X509Certificate certificate(Path file, int number, byte[] der) throws TlsSetupException {
        try {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException e) {
            throw TlsSetupException.of(file, "certificate " + number + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the certificates with their private keys from a key store. The result is ordered by alias, because a key store has no other
     * order.
     */
    private static List<Identity> ofStore(Path file, FileContents files, Password password) throws TlsSetupException {
        byte[] bytes = files.of(file);
        StoreFile.require(file, bytes);
        char[] chars = password.of(file);
        KeyStore store = StoreFile.open(file, bytes, chars, password);
        List<Identity> all = new ArrayList<>();
        try {
            List<String> aliases = Collections.list(store.aliases());
            Collections.sort(aliases);
            for (String alias : aliases) {
                if (store.isKeyEntry(alias)) {
                    all.add(entry(file, alias, store, chars));
                }
            }
        } catch (UnrecoverableKeyException e) {
            throw TlsSetupException.of(
                    file, "a key and the store have different passwords; the passwords must be the same", e);
        } catch (GeneralSecurityException e) {
            throw TlsSetupException.of(file, "cannot be read as a key store: " + e.getMessage(), e);
        }
        if (all.isEmpty()) {
            throw TlsSetupException.of(file, "has no private key with a certificate");
        }
        return all;
    }

    private static Identity entry(Path file, String alias, KeyStore store, char[] password)
            throws TlsSetupException, GeneralSecurityException {
        String named = file + " (" + alias + ")";
        List<X509Certificate> certificates = new ArrayList<>();
        Certificate[] chain = store.getCertificateChain(alias);
        for (Certificate certificate : chain == null ? new Certificate[0] : chain) {
            if (certificate instanceof X509Certificate x509) {
                certificates.add(x509);
            }
        }
        Key key = store.getKey(alias, password);
        if (!(key instanceof PrivateKey own) || certificates.isEmpty()) {
            throw TlsSetupException.of(named, "is not a private key with a certificate");
        }
        return Identity.of(named, certificates, named, own);
    }
}
