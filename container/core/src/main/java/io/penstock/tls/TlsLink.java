package io.penstock.tls;

import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.ForwardingLink;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import io.penstock.reactor.TlsSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A link with encryption over the link of a socket. This object is also the handler of the socket's link. First a {@link Handshake} uses
 * the socket. After a successful handshake a {@link RecordReader} and a {@link RecordWriter} replace the {@link Handshake}. Then the
 * conversation begins: the {@link LinkHandler} that speaks HTTP with the client.
 *
 * <p>Thread: the rules of {@link Link} apply. The link owns the engine and all buffers of the connection. An idle connection has no buffer.
 */
final class TlsLink extends ForwardingLink implements LinkHandler {
    private final TlsBuffers buffers;

    // During the handshake this field refers to the LinkLayer.Opening. After the handshake it refers to the
    // conversation.
    private LinkHandler conversation;

    private @Nullable Handshake handshake; // null after the handshake
    private @Nullable RecordReader reader; // null during the handshake, like the writer
    private @Nullable RecordWriter writer;
    private @Nullable TlsSession session;

    private boolean wantsReadable = true;
    private @Nullable Runnable whenRoom; // not null while this link waits for memory

    TlsLink(Link socket, LinkLayer.Opening opening, TlsLayer layer) {
        super(socket);
        this.buffers = layer.buffers();
        this.conversation = opening;
        this.handshake = new Handshake(this, socket, layer, opening);
    }

    // ---- events of the socket

    @Override
    public LinkHandler conversation() {
        return conversation.conversation();
    }

    @Override
    public void onReadable() throws IOException {
        Handshake opens = handshake;
        if (opens != null) {
            opens.onReadable();
            afterStep();
        } else if (wantsReadable) {
            conversation.onReadable();
        }
        sendEngineMessages();
    }

    @Override
    public void onWritable() throws IOException {
        Handshake opens = handshake;
        if (opens != null) {
            opens.onWritable();
            afterStep();
        } else {
            conversation.onWritable();
        }
    }

    /**
     * Called after a step of the handshake. If the handshake is complete, the first bytes for the conversation have possibly arrived with
     * the last bytes of the handshake. So the conversation reads now.
     */
    void afterStep() throws IOException {
        if (handshake == null && lower().isOpen()) {
            if (wantsReadable) {
                conversation.onReadable();
            }
            if (lower().isOpen() && !isFlushed()) {
                conversation.onWritable();
            }
        }
    }

    /** Sends the messages of the engine that a read has caused, for example the answer to a key update. */
    private void sendEngineMessages() throws IOException {
        RecordReader in = reader;
        if (in != null && in.takeMessage() && lower().isOpen()) {
            // The conversation takes the write token and flushes. If another thread holds the token, that thread
            // flushes.
            conversation.onWritable();
        }
    }

    @Override
    public void onSignals(int bits) throws IOException {
        conversation.onSignals(bits);
    }

    @Override
    public void onClosed(ConnectionClosed cause) {
        if (whenRoom != null) {
            buffers.forget(whenRoom);
        }
        ConnectionClosed first = cause;
        Handshake opens = handshake;
        if (opens != null) {
            first = opens.onClosed(cause);
        } else {
            in().release();
            out().release();
        }
        conversation.onClosed(first);
    }

    // ---- for the handshake

    /** Called when the handshake is complete. The conversation begins. */
    void agreed(
            TlsSession facts, RecordReader in, RecordWriter out, LinkLayer.Opening opening, @Nullable String protocol) {
        session = facts;
        reader = in;
        writer = out;
        handshake = null;
        conversation = opening.agreed(this, protocol);
    }

    /** Stops reading from the socket until the memory budget has room. */
    void awaitRoom() {
        if (whenRoom == null) {
            Runnable waits = () -> reactor().execute(this::onBufferRoom);
            whenRoom = waits;
            setInterest();
            buffers.whenRoom(waits);
        }
    }

    private void onBufferRoom() {
        lower().contain(() -> {
            whenRoom = null;
            setInterest();
            onReadable();
        });
        buffers.wakeNext();
    }

    private void setInterest() {
        RecordReader in = reader;
        lower().wantReadable(wantsReadable && whenRoom == null && (in == null || !in.hasEnded()));
    }

    // ---- reading

    private RecordReader in() {
        return Objects.requireNonNull(reader);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return (int) read(new ByteBuffer[] {target}, 1);
    }

    @Override
    public long read(ByteBuffer[] targets, int count) throws IOException {
        RecordReader in = in();
        long come = in.read(targets, count);
        if (come == RecordReader.NO_ROOM) {
            awaitRoom();
            return 0;
        }
        if (in.hasEnded()) {
            setInterest();
        }
        if ((wantsReadable && in.hasMore()) || in.hasMessage()) {
            lower().readAgain();
        }
        return come;
    }

    @Override
    public void wantReadable(boolean wanted) {
        wantsReadable = wanted;
        setInterest();
        RecordReader in = reader;
        if (wanted && in != null && in.hasMore()) {
            lower().readAgain();
        }
    }

    // ---- writing

    private RecordWriter out() {
        return Objects.requireNonNull(writer);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return out().write(sources, offset, length);
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        return out().transferFrom(file, position, count);
    }

    @Override
    public boolean keepsUp() {
        return out().keepsUp();
    }

    @Override
    public boolean flush() throws IOException {
        return out().flush();
    }

    @Override
    public boolean isFlushed() {
        return out().isFlushed();
    }

    /** The closing bytes of TLS come first, so only the reactor ends the output. */
    @Override
    public boolean endOutput() {
        return false;
    }

    @Override
    public void shutdownOutput() {
        out().endOutput();
    }

    // ---- end

    @Override
    public void close(ConnectionClosed cause) {
        RecordWriter out = writer;
        if (out != null && lower().isOpen()) {
            out.sendFinalAlert(cause);
        }
        lower().close(cause);
    }

    @Override
    public TlsSession tls() {
        return Objects.requireNonNull(session);
    }
}
