package io.penstock.experiments.io.send;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server that the user has started. Its document root is the directory of the option {@code --dir}. */
final class RunningServer implements FileServer {
    private final URI base;
    private @Nullable URI url;

    /**
     * Creates an object for the server at the given address.
     *
     * @throws IllegalArgumentException if the URL does not start with {@code http}, or has no host
     */
    RunningServer(URI base) {
        if (!"http".equals(base.getScheme()) || base.getHost() == null) {
            throw new IllegalArgumentException("--server must be a URL such as http://127.0.0.1:8080/, not " + base);
        }
        String text = base.toString();
        this.base = text.endsWith("/") ? base : URI.create(text + "/");
    }

    @Override
    public String label() {
        return "the server at " + base.getRawAuthority();
    }

    @Override
    public void start(Path root, Path file) {
        Path documentRoot = Objects.requireNonNull(root.getParent());
        url = base.resolve(documentRoot.relativize(file).toString());
    }

    @Override
    public URI url() {
        return Objects.requireNonNull(url, "not started");
    }

    @Override
    public void close() {
        // The user has started the server, so it is not stopped.
        url = null;
    }
}
