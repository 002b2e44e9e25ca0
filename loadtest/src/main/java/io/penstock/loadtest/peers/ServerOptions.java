package io.penstock.loadtest.peers;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Settings of a server in addition to its row in {@link Server}.
 *
 * @param root the folder whose {@code files/} it serves; see {@link ContentFolder}
 * @param port TCP port to listen on; 0 takes a free one
 * @param workers most threads that run servlets; 0 leaves it to the server's row
 * @param sendBuffer bytes of the send buffer of each client's socket on the server's side; 0 leaves it to the kernel
 * @param keyStore of a server with TLS; see {@link TlsKey}
 * @param own settings by the server's own names: Penstock's keys, attributes of Tomcat's connector; Jetty and Undertow know only
 *     the settings of their rows
 */
public record ServerOptions(
        Path root, int port, int workers, int sendBuffer, Optional<Path> keyStore, Map<String, String> own) {
    public ServerOptions {
        own = Map.copyOf(own);
    }

    public static ServerOptions serving(Path root) {
        return new ServerOptions(root, 0, 0, 0, Optional.empty(), Map.of());
    }

    public ServerOptions withPort(int number) {
        return new ServerOptions(root, number, workers, sendBuffer, keyStore, own);
    }

    public ServerOptions withWorkers(int threads) {
        return new ServerOptions(root, port, threads, sendBuffer, keyStore, own);
    }

    public ServerOptions withSendBuffer(int bytes) {
        return new ServerOptions(root, port, workers, bytes, keyStore, own);
    }

    /** One more setting of the server's own. */
    public ServerOptions with(String name, String value) {
        Map<String, String> more = new TreeMap<>(own);
        more.put(name, value);
        return new ServerOptions(root, port, workers, sendBuffer, keyStore, more);
    }

    /** With TLS only. */
    public ServerOptions withTls(TlsKey key) {
        return new ServerOptions(root, port, workers, sendBuffer, Optional.of(key.file()), own);
    }
}
