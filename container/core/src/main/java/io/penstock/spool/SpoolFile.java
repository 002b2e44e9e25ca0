package io.penstock.spool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One body on disk. Bytes are added at its end by the spool's threads, one write at a time, and read from any place.
 *
 * <p>Thread: one owner at a time calls {@link #append}, and waits for {@link Written} before the next call. Any thread may call {@link
 * #close}. Reads must stay within the written bytes, which the callback reports. If a thread is interrupted while it uses a channel, the
 * JDK closes the channel. So application threads read only files that no other thread uses. Owns its channel and its bytes in the spool's
 * account until it is closed and its last write has ended.
 *
 * <pre>
 *   IDLE --append--> WRITING --written--> IDLE
 *     |                 |
 *     +--close--> CLOSED <--written-- CLOSING <--close-- (WRITING)
 * </pre>
 */
public final class SpoolFile {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolFile.class);

    private enum State {
        IDLE,
        WRITING,
        CLOSING,
        CLOSED
    }

    /** The result of an append. */
    public enum Appended {
        /** The file owns the bytes until {@link Written} is called. */
        YES,
        /** Too many writes wait or run, in all or in the bulkhead; {@link #whenRoom} calls back when another attempt makes sense. */
        BUSY,
        /** The bytes would exceed the limit for all files. */
        OVER_LIMIT,
        /** The file has been closed, or the server has ended. */
        CLOSED
    }

    /** Called when bytes have been written, or with the failure. Thread: one of the spool's, or the appending one; must not block. */
    @FunctionalInterface
    public interface Written {
        void written(@Nullable IOException failure);
    }

    private final Spool spool;
    private final @Nullable SpoolShare share;

    @GuardedBy("this")
    private State state = State.IDLE;

    @GuardedBy("this")
    private long reserved;

    // Set by the first write.
    private volatile @Nullable FileChannel channel;

    // The number of written bytes.
    private volatile long length;

    /** @param share of its bulkhead; null if it has none */
    SpoolFile(Spool spool, @Nullable SpoolShare share) {
        this.spool = spool;
        this.share = share;
    }

    /** Appends the bytes between position and limit of the buffers to the file. The write fails if no thread can be made for it. */
    public Appended append(ByteBuffer[] sources, Written written) {
        long count = bytes(sources);
        synchronized (this) {
            if (state == State.CLOSING || state == State.CLOSED) {
                return Appended.CLOSED;
            }
            if (state == State.WRITING) {
                throw new IllegalStateException("a write to this spool file is under way");
            }
            if (!spool.account().tryReserve(count)) {
                return Appended.OVER_LIMIT;
            }
            reserved += count;
            state = State.WRITING;
        }
        SpoolThreads.Taken taken = spool.tasks().offer(share, () -> write(sources, count, written));
        if (taken != SpoolThreads.Taken.YES) {
            ended(count);
        }
        return switch (taken) {
            case YES -> Appended.YES;
            case BUSY -> Appended.BUSY;
            case ENDED -> Appended.CLOSED;
            case NO_THREAD -> {
                IOException failure = new IOException("No thread could be started to write to disk");
                spool.written(failure);
                written.written(failure);
                yield Appended.YES;
            }
        };
    }

    /**
     * Runs {@code action} once, on any thread, when a write that was refused as {@link Appended#BUSY} may be tried again; at once if it may
     * already. The action must not block.
     */
    public void whenRoom(Runnable action) {
        spool.tasks().whenRoom(share, action);
    }

    /** Bytes between position and limit of the buffers. */
    public static long bytes(ByteBuffer[] sources) {
        long count = 0;
        for (ByteBuffer source : sources) {
            count += source.remaining();
        }
        return count;
    }

    /** Bytes written. */
    public long length() {
        return length;
    }

    /** Reads at least one byte from {@code position} on; -1 at the end. */
    public int read(ByteBuffer target, long position) throws IOException {
        long left = length - position;
        if (left <= 0) {
            return -1;
        }
        if (left >= target.remaining()) {
            return channel().read(target, position);
        }
        int limit = target.limit();
        target.limit(target.position() + (int) left);
        try {
            return channel().read(target, position);
        } finally {
            target.limit(limit);
        }
    }

    /** Copies bytes without reading them into this process; returns how many. */
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return channel().transferTo(position, Math.min(count, length - position), target);
    }

    /** The channel of the file, for reading. This object still owns it. */
    public FileChannel channel() throws ClosedChannelException {
        FileChannel opened = channel;
        if (opened == null) {
            throw new ClosedChannelException();
        }
        return opened;
    }

    /** Releases the bytes on disk, after the current write. Idempotent; does not wait. */
    public void close() {
        synchronized (this) {
            switch (state) {
                case WRITING -> state = State.CLOSING;
                case IDLE -> {
                    state = State.CLOSED;
                    closeSoon();
                }
                case CLOSING, CLOSED -> {
                    // The file is closed already, or the running write closes it when it ends.
                }
            }
        }
    }

    // ---- the spool's thread

    private void write(ByteBuffer[] sources, long count, Written written) {
        IOException failure = null;
        try {
            writeAll(sources, count);
        } catch (IOException e) {
            failure = e;
        } catch (RuntimeException | Error e) {
            // For example, there was no memory for a temporary buffer. The caller must learn that the bytes are not on
            // disk.
            failure = new IOException("A write to a spool file failed unexpectedly", e);
            throw e;
        } finally {
            spool.written(failure);
            ended(0);
            written.written(failure);
        }
    }

    private void writeAll(ByteBuffer[] sources, long count) throws IOException {
        FileChannel to = channel;
        if (to == null) {
            to = spool.newFile();
            channel = to;
            spool.opened();
        }
        to.position(length);
        long end = length + count;
        for (long left = count; left > 0; ) {
            left -= to.write(sources);
        }
        length = end;
    }

    /** A write has ended or was not accepted: returns {@code unused} bytes to the account. */
    private void ended(long unused) {
        boolean closes;
        synchronized (this) {
            reserved -= unused;
            closes = state == State.CLOSING;
            state = closes ? State.CLOSED : State.IDLE;
        }
        spool.account().giveBack(unused);
        if (closes) {
            closeSoon();
        }
    }

    private void closeSoon() {
        if (channel == null) {
            giveBackAll(); // nothing has been written, or the write has failed
        } else {
            spool.tasks().execute(this::closeChannel);
        }
    }

    private void closeChannel() {
        try {
            channel().close();
        } catch (IOException e) {
            LOG.warn("A spool file could not be closed", e);
        } finally {
            spool.closed();
            giveBackAll();
        }
    }

    private void giveBackAll() {
        long bytes;
        synchronized (this) {
            bytes = reserved;
            reserved = 0;
        }
        spool.account().giveBack(bytes);
    }
}
