package io.penstock.acme;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.util.List;

/**
 * Makes a request to sign a certificate for given hosts (PKCS#10, RFC 2986). The request has no subject, because the authority sets the
 * subject. The JDK has no public API for such requests. A library for this purpose has a size of 10 MB, so this class writes the DER bytes.
 */
final class SigningRequest {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    /** The tag {@code [0]}: the attributes of a request. */
    private static final int ATTRIBUTES = 0xA0;

    /** The tag {@code [2]}: a DNS name (RFC 5280 section 4.2.1.6). */
    private static final int DNS_NAME = 0x82;

    /** The object identifier 1.2.840.113549.1.9.14, extensionRequest (RFC 2985 section 5.4.2), in DER. */
    private static final byte[] EXTENSION_REQUEST = {
        6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 13, 1, 9, 14
    };

    /** The object identifier 2.5.29.17, subjectAltName, in DER. */
    private static final byte[] SUBJECT_ALTERNATIVE_NAME = {6, 3, 0x55, 0x1D, 17};

    /** The object identifier 1.2.840.10045.4.3.2, ecdsa-with-SHA256, in DER. */
    private static final byte[] ECDSA_WITH_SHA256 = {6, 8, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 4, 3, 2};

    private SigningRequest() {}

    /**
     * Returns the signed request in DER.
     *
     * @param keys a key pair on an elliptic curve
     * @param hosts the host names in ASCII
     */
    static byte[] of(KeyPair keys, List<String> hosts) throws GeneralSecurityException {
        byte[] names =
                value(SEQUENCE, hosts.stream().map(SigningRequest::dnsName).toArray(byte[][]::new));
        byte[] extension = value(SEQUENCE, SUBJECT_ALTERNATIVE_NAME, value(OCTET_STRING, names));
        byte[] attribute = value(SEQUENCE, EXTENSION_REQUEST, value(SET, value(SEQUENCE, extension)));
        byte[] content = value(
                SEQUENCE,
                value(INTEGER, new byte[] {0}), // version 1
                value(SEQUENCE), // no subject
                keys.getPublic().getEncoded(),
                value(ATTRIBUTES, attribute));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(keys.getPrivate());
        signature.update(content);
        return value(
                SEQUENCE,
                content,
                value(SEQUENCE, ECDSA_WITH_SHA256),
                value(BIT_STRING, new byte[] {0}, signature.sign()));
    }

    private static byte[] dnsName(String host) {
        return value(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] value(int tag, byte[]... contents) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : contents) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length >= 0x80) {
            int bytes = length > 0xFFFF ? 3 : length > 0xFF ? 2 : 1;
            all.write(0x80 | bytes);
            for (int shift = 8 * (bytes - 1); shift > 0; shift -= 8) {
                all.write(length >>> shift);
            }
        }
        all.write(length);
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }
}
