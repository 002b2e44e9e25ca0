package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.limits.HelpPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the formats of private keys and certificate chains in PEM files. */
class KeyFormatsTest {
    private static final String PASSWORD = "swordfish";

    @TempDir
    Path folder;

    static Stream<KeyPair> pairs() {
        return Stream.of(Issued.RSA, Issued.EC, Issued.ED25519);
    }

    private static void assertServes(ServerCertificates certificates, Issued issued) throws Exception {
        assertEquals(
                issued.certificate(), Handshake.of(certificates, "a.example").served());
    }

    private static void assertFails(String message, TlsFiles files) {
        TlsSetupException failure = assertThrows(TlsSetupException.class, files::open);
        assertEquals(message, failure.getMessage());
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void privateKeysInPkcs8FormatCanBeUsed(KeyPair pair) throws Exception {
        Issued issued = Issued.self(pair, "a.example");
        assertServes(new TlsFiles(folder).with("a", issued).open(), issued);
    }

    /** PKCS#1 is the format of {@code openssl rsa}. A PKCS#8 key contains the PKCS#1 bytes. The test extracts these bytes. */
    @Test
    void privateKeysInPkcs1FormatCanBeUsed() throws Exception {
        Issued issued = Issued.self(Issued.RSA, "a.example");
        String key = Issued.pem("RSA PRIVATE KEY", inner(Issued.RSA.getPrivate()));
        assertServes(new TlsFiles(folder).with("a", issued.pem(), key).open(), issued);
    }

    /** SEC 1 is the format of {@code openssl ecparam -genkey}. OpenSSL writes the parameters of the curve before the key. */
    @Test
    void privateKeysInSec1FormatCanBeUsed() throws Exception {
        Issued issued = Issued.self(Issued.EC, "a.example");
        byte[] curve = Der.objectIdentifier("1.2.840.10045.3.1.7");
        DerReader members = new DerReader(new DerReader(inner(Issued.EC.getPrivate())).content(Der.SEQUENCE));
        byte[] sec1 = Der.sequence(members.value(), members.value(), Der.explicit(0, curve));
        String key = Issued.pem("EC PARAMETERS", curve) + Issued.pem("EC PRIVATE KEY", sec1);
        assertServes(new TlsFiles(folder).with("a", issued.pem(), key).open(), issued);
    }

    @Test
    void aSec1KeyWithoutACurveIsRefused() {
        Issued issued = Issued.self(Issued.EC, "a.example");
        DerReader members = new DerReader(new DerReader(inner(Issued.EC.getPrivate())).content(Der.SEQUENCE));
        String key = Issued.pem("EC PRIVATE KEY", Der.sequence(members.value(), members.value()));
        assertFails(
                path("a.key") + ": the private key cannot be read: it does not name its curve",
                new TlsFiles(folder).with("a", issued.pem(), key));
    }

    private static byte[] inner(PrivateKey key) {
        DerReader members = new DerReader(new DerReader(key.getEncoded()).content(Der.SEQUENCE));
        members.value();
        members.value();
        return members.content(Der.OCTET_STRING);
    }

    /** OpenSSL encrypts keys with PBES2 (RFC 8018). Older programs encrypt keys with PBES1 of PKCS#12. */
    @ParameterizedTest
    @CsvSource({
        "PBEWithHmacSHA256AndAES_256, 1.2.840.113549.1.5.13",
        "PBEWithHmacSHA1AndAES_128, 1.2.840.113549.1.5.13",
        "PBEWithSHA1AndDESede, 1.2.840.113549.1.12.1.3"
    })
    void privateKeysInEncryptedPkcs8FormatCanBeUsed(String scheme, String id) throws Exception {
        for (KeyPair pair : pairs().toList()) {
            Issued issued = Issued.self(pair, "a.example");
            String key = encrypted(pair.getPrivate(), scheme, id);
            assertServes(
                    new TlsFiles(folder)
                            .with("a", issued.pem(), key)
                            .password(PASSWORD)
                            .open(),
                    issued);
            assertServes(
                    new TlsFiles(folder)
                            .with("a", issued.pem(), key)
                            .passwordFile(PASSWORD + "\r\nmore\n")
                            .open(),
                    issued);
        }
    }

    private static String encrypted(PrivateKey key) throws Exception {
        return encrypted(key, "PBEWithHmacSHA256AndAES_256", "1.2.840.113549.1.5.13");
    }

    private static String encrypted(PrivateKey key, String scheme, String id) throws Exception {
        Cipher cipher = Cipher.getInstance(scheme);
        cipher.init(
                Cipher.ENCRYPT_MODE,
                SecretKeyFactory.getInstance(scheme).generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
        byte[] content = cipher.doFinal(key.getEncoded());
        byte[] parameters = cipher.getParameters().getEncoded();
        return Issued.pem(
                "ENCRYPTED PRIVATE KEY",
                Der.sequence(Der.sequence(Der.objectIdentifier(id), parameters), Der.octets(content)));
    }

    @Test
    void anEncryptedKeyIsRefusedWithoutTheRightPassword() throws Exception {
        Issued issued = Issued.self(Issued.EC, "a.example");
        String key = encrypted(Issued.EC.getPrivate());
        TlsFiles files = new TlsFiles(folder).with("a", issued.pem(), key);
        assertFails(
                path("a.key") + ": is encrypted, and there is no password for it (tls-key-password-file or"
                        + " tls-key-password)" + HelpPage.PASSWORDS.more(),
                files);
        assertFails(
                path("a.key") + ": cannot be decrypted: the password is wrong (tls-key-password-file or"
                        + " tls-key-password)",
                files.password("wrong"));
        assertFails(
                path("password") + ": its first line is empty; this line must be the password",
                files.password("none").passwordFile("\nx"));
    }

    @Test
    void theErrorForAKeyWithAnOldEncryptionContainsAConversionCommand() {
        Issued issued = Issued.self(Issued.RSA, "a.example");
        String key = Issued.pem(
                "RSA PRIVATE KEY",
                "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00112233445566778899AABBCCDDEEFF",
                new byte[64]);
        assertFails(
                path("a.key") + ": is encrypted in a form that only old programs make; convert it by openssl pkcs8"
                        + " -topk8 -v2 aes-256-cbc -in OLD -out NEW",
                new TlsFiles(folder).with("a", issued.pem(), key).password(PASSWORD));
    }

    @Test
    void theErrorForAKeyWithAnUnknownEncryptionContainsAConversionCommand() {
        Issued issued = Issued.self(Issued.EC, "a.example");
        byte[] scrypt = Der.sequence(
                Der.sequence(
                        Der.objectIdentifier("1.2.840.113549.1.5.13"),
                        Der.sequence(
                                Der.sequence(Der.objectIdentifier("1.3.6.1.4.1.11591.4.11"), Der.sequence()),
                                Der.sequence(
                                        Der.objectIdentifier("2.16.840.1.101.3.4.1.42"), Der.octets(new byte[16])))),
                Der.octets(new byte[64]));
        assertFails(
                path("a.key") + ": is encrypted in a way that this Java does not know; convert it by openssl pkcs8"
                        + " -topk8 -v2 aes-256-cbc -in OLD -out NEW",
                new TlsFiles(folder)
                        .with("a", issued.pem(), Issued.pem("ENCRYPTED PRIVATE KEY", scrypt))
                        .password(PASSWORD));
    }

    @Test
    void sshKeysAndDsaKeysAreRefused() {
        Issued issued = Issued.self(Issued.EC, "a.example");
        assertFails(
                path("a.key") + ": is a key for SSH; ssh-keygen -p -m PKCS8 -f FILE converts it for TLS",
                new TlsFiles(folder).with("a", issued.pem(), Issued.pem("OPENSSH PRIVATE KEY", new byte[20])));
        assertFails(
                path("a.key") + ": a DSA PRIVATE KEY is not a key for TLS",
                new TlsFiles(folder).with("a", issued.pem(), Issued.pem("DSA PRIVATE KEY", new byte[20])));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            nothing at all                                   | is not a PEM file: it has no line -----BEGIN ...-----
            -----BEGIN PRIVATE KEY-----/AAAA                 | the PRIVATE KEY that begins at line 1 has no END line
            text/-----BEGIN X-----/AAAA/-----BEGIN Y-----    | the X that begins at line 2 has no END line
            -----BEGIN PRIVATE KEY-----/?/-----END PRIVATE KEY----- | the PRIVATE KEY that begins at line 1 is not Base64
            -----BEGIN X-----/AAAA/-----END X-----           | has no private key
            -----BEGIN PRIVATE KEY-----/AAAA/-----END PRIVATE KEY----- | the private key cannot be read: unexpected structure
            -----BEGIN PRIVATE KEY-----/MIIB/-----END PRIVATE KEY----- | the private key cannot be read: cut off, or not DER
            """)
    void aDamagedKeyFileIsReported(String content, String problem) {
        Issued issued = Issued.self(Issued.EC, "a.example");
        assertFails(
                path("a.key") + ": " + problem,
                new TlsFiles(folder).with("a", issued.pem(), content.replace('/', '\n')));
    }

    @Test
    void aKeyFileWithTwoPrivateKeysIsRefused() {
        Issued issued = Issued.self(Issued.EC, "a.example");
        assertFails(
                path("a.key") + ": has 2 private keys, not one",
                new TlsFiles(folder).with("a", issued.pem(), issued.keyPem() + issued.keyPem()));
    }

    @Test
    void oneFileCanContainTheKeyAndTheCertificateAndOtherText() throws Exception {
        Issued issued = Issued.self(Issued.EC, "a.example");
        String both = "Key:\n" + issued.keyPem() + "Bag Attributes\n  name: a\n"
                + issued.pem().replace("\n", "\r\n");
        assertServes(new TlsFiles(folder).together("both.pem", both).open(), issued);
    }

    @Test
    void aPemFileCanStartWithAByteOrderMark() throws Exception {
        Issued issued = Issued.self(Issued.EC, "a.example");
        assertServes(
                new TlsFiles(folder)
                        .with("a", "\uFEFF" + issued.pem(), "\uFEFF" + issued.keyPem())
                        .open(),
                issued);
    }

    @Test
    void aKeyOfAnotherCertificateIsRefused() {
        Issued issued = Issued.self(Issued.RSA, "a.example");
        String problem = ": the private key does not belong to the certificate in " + path("a.pem") + " (CN=a.example)";
        for (KeyPair other : List.of(Issued.OTHER_RSA, Issued.EC)) {
            assertFails(
                    path("a.key") + problem,
                    new TlsFiles(folder)
                            .with("a", issued.pem(), Issued.self(other).keyPem()));
        }
    }

    @Test
    void aShortRsaKeyIsRefused() {
        Issued weak = Issued.self(Issued.pair("RSA", "1024"), "a.example");
        assertFails(
                path("a.pem") + ": an RSA key of 1024 bits is too short; it needs at least 2048",
                new TlsFiles(folder).with("a", weak));
    }

    // ---- certificate chains

    private final Issued root = Issued.authority("root");
    private final Issued upper = root.below("upper");
    private final Issued lower = upper.below("lower");
    private final Issued own = lower.issue("own", Issued.EC, "a.example");

    @Test
    void theCertificatesOfAChainAreSentInTheRightOrder() throws Exception {
        String chain = own.pem() + root.pem() + upper.pem() + lower.pem() + own.pem();
        Handshake handshake =
                Handshake.of(new TlsFiles(folder).with("a", chain, own.keyPem()).open(), "a.example");
        assertEquals(
                List.of(own.certificate(), lower.certificate(), upper.certificate(), root.certificate()),
                List.of(handshake.client().getPeerCertificates()));
    }

    @Test
    void certificatesAreNotSentIfTheyDoNotBelongToTheChain() throws Exception {
        Issued sameName = Issued.authority("lower");
        String chain = own.pem() + sameName.pem() + lower.pem();
        Handshake handshake =
                Handshake.of(new TlsFiles(folder).with("a", chain, own.keyPem()).open(), "a.example");
        assertEquals(
                List.of(own.certificate(), lower.certificate()),
                List.of(handshake.client().getPeerCertificates()));
    }

    @Test
    void theServerCertificateMustBeTheFirstCertificateInTheFile() {
        assertFails(
                path("a.pem") + ": the server's own certificate must be the first; the key in " + path("a.key")
                        + " belongs to certificate 3",
                new TlsFiles(folder).with("a", lower.pem() + upper.pem() + own.pem(), own.keyPem()));
    }

    @Test
    void damagedAndMissingCertificatesAreReported() throws Exception {
        TlsFiles files = new TlsFiles(folder).with("a", own.keyPem(), own.keyPem());
        assertFails(path("a.pem") + ": has no certificate", files);
        Files.writeString(folder.resolve("a.pem"), own.pem() + Issued.pem("CERTIFICATE", new byte[5]));
        assertEquals(
                path("a.pem") + ": certificate 2 cannot be read",
                assertThrows(TlsSetupException.class, files::open).getMessage().replaceFirst("(read):.*", "$1"));
        Files.delete(folder.resolve("a.pem"));
        assertFails(path("a.pem") + ": no such file", files);
        Files.createDirectory(folder.resolve("a.pem"));
        assertFails(path("a.pem") + ": is not a file", files);
    }
}
