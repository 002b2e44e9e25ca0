package io.penstock.certificates;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The TLS sessions of a client and a server after a handshake in memory. After the handshake, the server sends one byte of data. A client
 * with TLS 1.3 has received its session tickets when it has read this byte.
 *
 * @param client the session of the client
 * @param server the session of the server
 */
record Handshake(SSLSession client, SSLSession server) {
    private static final int ROUNDS = 100;
    private static final int BUFFER = 1 << 16;

    /** Makes the context of a client that trusts all certificates. */
    static SSLContext anyClient() {
        return anyClient(null);
    }

    /** @param own the certificate of the client; null if the client has none */
    static SSLContext anyClient(@Nullable Issued own) {
        try {
            KeyManager[] managers = new KeyManager[0];
            if (own != null) {
                KeyStore store = KeyStore.getInstance("PKCS12");
                store.load(null, null);
                store.setKeyEntry(
                        "own", own.keys().getPrivate(), new char[] {'x'}, new X509Certificate[] {own.certificate()});
                KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
                factory.init(store, new char[] {'x'});
                managers = factory.getKeyManagers();
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(managers, new TrustManager[] {new AnyCertificate()}, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Makes a handshake. The client sends the server name {@code server}, or no name if {@code server} is null. */
    static Handshake of(ServerCertificates certificates, @Nullable String server) throws SSLException {
        return of(certificates, anyClient(), server, parameters -> {});
    }

    static Handshake of(
            ServerCertificates certificates,
            SSLContext context,
            @Nullable String server,
            Consumer<SSLParameters> ofClient)
            throws SSLException {
        SSLEngine client = context.createSSLEngine("peer", 443);
        client.setUseClientMode(true);
        SSLParameters parameters = client.getSSLParameters();
        parameters.setServerNames(server == null ? List.of() : List.of(new SNIHostName(server)));
        ofClient.accept(parameters);
        client.setSSLParameters(parameters);
        return of(certificates.engine(null), client);
    }

    static Handshake of(SSLEngine server, SSLEngine client) throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        ByteBuffer toServer = ByteBuffer.allocate(BUFFER);
        ByteBuffer toClient = ByteBuffer.allocate(BUFFER);
        ByteBuffer received = ByteBuffer.allocate(BUFFER);
        ByteBuffer last = ByteBuffer.wrap(new byte[] {'!'});
        for (int round = 0; round < ROUNDS && received.position() == 0; round++) {
            move(client, ByteBuffer.allocate(0), toServer, received, toClient);
            move(server, last, toClient, ByteBuffer.allocate(BUFFER), toServer);
        }
        if (received.position() != 1) {
            throw new SSLException("the handshake has not finished");
        }
        return new Handshake(client.getSession(), server.getSession());
    }

    /** Runs {@code engine} until it needs more bytes. The engine reads from {@code in} and writes to {@code out}. */
    private static void move(SSLEngine engine, ByteBuffer source, ByteBuffer out, ByteBuffer received, ByteBuffer in)
            throws SSLException {
        SSLEngineResult.Status status = SSLEngineResult.Status.OK;
        while (status == SSLEngineResult.Status.OK) {
            work(engine);
            switch (engine.getHandshakeStatus()) {
                case NEED_WRAP -> status = engine.wrap(source, out).getStatus();
                case NOT_HANDSHAKING, FINISHED -> {
                    if (source.hasRemaining()) {
                        status = engine.wrap(source, out).getStatus();
                    } else {
                        status = unwrap(engine, received, in);
                    }
                }
                default -> status = unwrap(engine, received, in);
            }
        }
    }

    private static SSLEngineResult.Status unwrap(SSLEngine engine, ByteBuffer received, ByteBuffer in)
            throws SSLException {
        in.flip();
        try {
            return in.hasRemaining()
                    ? engine.unwrap(in, received).getStatus()
                    : SSLEngineResult.Status.BUFFER_UNDERFLOW;
        } finally {
            in.compact();
        }
    }

    private static void work(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** The certificate that the client has received. */
    X509Certificate served() {
        try {
            return (X509Certificate) client.getPeerCertificates()[0];
        } catch (SSLPeerUnverifiedException e) {
            throw new IllegalStateException(e);
        }
    }
}
