package io.penstock.tls;

import io.penstock.exchange.ServerResources;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import java.nio.ByteBuffer;

/**
 * A {@link LinkLayer} that adds TLS to the connections of a listener. It uses the {@code SSLEngine} of the JDK.
 *
 * <p>Thread: the reactors.
 */
public final class TlsLayer implements LinkLayer {
    private final TlsEngines engines;
    private final TlsResources resources;
    private final ServerResources server;
    private final ByteBuffer toPlainText;

    /**
     * @param resources the buffers and threads for TLS, which all listeners of the server share
     * @param toPlainText the answer to a client that sends an HTTP request without TLS
     */
    public TlsLayer(TlsEngines engines, TlsResources resources, ServerResources server, ByteBuffer toPlainText) {
        this.engines = engines;
        this.resources = resources;
        this.server = server;
        this.toPlainText = toPlainText;
    }

    @Override
    public LinkHandler open(Link socket, Opening opening) {
        return new TlsLink(socket, opening, this);
    }

    TlsEngines engines() {
        return engines;
    }

    TlsBuffers buffers() {
        return resources.buffers();
    }

    WaitingHandshakes waiting() {
        return resources.waiting();
    }

    TlsTasks tasks() {
        return resources.tasks();
    }

    ServerResources server() {
        return server;
    }

    ByteBuffer toPlainText() {
        return toPlainText.duplicate();
    }
}
