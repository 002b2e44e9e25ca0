package io.penstock.tls;

import io.penstock.exchange.ServerResources;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import java.nio.ByteBuffer;

/**
 * TLS between the sockets of a listener and its conversations, with the JDK's engine.
 *
 * <p>Thread: the reactors.
 */
public final class TlsLayer implements LinkLayer {
    private final TlsEngines engines;
    private final TlsResources resources;
    private final ServerResources server;
    private final ByteBuffer toPlainText;

    /**
     * @param resources of the server, shared by all its listeners with TLS
     * @param toPlainText the answer to a client that sends a request without TLS: its first byte is a capital letter
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
