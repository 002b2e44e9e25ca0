package io.penstock.reactor;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/**
 * A link over a lower link. It passes each call to the lower link. A subclass overrides the methods whose behaviour differs.
 *
 * <p>Thread: the rules of {@link Link} apply.
 */
public abstract class ForwardingLink implements Link {
    private final Link lower;

    protected ForwardingLink(Link lower) {
        this.lower = lower;
    }

    /** The link under this one. */
    protected final Link lower() {
        return lower;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return lower.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int count) throws IOException {
        return lower.read(targets, count);
    }

    @Override
    public void wantReadable(boolean wanted) {
        lower.wantReadable(wanted);
    }

    @Override
    public void readAgain() {
        lower.readAgain();
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return lower.write(sources, offset, length);
    }

    @Override
    public long transferFrom(FileChannel file, long position, long count) throws IOException {
        return lower.transferFrom(file, position, count);
    }

    @Override
    public boolean keepsUp() {
        return lower.keepsUp();
    }

    @Override
    public boolean flush() throws IOException {
        return lower.flush();
    }

    @Override
    public boolean isFlushed() {
        return lower.isFlushed();
    }

    @Override
    public void wantWritable(boolean wanted) {
        lower.wantWritable(wanted);
    }

    @Override
    public boolean endOutput() {
        return lower.endOutput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        lower.shutdownOutput();
    }

    @Override
    public void contain(Part part) {
        lower.contain(part);
    }

    @Override
    public void signal(int bit) {
        lower.signal(bit);
    }

    @Override
    public void signalLater(int bit) {
        lower.signalLater(bit);
    }

    @Override
    public void close(ConnectionClosed cause) {
        lower.close(cause);
    }

    @Override
    public void reset(ConnectionClosed cause) {
        lower.reset(cause);
    }

    @Override
    public boolean isOpen() {
        return lower.isOpen();
    }

    @Override
    public SocketAddress remote() {
        return lower.remote();
    }

    @Override
    public SocketAddress local() {
        return lower.local();
    }

    @Override
    public @Nullable TlsSession tls() {
        return lower.tls();
    }

    @Override
    public Reactor reactor() {
        return lower.reactor();
    }
}
