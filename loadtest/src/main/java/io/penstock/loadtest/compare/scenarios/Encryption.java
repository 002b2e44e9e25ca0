package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one server and all its clients.
 *
 * <p>Thread: the one that runs the scenario. Owns: the key, if there is TLS.
 */
final class Encryption implements AutoCloseable {
    private final @Nullable TlsKey key;

    private Encryption(@Nullable TlsKey key) {
        this.key = key;
    }

    /** With a new key, if it needs one. */
    static Encryption of(Transport transport) throws IOException, InterruptedException {
        return new Encryption(transport == Transport.TLS ? TlsKey.create() : null);
    }

    ServerOptions server(ServerOptions options) {
        return key == null ? options : options.withTls(key);
    }

    ClientSettings client(ClientSettings settings) throws IOException {
        return key == null ? settings : settings.withTls(key.client());
    }

    @Override
    public void close() throws IOException {
        if (key != null) {
            key.close();
        }
    }
}
