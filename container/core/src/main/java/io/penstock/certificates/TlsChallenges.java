package io.penstock.certificates;

import io.penstock.address.HostName;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The open challenges of a server ({@code tls-alpn-01}, RFC 8737). A certificate authority sends a challenge to check that the server
 * controls a host. The server answers in the TLS handshake. Each challenge has its own certificate in its own TLS context, so only the
 * authority gets this certificate. The TLS rules for other clients do not apply to the authority. For example, the authority needs no
 * client certificate.
 *
 * <p>Thread: any. {@link #put} needs some processor time to make a certificate. No method blocks.
 */
public final class TlsChallenges {
    /** The only application protocol (ALPN) of handshakes for challenges. */
    private static final String PROTOCOL = "acme-tls/1";

    private static final String[] VERSIONS = {"TLSv1.3", "TLSv1.2"};

    private final Map<String, SSLContext> contexts = new ConcurrentHashMap<>();

    /** Makes an object without open challenges. */
    public TlsChallenges() {}

    /**
     * Opens a challenge. From this call on the server answers the challenge.
     *
     * @param host the host name in lower case and ASCII
     * @param keyAuthorization the text of the answer. The certificate contains the digest of this text
     * @throws TlsSetupException if this Java cannot make the certificate
     */
    public void put(String host, String keyAuthorization) throws TlsSetupException {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(keyAuthorization.getBytes(StandardCharsets.US_ASCII));
            Identity identity =
                    SelfSigned.challenge(host, digest, InstantSource.system().instant());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new ServerKeys(List.of(identity))}, new TrustManager[0], null);
            contexts.put(host, context);
        } catch (GeneralSecurityException e) {
            throw TlsSetupException.of(host, "its challenge cannot be answered: " + e.getMessage(), e);
        }
    }

    /** Closes the challenge of a host. The call has no effect if the host has no challenge. */
    public void remove(String host) {
        contexts.remove(host);
    }

    /** Whether no challenge is open. */
    public boolean isEmpty() {
        return contexts.isEmpty();
    }

    /**
     * Makes an engine in server mode for a client that checks the challenge of a host. Returns null if the host has no challenge.
     *
     * @param host the host name that the client has sent
     */
    public @Nullable SSLEngine engine(String host) {
        SSLContext context = contexts.get(HostName.canonical(host));
        if (context == null) {
            return null;
        }
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(VERSIONS);
        parameters.setApplicationProtocols(new String[] {PROTOCOL});
        engine.setSSLParameters(parameters);
        return engine;
    }
}
