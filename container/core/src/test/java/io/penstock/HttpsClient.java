package io.penstock;

import io.penstock.certificates.AnyCertificate;
import io.penstock.certificates.Issued;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** A client with one TLS connection. The client trusts every certificate, and can send any host name in its handshake. */
final class HttpsClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;
    private static final char[] PASSWORD = {'x'};

    private final SSLSocket socket;

    /** @param name the host name for SNI; null for none */
    HttpsClient(int port, @Nullable String name) throws Exception {
        this(context(), port, name, "TLSv1.3");
    }

    /** @param context the context that stores the TLS sessions */
    HttpsClient(SSLContext context, int port, @Nullable String name, String version) throws IOException {
        this(context, new Socket("127.0.0.1", port), name, version);
    }

    /** @param plain a socket that is connected to the server */
    HttpsClient(SSLContext context, Socket plain, @Nullable String name, String version) throws IOException {
        socket = (SSLSocket) context.getSocketFactory().createSocket(plain, "127.0.0.1", plain.getPort(), true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(name == null ? List.of() : List.<SNIServerName>of(new SNIHostName(name)));
        parameters.setProtocols(new String[] {version});
        socket.setSSLParameters(parameters);
    }

    static SSLContext context() throws GeneralSecurityException {
        return context((KeyManager[]) null);
    }

    /** Returns the TLS context of a client that has a certificate. */
    static SSLContext context(Issued own) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("own", own.keys().getPrivate(), PASSWORD, new X509Certificate[] {own.certificate()});
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, PASSWORD);
        return context(factory.getKeyManagers());
    }

    private static SSLContext context(KeyManager @Nullable [] keys) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, new TrustManager[] {new AnyCertificate()}, null);
        return context;
    }

    SSLSocket socket() {
        return socket;
    }

    /** Sends a request and returns the response. If the response has no field {@code Content-Length}, the client reads no body. */
    RawExchange send(String request) throws IOException {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("the server closed the connection after: " + head);
            }
            head.append((char) next);
        }
        List<String> length = new RawExchange(head.toString()).values("Content-Length");
        byte[] body = socket.getInputStream().readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length.get(0)));
        return new RawExchange(head + new String(body, StandardCharsets.ISO_8859_1));
    }

    /** Sends a GET request for a path of a host. */
    RawExchange get(String host, String path) throws IOException {
        return send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
