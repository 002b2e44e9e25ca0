package io.penstock.reactor;

import io.penstock.events.CloseCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A link whose first bytes decide what lies above it: the header of a proxy, or the preface of a protocol. It lies over the link of the
 * socket, and handles the events of the socket's link. When the first bytes have arrived, it opens what lies above, and passes all events
 * to it. Bytes that have been read too early are read again from here.
 *
 * <p>Thread: the reactor. For the exceptions see {@link Link}. Owns the bytes to read again, until they are read. There are at most {@link
 * #AT_ONCE} such bytes.
 */
public abstract class PreludeLink extends ForwardingLink implements LinkHandler {
    /**
     * The highest number of bytes of one read before the prelude is complete. Usually the first read gets the prelude and the first request,
     * or the prelude and the beginning of a handshake.
     */
    private static final int AT_ONCE = 1024;

    // Before the prelude is complete, the connection that is opening. Afterwards, the handler of what lies above.
    private LinkHandler handler;

    private boolean inPrelude = true;
    private @Nullable ByteBuffer unread;
    private boolean wantsReadable = true;
    private boolean readsAgain; // whether the handler has called readAgain()
    private boolean opens; // true while the layer above opens
    private @Nullable ConnectionClosed closedMeanwhile;

    protected PreludeLink(Link socket, LinkLayer.Opening opening) {
        super(socket);
        this.handler = opening;
    }

    /** Takes bytes of the prelude. Calls {@link #begin} when it is complete. */
    protected abstract void prelude(ByteBuffer bytes) throws IOException;

    /** Whether a part of the prelude has arrived. */
    protected abstract boolean isInside();

    /** The name of the prelude, for the log. */
    protected abstract String name();

    /** Opens what lies above this link. */
    protected interface Upper {
        LinkHandler open() throws IOException;
    }

    // ---- events of the socket

    @Override
    public final LinkHandler conversation() {
        return handler.conversation();
    }

    @Override
    public final void onReadable() throws IOException {
        if (inPrelude) {
            readPrelude();
            return;
        }
        boolean asked = readsAgain;
        readsAgain = false;
        if (wantsReadable || asked) {
            handler.onReadable();
        }
    }

    private void readPrelude() throws IOException {
        ByteBuffer buffer = lower().reactor().readBuffer();
        buffer.limit(Math.min(AT_ONCE, buffer.limit()));
        if (readSocket(buffer) < 0) {
            throw new ConnectionClosed(CloseCause.CLIENT_CLOSED, (isInside() ? "within the " : "before the ") + name());
        }
        prelude(buffer.flip());
    }

    private int readSocket(ByteBuffer buffer) throws IOException {
        try {
            return lower().read(buffer);
        } catch (IOException e) {
            throw ConnectionClosed.of(e);
        }
    }

    /**
     * Called when the prelude is complete.
     *
     * @param behind the bytes that what lies above this link reads first
     */
    protected final void begin(ByteBuffer behind, Upper upper) throws IOException {
        inPrelude = false;
        if (behind.hasRemaining()) {
            unread = ByteBuffer.allocate(behind.remaining()).put(behind).flip();
        }
        opens = true;
        try {
            handler = upper.open();
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
    public final void onWritable() throws IOException {
        handler.onWritable();
    }

    @Override
    public final void onSignals(int bits) throws IOException {
        handler.onSignals(bits);
    }

    /** While the layer above opens, its handler is not known. If the link closes at this time, the handler gets the event afterwards. */
    @Override
    public final void onClosed(ConnectionClosed cause) {
        unread = null;
        if (opens) {
            closedMeanwhile = cause;
        } else {
            handler.onClosed(cause);
        }
    }

    // ---- reading

    @Override
    public final int read(ByteBuffer target) throws IOException {
        ByteBuffer kept = unread;
        return kept == null ? lower().read(target) : take(kept, target);
    }

    @Override
    public final long read(ByteBuffer[] targets, int count) throws IOException {
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
    public final void wantReadable(boolean wanted) {
        wantsReadable = wanted;
        lower().wantReadable(wanted);
        if (wanted && unread != null) {
            lower().readAgain();
        }
    }

    @Override
    public final void readAgain() {
        readsAgain = true;
        lower().readAgain();
    }
}
