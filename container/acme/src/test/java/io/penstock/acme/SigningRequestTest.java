package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.KeyPair;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The library Bouncy Castle must be able to read each signing request (RFC 2986). The largest request contains 3000 host names, so its
 * length fields have up to four bytes.
 */
class SigningRequestTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 100, 3000})
    void bouncyCastleReadsEachSigningRequest(int count) throws Exception {
        List<String> hosts = IntStream.range(0, count)
                .mapToObj(i -> "host-number-" + i + ".example.org")
                .toList();
        KeyPair keys = KeptFiles.newKeys();
        byte[] made = SigningRequest.of(keys, hosts);
        PKCS10CertificationRequest read = new PKCS10CertificationRequest(made);
        assertArrayEquals(made, read.toASN1Structure().getEncoded("DER"));
        assertArrayEquals(
                keys.getPublic().getEncoded(), read.getSubjectPublicKeyInfo().getEncoded());
        assertTrue(read.isSignatureValid(new JcaContentVerifierProviderBuilder().build(keys.getPublic())));
        assertEquals(0, read.getSubject().getRDNs().length);
        Extensions extensions =
                Extensions.getInstance(read.getAttributes(PKCSObjectIdentifiers.pkcs_9_at_extensionRequest)[0]
                        .getAttrValues()
                        .getObjectAt(0));
        assertEquals(
                hosts,
                Stream.of(GeneralNames.fromExtensions(extensions, Extension.subjectAlternativeName)
                                .getNames())
                        .map(name -> name.getName().toString())
                        .toList());
    }
}
