package io.penstock.proxy;

import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkLayer;
import io.penstock.reactor.PreludeLink;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * A link that reports the addresses of a proxy's client. First it reads the header. Then the layer above opens.
 *
 * <p>Thread: the reactor. For the exceptions see {@link Link}.
 */
final class ProxyLink extends PreludeLink {
    private final LinkLayer.Opening opening;
    private final ProxyLayer layer;
    private final HeaderReader header = new HeaderReader();
    private SocketAddress remote;
    private SocketAddress local;

    ProxyLink(Link socket, LinkLayer.Opening opening, ProxyLayer layer) {
        super(socket, opening);
        this.opening = opening;
        this.layer = layer;
        this.remote = socket.remote();
        this.local = socket.local();
    }

    @Override
    protected boolean isInside() {
        return header.isInside();
    }

    @Override
    protected String name() {
        return "PROXY header";
    }

    @Override
    protected void prelude(ByteBuffer bytes) throws IOException {
        ProxyHeader complete;
        try {
            complete = header.read(bytes);
        } catch (ProxyHeader.Malformed e) {
            throw layer.refused(String.valueOf(e.getMessage()));
        }
        if (complete != null) {
            begin(complete, bytes);
        }
    }

    /** Called when the header is complete. Opens the layer above on this link, which now has the addresses of the header. */
    private void begin(ProxyHeader complete, ByteBuffer behind) throws IOException {
        SocketAddress source = complete.source();
        SocketAddress destination = complete.destination();
        if (source != null) {
            remote = source;
        }
        if (destination != null) {
            local = destination;
        }
        begin(behind, () -> {
            opening.awaits(Key.HANDSHAKE_TIMEOUT);
            return layer.upper().open(this, opening);
        });
    }

    // ---- the addresses of the client

    @Override
    public SocketAddress remote() {
        return remote;
    }

    @Override
    public SocketAddress local() {
        return local;
    }
}
