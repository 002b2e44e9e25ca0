package io.penstock.acme;

import io.penstock.testing.AnyCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Checks the proof of the challenge {@code tls-alpn-01} (RFC 8737). The check always connects to this machine. */
public final class TlsAlpnProof implements AcmeAuthority.Proof {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";

    private final IntSupplier port;

    public TlsAlpnProof(IntSupplier port) {
        this.port = port;
    }

    @Override
    public @Nullable String wrong(String host, String token, String keyAuthorization) {
        try (SSLSocket socket = connect(port.getAsInt(), host, "acme-tls/1")) {
            socket.startHandshake();
            if (!"acme-tls/1".equals(socket.getApplicationProtocol())) {
                return "unexpected protocol: " + socket.getApplicationProtocol();
            }
            X509Certificate got = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            if (!List.copyOf(got.getSubjectAlternativeNames()).equals(List.of(List.of(2, host)))) {
                return "unexpected names: " + got.getSubjectAlternativeNames();
            }
            byte[] value = got.getExtensionValue(ACME_IDENTIFIER);
            byte[] digest = AcmeAuthority.sha256(keyAuthorization);
            boolean right = got.getCriticalExtensionOIDs().contains(ACME_IDENTIFIER)
                    && value.length == 4 + digest.length
                    && Arrays.equals(Arrays.copyOfRange(value, 4, value.length), digest);
            return right ? null : "unexpected value of the ACME extension: " + Arrays.toString(value);
        } catch (IOException | GeneralSecurityException e) {
            return e.toString();
        }
    }

    /** Connects with a client that accepts every certificate. */
    public static SSLSocket connect(int port, String host, String... protocols) throws IOException {
        SSLSocket socket = (SSLSocket)
                AnyCertificate.trusting().getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.<SNIServerName>of(new SNIHostName(host)));
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
        return socket;
    }
}
