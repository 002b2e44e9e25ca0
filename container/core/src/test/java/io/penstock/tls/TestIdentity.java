package io.penstock.tls;

import java.io.IOException;
import java.io.InputStream;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * TLS certificates for tests: one certificate of a server and one certificate of a client. Both certificates are self-signed. The server
 * trusts the certificate of the client, and the client trusts the certificate of the server.
 */
public final class TestIdentity {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private TestIdentity() {}

    /** Creates the TLS engines of a server. Different servers do not share TLS sessions. */
    public static TlsEngines engines() {
        return engines(parameters -> {});
    }

    /**
     * Creates the TLS engines of a server.
     *
     * @param rules a function that changes the default parameters of an engine
     */
    public static TlsEngines engines(Consumer<SSLParameters> rules) {
        SSLContext context = context("server", "client");
        return serverName -> {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(false);
            SSLParameters parameters = engine.getSSLParameters();
            rules.accept(parameters);
            engine.setSSLParameters(parameters);
            return engine;
        };
    }

    /** Creates the TLS context of a client with a certificate. */
    public static SSLContext client() {
        return context("client", "server");
    }

    /** Creates the TLS context of a client without a certificate. */
    public static SSLContext anonymousClient() {
        return context(null, "server");
    }

    private static SSLContext context(String own, String other) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(own == null ? new KeyManager[0] : keys(own), trust(other), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new AssertionError(e);
        }
    }

    private static KeyManager[] keys(String name) throws GeneralSecurityException, IOException {
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store(name), PASSWORD);
        return factory.getKeyManagers();
    }

    private static TrustManager[] trust(String name) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(name, store(name).getCertificate(name));
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(trusted);
        return factory.getTrustManagers();
    }

    private static KeyStore store(String name) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = TestIdentity.class.getResourceAsStream("/tls/" + name + ".p12")) {
            store.load(Objects.requireNonNull(in), PASSWORD);
        }
        return store;
    }
}
