package io.penstock.experiments.io.send;

import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A Penstock in a separate JVM. The JVM ends when this object is closed. */
final class OwnServer implements FileServer {
    private final PeersFolder peers;
    private @Nullable ServerProcess process;
    private String path = "";

    OwnServer(PeersFolder peers) {
        this.peers = peers;
    }

    @Override
    public String label() {
        return "Penstock, GET";
    }

    @Override
    public void start(Path root, Path file) throws IOException, InterruptedException {
        process = ServerProcess.start(Server.PENSTOCK, peers, JvmSettings.defaults(), ServerOptions.serving(root));
        path = "/" + root.relativize(file);
    }

    @Override
    public URI url() {
        return Objects.requireNonNull(process, "not started").uri(path);
    }

    @Override
    public void close() throws IOException {
        if (process != null) {
            process.close();
        }
    }
}
