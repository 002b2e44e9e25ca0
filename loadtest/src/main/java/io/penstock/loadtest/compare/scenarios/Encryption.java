package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Configures one server and all its clients for a {@link Transport}, with or without TLS.
 *
 * <p>Thread: the thread that runs the scenario. Owns: the key of the server, if TLS is used.
 */
final class Encryption implements AutoCloseable {
    private final @Nullable TlsKey key;

    private Encryption(@Nullable TlsKey key) {
        this.key = key;
    }

    /** Creates an object for a transport. If the transport uses TLS, a new key is created. */
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
