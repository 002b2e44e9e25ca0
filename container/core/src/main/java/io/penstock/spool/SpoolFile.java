package io.penstock.spool;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.OperatorFile;
import io.penstock.time.RateLimitedLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file of the {@link Spool} with the bytes of one request or response body. The threads of the spool append bytes, with one write at a
 * time. Reads can begin at any position.
 *
 * <p>Thread: one owner at a time calls {@link #append}. The owner must not call the method again before {@link Written} has been called.
 * Any thread may call {@link #close}. A read must not go beyond the bytes whose write has ended. If a thread is interrupted during an
 * operation on a channel, the JDK closes the channel. So an application thread may read only files that no other thread uses. This object
 * owns the channel, and the reservation of the file's bytes in the account of the spool. It releases the channel and the reservation after
 * it has been closed and the last write has ended.
 *
 * <pre>
 *   IDLE --append--> WRITING --written--> IDLE
 *     |                 |
 *     +--close--> CLOSED <--written-- CLOSING <--close-- (WRITING)
 * </pre>
 */
public final class SpoolFile {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolFile.class);
    private static final RateLimitedLog UNCLOSED = new RateLimitedLog();

    private enum State {
        IDLE,
        WRITING,
        CLOSING,
        CLOSED
    }

    /** The result of an append. */
    public enum Appended {
        /** The write was accepted. The buffers belong to this object until {@link Written} is called. */
        YES,
        /**
         * Too many writes wait or run, in the whole spool or in the bulkhead ({@link SpoolShare}). The caller can use {@link #whenRoom} to
         * try again later.
         */
        BUSY,
        /** The bytes would exceed the limit for the total size of all files. */
        OVER_LIMIT,
        /** The file has been closed, or the server has stopped. */
        CLOSED
    }

    /**
     * Called when a write has ended. The failure is null if the bytes have been written. This method is called either by a thread of the
     * spool or by the thread that called {@link #append}. The method must not block.
     */
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

    // Null before the first write.
    private volatile @Nullable FileChannel channel;

    // The number of bytes that have been written.
    private volatile long length;

    /** @param share the share of the file's bulkhead; null if the file belongs to no bulkhead */
    SpoolFile(Spool spool, @Nullable SpoolShare share) {
        this.spool = spool;
        this.share = share;
    }

    /**
     * Appends the bytes between the position and the limit of each buffer to the file. If no thread can be started for the write, {@code
     * written} gets the failure.
     */
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
     * Runs {@code action} once, when the spool possibly has room for a write that was refused with {@link Appended#BUSY}. If the spool has
     * room now, the action runs in this call. Otherwise another thread runs the action later. The action must not block.
     */
    public void whenRoom(Runnable action) {
        spool.tasks().whenRoom(share, action);
    }

    /** The number of bytes between the positions and the limits of the buffers. */
    public static long bytes(ByteBuffer[] sources) {
        long count = 0;
        for (ByteBuffer source : sources) {
            count += source.remaining();
        }
        return count;
    }

    /** The number of bytes that have been written. */
    public long length() {
        return length;
    }

    /**
     * Reads at least one byte, beginning at {@code position}, and returns the number of bytes. Returns -1 if {@code position} is at the end
     * of the written bytes.
     */
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

    /** Transfers bytes of the file directly to {@code target}, and returns the number of bytes. */
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return channel().transferTo(position, Math.min(count, length - position), target);
    }

    /** The channel of the file. The caller may only read from the channel, and must not close it. */
    public FileChannel channel() throws ClosedChannelException {
        FileChannel opened = channel;
        if (opened == null) {
            throw new ClosedChannelException();
        }
        return opened;
    }

    /**
     * Closes the file, which releases its bytes on disk. If a write is running, the file is closed after this write. This method does not
     * block. A second call has no effect.
     */
    public void close() {
        synchronized (this) {
            switch (state) {
                case WRITING -> state = State.CLOSING;
                case IDLE -> {
                    state = State.CLOSED;
                    closeSoon();
                }
                case CLOSING, CLOSED -> {
                    // The file is already closed, or the running write closes the file at its end.
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
            // This happens for example if no memory is left for a temporary buffer. The owner must be notified that the
            // bytes are not on disk.
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

    /** Called when a write has ended, or when a write was not accepted. Gives {@code unused} bytes back to the account. */
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
            // No file exists, because no bytes were appended or the first write failed.
            giveBackAll();
        } else {
            spool.tasks().execute(this::closeChannel);
        }
    }

    private void closeChannel() {
        try {
            channel().close();
        } catch (IOException e) {
            UNCLOSED.warn(LOG, "Spool files could not be closed", OperatorFile.explained(e), e);
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
