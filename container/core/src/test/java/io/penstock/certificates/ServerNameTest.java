package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Tls.Protocol;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the selection of a certificate by the server name in the ClientHello (RFC 6066 section 3). */
class ServerNameTest {
    private static final Issued FIRST = Issued.self(Issued.EC, "first.example");
    private static final Issued EXACT = Issued.self(Issued.EC, "www.shop.example");
    private static final Issued WILDCARD = Issued.self(Issued.EC, "*.shop.example");
    private static final Issued BOTH_RSA = Issued.self(Issued.RSA, "both.example");
    private static final Issued BOTH_EC = Issued.self(Issued.EC, "both.example");
    private static final Issued ED = Issued.self(Issued.ED25519, "ed.example");

    private static final Consumer<SSLParameters> TLS_1_2 =
            parameters -> parameters.setProtocols(new String[] {"TLSv1.2"});
    private static final Consumer<SSLParameters> TLS_1_3 =
            parameters -> parameters.setProtocols(new String[] {"TLSv1.3"});
    private static final Consumer<SSLParameters> ONLY_RSA = parameters -> {
        parameters.setProtocols(new String[] {"TLSv1.2"});
        parameters.setCipherSuites(new String[] {"TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"});
    };

    @TempDir
    Path folder;

    private ServerCertificates shops() throws TlsSetupException {
        return new TlsFiles(folder)
                .with("first", FIRST)
                .with("wildcard", WILDCARD)
                .with("exact", EXACT)
                .open();
    }

    private static Consumer<SSLParameters> of(Protocol protocol) {
        return protocol == Protocol.TLS_1_2 ? TLS_1_2 : TLS_1_3;
    }

    private static X509Certificate served(
            ServerCertificates certificates, @Nullable String name, Consumer<SSLParameters> client)
            throws SSLException {
        return Handshake.of(certificates, Handshake.anyClient(), name, client).served();
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aCertificateWithTheExactNameIsPreferredToAWildcardCertificate(Protocol protocol) throws Exception {
        assertEquals(EXACT.certificate(), served(shops(), "www.shop.example", of(protocol)));
        assertEquals(EXACT.certificate(), served(shops(), "WWW.Shop.Example", of(protocol)));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aWildcardMatchesExactlyOneLabel(Protocol protocol) throws Exception {
        assertEquals(WILDCARD.certificate(), served(shops(), "other.shop.example", of(protocol)));
        assertEquals(FIRST.certificate(), served(shops(), "a.b.shop.example", of(protocol)));
        assertEquals(FIRST.certificate(), served(shops(), "shop.example", of(protocol)));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void theFirstCertificateIsSentForAMissingOrUnknownServerName(Protocol protocol) throws Exception {
        assertEquals(FIRST.certificate(), served(shops(), null, of(protocol)));
        assertEquals(FIRST.certificate(), served(shops(), "unknown.example", of(protocol)));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void eachClientGetsACertificateWithASupportedKindOfKey(Protocol protocol) throws Exception {
        ServerCertificates both = new TlsFiles(folder)
                .with("first", FIRST)
                .with("rsa", BOTH_RSA)
                .with("ec", BOTH_EC)
                .open();
        X509Certificate any = served(both, "both.example", of(protocol));
        assertTrue(any.equals(BOTH_RSA.certificate()) || any.equals(BOTH_EC.certificate()));
        assertEquals(BOTH_RSA.certificate(), served(both, "both.example", ONLY_RSA));
    }

    @Test
    void aClientWithoutAServerNameGetsACertificateWithASupportedKindOfKey() throws Exception {
        ServerCertificates both = new TlsFiles(folder)
                .with("ec", BOTH_EC)
                .with("rsa", BOTH_RSA)
                .with("first", FIRST)
                .open();
        assertEquals(BOTH_RSA.certificate(), served(both, null, ONLY_RSA));
        assertEquals(BOTH_EC.certificate(), served(both, null, parameters -> {
            parameters.setProtocols(new String[] {"TLSv1.2"});
            parameters.setCipherSuites(new String[] {"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"});
        }));
    }

    /**
     * The client supports only RSA. The certificate for the requested name has an EC key. The server must not send the RSA certificate of
     * another name, because the client would reject that certificate.
     */
    @Test
    void theHandshakeFailsIfTheClientDoesNotSupportTheKeyOfTheCertificate() throws Exception {
        ServerCertificates certificates =
                new TlsFiles(folder).with("rsa", BOTH_RSA).with("ec", FIRST).open();
        assertThrows(SSLHandshakeException.class, () -> served(certificates, "first.example", ONLY_RSA));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void certificatesWithEd25519KeysCanBeUsed(Protocol protocol) throws Exception {
        ServerCertificates certificates =
                new TlsFiles(folder).with("first", FIRST).with("ed", ED).open();
        assertEquals(ED.certificate(), served(certificates, "ed.example", of(protocol)));
    }

    @ParameterizedTest
    @EnumSource(Protocol.class)
    void certificatesWithRsaPssKeysCanBeUsed(Protocol protocol) throws Exception {
        Issued pss = Issued.authority("authority").issue("pss", Issued.pair("RSASSA-PSS", "2048"), "pss.example");
        ServerCertificates certificates =
                new TlsFiles(folder).with("first", FIRST).with("pss", pss).open();
        assertEquals(pss.certificate(), served(certificates, "pss.example", of(protocol)));
    }

    @Test
    void certificatesWithP384AndP521KeysCanBeUsed() throws Exception {
        Issued longer = Issued.self(Issued.pair("EC", "secp384r1"), "long.example");
        Issued longest = Issued.self(Issued.pair("EC", "secp521r1"), "longest.example");
        ServerCertificates certificates = new TlsFiles(folder)
                .with("longer", longer)
                .with("longest", longest)
                .open();
        for (Protocol protocol : Protocol.values()) {
            assertEquals(longer.certificate(), served(certificates, "long.example", of(protocol)));
            assertEquals(longest.certificate(), served(certificates, "longest.example", of(protocol)));
        }
    }

    /** The server calls {@code covers} to find out whether a request must get status 421 (RFC 9110 section 15.5.20). */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void aConnectionCoversOnlyHostsOfTheSentCertificate(Protocol protocol) throws Exception {
        ServerCertificates certificates = shops();
        Handshake shop = Handshake.of(certificates, Handshake.anyClient(), "other.shop.example", of(protocol));
        assertTrue(certificates.served(shop.server()).covers("other.shop.example"));
        assertTrue(certificates.served(shop.server()).covers("www.shop.example"));
        assertFalse(certificates.served(shop.server()).covers("first.example"));
    }

    /**
     * In a resumed session, the client still has the certificate of the first connection. So the server must accept only requests for
     * hosts that this certificate covers.
     */
    @ParameterizedTest
    @EnumSource(Protocol.class)
    void hostsOfAResumedSessionAreCheckedWithTheCertificateOfTheFirstConnection(Protocol protocol) throws Exception {
        ServerCertificates certificates = shops();
        SSLContext client = Handshake.anyClient();
        Handshake.of(certificates, client, "first.example", of(protocol));
        Handshake second = Handshake.of(certificates, client, "www.shop.example", of(protocol));
        boolean covered = second.served().equals(EXACT.certificate());
        assertEquals(covered, certificates.served(second.server()).covers("www.shop.example"));
        assertEquals(!covered, certificates.served(second.server()).covers("first.example"));
    }
}
