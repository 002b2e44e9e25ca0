package io.penstock.loadtest.peers;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings of a server that are added to the settings of its constant in {@link Server}.
 *
 * @param root the folder whose subfolder {@code files/} the server serves; see {@link ContentFolder}
 * @param port the TCP port to listen on; with 0 the server takes a free port
 * @param workers the maximum number of threads that run servlets; with 0 the number of the {@link Server} constant is used
 * @param sendBuffer the size of the send buffer of the server's socket for each client, in bytes; with 0 the kernel chooses the size
 * @param keyStore the key store of a server with TLS; see {@link TlsKey}. Empty without TLS
 * @param http2 whether the server also speaks HTTP/2
 * @param own additional settings, with the server's own names: Penstock's settings, or attributes of Tomcat's connector; Jetty and Undertow
 *     support only the settings in {@link Server}
 */
public record ServerOptions(
        Path root,
        int port,
        int workers,
        int sendBuffer,
        Optional<Path> keyStore,
        boolean http2,
        Map<String, String> own) {
    public ServerOptions {
        own = Map.copyOf(own);
    }

    public static ServerOptions serving(Path root) {
        return new ServerOptions(root, 0, 0, 0, Optional.empty(), false, Map.of());
    }

    public ServerOptions withPort(int number) {
        return new ServerOptions(root, number, workers, sendBuffer, keyStore, http2, own);
    }

    public ServerOptions withWorkers(int threads) {
        return new ServerOptions(root, port, threads, sendBuffer, keyStore, http2, own);
    }

    public ServerOptions withSendBuffer(int bytes) {
        return new ServerOptions(root, port, workers, bytes, keyStore, http2, own);
    }

    /** Returns these options with one more setting, which has the server's own name. */
    public ServerOptions with(String name, String value) {
        Map<String, String> more = new TreeMap<>(own);
        more.put(name, value);
        return new ServerOptions(root, port, workers, sendBuffer, keyStore, http2, more);
    }

    /** Returns these options with TLS. The server then accepts only TLS connections. */
    public ServerOptions withTls(TlsKey key) {
        return new ServerOptions(root, port, workers, sendBuffer, Optional.of(key.file()), http2, own);
    }

    /** Returns these options with the WebSocket endpoints of the common content. */
    public ServerOptions withWebSocket() {
        return with("websocket", "on");
    }

    /** Returns these options with HTTP/2 beside HTTP/1.1. */
    public ServerOptions withHttp2() {
        return new ServerOptions(root, port, workers, sendBuffer, keyStore, true, own);
    }
}
