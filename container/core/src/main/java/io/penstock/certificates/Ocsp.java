package io.penstock.certificates;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The question to an OCSP responder for the status of one certificate (RFC 6960).
 *
 * <p>Thread: any; this class is immutable. {@link #ask} waits for the responder.
 */
final class Ocsp {
    /** The content type of questions (RFC 6960 appendix A.1). */
    private static final String QUESTION = "application/ocsp-request";

    private static final String AUTHORITY_INFORMATION_ACCESS = "1.3.6.1.5.5.7.1.1";
    private static final byte[] OCSP = Der.objectIdentifier("1.3.6.1.5.5.7.48.1");
    private static final byte[] SHA_1 = Der.sequence(Der.objectIdentifier("1.3.14.3.2.26"), new byte[] {5, 0});

    private static final int ENUMERATED = 0x0A;
    private static final int CONTEXT_0 = 0xA0;
    private static final int CONTEXT_1 = 0xA1;
    private static final int URI_NAME = 0x86;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT);

    /** The longest wait for a connection, and for the next bytes. */
    private static final int PATIENCE_MILLIS = 10_000;

    /** The time after which no further bytes of an answer are read. */
    private static final long WHOLE_SECONDS = 30;

    private static final int MOST = 64 << 10;

    private final X509Certificate certificate;
    private final X509Certificate issuer;
    private final URI responder;
    private final Id id;
    private final byte[] question;

    /** Identifies a certificate in questions and answers. The hash (SHA-1) is that of the issuer's public key. */
    record Id(ByteBuffer issuerKey, BigInteger serial) {}

    private Ocsp(X509Certificate certificate, X509Certificate issuer, URI responder) throws GeneralSecurityException {
        this.certificate = certificate;
        this.issuer = issuer;
        this.responder = responder;
        byte[] name = sha1(issuer.getSubjectX500Principal().getEncoded());
        byte[] key = sha1(keyBits(issuer));
        this.id = new Id(ByteBuffer.wrap(key), certificate.getSerialNumber());
        byte[] identifier =
                Der.sequence(SHA_1, Der.octets(name), Der.octets(key), Der.integer(certificate.getSerialNumber()));
        this.question = Der.sequence(Der.sequence(Der.sequence(Der.sequence(identifier))));
    }

    /**
     * Makes the question for a certificate. Returns null if the certificate names no responder.
     *
     * @throws IllegalArgumentException if the certificate cannot be read, or the name of its responder is no URI
     */
    static @Nullable Ocsp of(X509Certificate certificate, X509Certificate issuer) throws GeneralSecurityException {
        URI responder = responder(certificate);
        return responder == null ? null : new Ocsp(certificate, issuer, responder);
    }

    /** Returns the address of the OCSP responder (RFC 5280 section 4.2.2.1). Returns null if the certificate names none. */
    private static @Nullable URI responder(X509Certificate certificate) {
        byte[] extension = certificate.getExtensionValue(AUTHORITY_INFORMATION_ACCESS);
        if (extension == null) {
            return null;
        }
        byte[] access = new DerReader(extension).content(Der.OCTET_STRING);
        DerReader descriptions = new DerReader(new DerReader(access).content(Der.SEQUENCE));
        while (descriptions.hasMore()) {
            DerReader description = new DerReader(descriptions.content(Der.SEQUENCE));
            if (MessageDigest.isEqual(description.value(), OCSP) && description.isNext(URI_NAME)) {
                String text = new String(description.content(URI_NAME), StandardCharsets.US_ASCII);
                if (text.startsWith("http:") || text.startsWith("https:")) {
                    return URI.create(text);
                }
            }
        }
        return null;
    }

    private static byte[] keyBits(X509Certificate issuer) {
        DerReader info = new DerReader(new DerReader(issuer.getPublicKey().getEncoded()).content(Der.SEQUENCE));
        info.value(); // the algorithm
        byte[] bits = info.content(Der.BIT_STRING);
        byte[] key = new byte[bits.length - 1]; // without the number of unused bits
        System.arraycopy(bits, 1, key, 0, key.length);
        return key;
    }

    private static byte[] sha1(byte[] bytes) throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-1").digest(bytes);
    }

    Id id() {
        return id;
    }

    URI responder() {
        return responder;
    }

    /**
     * Returns the certificate for which a question asks. A question for several certificates counts as one for the first of them.
     *
     * @throws IllegalArgumentException if the bytes are no question
     */
    static Id idOf(byte[] question) {
        DerReader content =
                new DerReader(new DerReader(new DerReader(question).content(Der.SEQUENCE)).content(Der.SEQUENCE));
        while (content.isNext(CONTEXT_0) || content.isNext(CONTEXT_1)) {
            content.value(); // the version, and the name of the client
        }
        DerReader list = new DerReader(content.content(Der.SEQUENCE));
        return id(new DerReader(new DerReader(list.content(Der.SEQUENCE)).content(Der.SEQUENCE)));
    }

    private static Id id(DerReader identifier) {
        identifier.value(); // the algorithm of the hashes
        identifier.value(); // the hash of the issuer's name
        byte[] key = identifier.content(Der.OCTET_STRING);
        return new Id(ByteBuffer.wrap(key), new BigInteger(identifier.content(Der.INTEGER)));
    }

    /**
     * The responder's statement that a certificate is not revoked.
     *
     * @param bytes the answer of the responder; no one changes the array
     * @param until the time at which the responder has a newer answer, at the latest; null if the answer does not say
     */
    record Answer(ByteBuffer bytes, @Nullable Instant until) {}

    /**
     * Asks the responder. Checks the signature of the answer, its time, and that the certificate is not revoked.
     *
     * @throws IOException if no answer comes in time, or the responder has none
     * @throws GeneralSecurityException if the certificate is revoked, or clients would not accept the answer
     */
    Answer ask() throws IOException, GeneralSecurityException {
        byte[] bytes = exchange();
        Instant until;
        try {
            until = until(bytes);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw new IOException("the answer cannot be read: " + e.getMessage(), e);
        }
        check(bytes);
        return new Answer(ByteBuffer.wrap(bytes), until);
    }

    private byte[] exchange() throws IOException {
        long begin = System.nanoTime();
        if (!(responder.toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("the responder has no address of HTTP");
        }
        try {
            connection.setConnectTimeout(PATIENCE_MILLIS);
            connection.setReadTimeout(PATIENCE_MILLIS);
            connection.setUseCaches(false);
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", QUESTION);
            try (OutputStream out = connection.getOutputStream()) {
                out.write(question);
            }
            if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
                throw new IOException("the responder answers with status " + connection.getResponseCode());
            }
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try (InputStream in = connection.getInputStream()) {
                byte[] part = new byte[4096];
                for (int length = in.read(part); length >= 0; length = in.read(part)) {
                    answer.write(part, 0, length);
                    if (answer.size() > MOST) {
                        throw new IOException("the answer is larger than " + MOST + " bytes");
                    }
                    if (System.nanoTime() - begin > TimeUnit.SECONDS.toNanos(WHOLE_SECONDS)) {
                        throw new IOException("the answer is not complete after " + WHOLE_SECONDS + " s");
                    }
                }
            }
            return answer.toByteArray();
        } finally {
            connection.disconnect();
        }
    }

    /** Returns {@code nextUpdate} of the status of this certificate (RFC 6960 section 4.2.1); null if the answer has none. */
    private @Nullable Instant until(byte[] answer) throws IOException {
        DerReader response = new DerReader(new DerReader(answer).content(Der.SEQUENCE));
        int status = new BigInteger(response.content(ENUMERATED)).intValue();
        if (status != 0) {
            throw new IOException("the responder refuses: " + refusal(status));
        }
        DerReader bytes = new DerReader(new DerReader(response.content(CONTEXT_0)).content(Der.SEQUENCE));
        bytes.value(); // the type of the answer
        DerReader basic = new DerReader(new DerReader(bytes.content(Der.OCTET_STRING)).content(Der.SEQUENCE));
        DerReader data = new DerReader(basic.content(Der.SEQUENCE));
        if (data.isNext(CONTEXT_0)) {
            data.value(); // the version
        }
        data.value(); // the responder
        data.value(); // the time of the answer
        DerReader all = new DerReader(data.content(Der.SEQUENCE));
        while (all.hasMore()) {
            DerReader one = new DerReader(all.content(Der.SEQUENCE));
            if (id(new DerReader(one.content(Der.SEQUENCE))).equals(id)) {
                one.value(); // the status
                one.value(); // the time since which the status is known
                return one.isNext(CONTEXT_0)
                        ? time(new DerReader(one.content(CONTEXT_0)).content(Der.GENERALIZED_TIME))
                        : null;
            }
        }
        throw new IOException("the answer is for another certificate");
    }

    private static Instant time(byte[] digits) {
        return LocalDateTime.parse(new String(digits, StandardCharsets.US_ASCII), TIME)
                .toInstant(ZoneOffset.UTC);
    }

    private static String refusal(int status) {
        return switch (status) {
            case 1 -> "the question is malformed";
            case 2 -> "an internal error";
            case 3 -> "try later";
            case 5 -> "the question must be signed";
            case 6 -> "it is not responsible for this certificate";
            default -> "status " + status;
        };
    }

    private void check(byte[] answer) throws GeneralSecurityException {
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
        // The checker does not ask a responder for a certificate whose answer it has.
        checker.setOcspResponses(Map.of(certificate, answer));
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
        parameters.addCertPathChecker(checker);
        validator.validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), parameters);
    }

    /** For messages: the owner of the certificate. */
    @Override
    public String toString() {
        return certificate.getSubjectX500Principal().toString();
    }
}
