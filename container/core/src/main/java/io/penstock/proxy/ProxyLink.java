package io.penstock.proxy;

import io.penstock.events.CloseCause;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.ForwardingLink;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A link that reports the addresses of a proxy's client. It lies over the link of the socket, and handles the events of the socket's link.
 * First it reads the header. Then the layer above opens, and this link passes all events to the layer above.
 *
 * <p>Thread: the reactor. For the exceptions see {@link Link}. Owns the bytes that have arrived behind the header, until these bytes are
 * read. There are at most {@link #AT_ONCE} such bytes.
 */
final class ProxyLink extends ForwardingLink implements LinkHandler {
    /**
     * The highest number of bytes of one read before the header is complete. Usually the first read gets the header and the first request,
     * or the header and the beginning of a handshake.
     */
    private static final int AT_ONCE = 1024;

    private final LinkLayer.Opening opening;
    private final ProxyLayer layer;

    // Before the header is complete, the connection that is opening. Afterwards, the handler of the layer above.
    private LinkHandler handler;

    private @Nullable HeaderReader header = new HeaderReader(); // null after the header is complete
    private SocketAddress remote;
    private SocketAddress local;

    private @Nullable ByteBuffer unread; // bytes that arrived with the header
    private boolean wantsReadable = true;
    private boolean readsAgain; // whether the handler has called readAgain()
    private boolean opens; // true while the layer above opens
    private @Nullable ConnectionClosed closedMeanwhile;

    ProxyLink(Link socket, LinkLayer.Opening opening, ProxyLayer layer) {
        super(socket);
        this.opening = opening;
        this.layer = layer;
        this.handler = opening;
        this.remote = socket.remote();
        this.local = socket.local();
    }

    // ---- events of the socket

    @Override
    public LinkHandler conversation() {
        return handler.conversation();
    }

    @Override
    public void onReadable() throws IOException {
        HeaderReader reader = header;
        if (reader != null) {
            readHeader(reader);
            return;
        }
        boolean asked = readsAgain;
        readsAgain = false;
        if (wantsReadable || asked) {
            handler.onReadable();
        }
    }

    private void readHeader(HeaderReader reader) throws IOException {
        ByteBuffer buffer = lower().reactor().readBuffer();
        buffer.limit(Math.min(AT_ONCE, buffer.limit()));
        if (readSocket(buffer) < 0) {
            throw new ConnectionClosed(
                    CloseCause.CLIENT_CLOSED,
                    reader.isInside() ? "within the PROXY header" : "before the PROXY header");
        }
        ProxyHeader complete;
        try {
            complete = reader.read(buffer.flip());
        } catch (ProxyHeader.Malformed e) {
            throw layer.refused(String.valueOf(e.getMessage()));
        }
        if (complete != null) {
            begin(complete, buffer);
        }
    }

    private int readSocket(ByteBuffer buffer) throws IOException {
        try {
            return lower().read(buffer);
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
    }

    /** Called when the header is complete. Opens the layer above on this link, which now has the addresses of the header. */
    private void begin(ProxyHeader complete, ByteBuffer behind) throws IOException {
        header = null;
        SocketAddress source = complete.source();
        SocketAddress destination = complete.destination();
        if (source != null && destination != null) {
            remote = source;
            local = destination;
        }
        if (behind.hasRemaining()) {
            unread = ByteBuffer.allocate(behind.remaining()).put(behind).flip();
        }
        opening.awaits(Key.HANDSHAKE_TIMEOUT);
        opens = true;
        try {
            handler = layer.upper().open(this, opening);
        } finally {
            opens = false;
            ConnectionClosed cause = closedMeanwhile;
            if (cause != null) {
                handler.onClosed(cause);
            }
        }
        if (isOpen() && wantsReadable) {
            handler.onReadable(); // often the first bytes have already arrived
        }
    }

    @Override
    public void onWritable() throws IOException {
        handler.onWritable();
    }

    @Override
    public void onSignals(int bits) throws IOException {
        handler.onSignals(bits);
    }

    /** While the layer above opens, its handler is not known. If the link closes at this time, the handler gets the event afterwards. */
    @Override
    public void onClosed(ConnectionClosed cause) {
        unread = null;
        if (opens) {
            closedMeanwhile = cause;
        } else {
            handler.onClosed(cause);
        }
    }

    // ---- reading

    @Override
    public int read(ByteBuffer target) throws IOException {
        ByteBuffer kept = unread;
        return kept == null ? lower().read(target) : take(kept, target);
    }

    @Override
    public long read(ByteBuffer[] targets, int count) throws IOException {
        ByteBuffer kept = unread;
        if (kept == null) {
            return lower().read(targets, count);
        }
        long taken = 0;
        for (int i = 0; i < count && kept.hasRemaining(); i++) {
            taken += take(kept, targets[i]);
        }
        return taken;
    }

    private int take(ByteBuffer kept, ByteBuffer target) {
        int count = Math.min(kept.remaining(), target.remaining());
        target.put(kept.slice(kept.position(), count));
        kept.position(kept.position() + count);
        if (!kept.hasRemaining()) {
            unread = null;
        } else if (wantsReadable) {
            lower().readAgain();
        }
        return count;
    }

    @Override
    public void wantReadable(boolean wanted) {
        wantsReadable = wanted;
        lower().wantReadable(wanted);
        if (wanted && unread != null) {
            lower().readAgain();
        }
    }

    @Override
    public void readAgain() {
        readsAgain = true;
        lower().readAgain();
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
