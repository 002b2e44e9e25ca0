package io.penstock.pipe;

import io.penstock.limits.OperatorFile;
import io.penstock.time.RateLimitedLog;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of a file that the server must send. The region owns the channel of the file, or is one of the holders of a {@link SharedFile}.
 * The region releases the file when the part has been sent or dropped.
 */
final class FileRegion implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileRegion.class);
    private static final RateLimitedLog UNREADABLE = new RateLimitedLog();
    private static final RateLimitedLog UNCLOSED = new RateLimitedLog();

    private final FileChannel file;
    private final @Nullable SharedFile shared;
    private final @Nullable Runnable whenClosed;
    private long position;
    private long remaining;

    /** Makes a region that owns the channel. */
    FileRegion(FileChannel file, long position, long count, Runnable whenClosed) {
        this.file = file;
        this.shared = null;
        this.whenClosed = whenClosed;
        this.position = position;
        this.remaining = count;
    }

    /** Makes a region of a file that can have other regions too. */
    FileRegion(SharedFile shared, long position, long count) throws IOException {
        this.file = shared.retain();
        this.shared = shared;
        this.whenClosed = null;
        this.position = position;
        this.remaining = count;
    }

    long remaining() {
        return remaining;
    }

    /**
     * Extends this region by another part of the same file, if that part begins at the end of this region. Returns whether the region has
     * been extended.
     */
    boolean join(SharedFile other, long begin, long count) {
        if (shared != other || position + remaining != begin) {
            return false;
        }
        remaining += count;
        return true;
    }

    /** Drops the last {@code count} bytes of this region. */
    void cutBack(long count) {
        remaining -= count;
    }

    /**
     * Sends at most {@code most} bytes of this region.
     *
     * @return the number of bytes that the outlet has taken; 0 if the outlet takes no bytes at present
     * @throws FileFailed if the file could not be read, or has become too short for this region
     * @throws IOException if the outlet failed
     */
    long sendTo(PipeOutlet outlet, long most) throws IOException {
        long sent;
        try {
            sent = outlet.transferFrom(file, position, Math.min(most, remaining));
        } catch (IOException e) {
            // The failed call reads the file and writes to the socket. This check finds out whether the file caused the
            // failure.
            checkReadable();
            throw e;
        }
        if (sent == 0) {
            checkNotShorter();
        }
        position += sent;
        remaining -= sent;
        return sent;
    }

    private void checkReadable() throws FileFailed {
        try {
            file.read(ByteBuffer.allocate(1), position);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void checkNotShorter() throws FileFailed {
        try {
            if (position >= file.size()) {
                throw new EOFException("the file ended " + remaining + " bytes early");
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static FileFailed failed(IOException cause) {
        UNREADABLE.warn(LOG, "Files could not be read while they were sent", OperatorFile.explained(cause), cause);
        return new FileFailed(cause);
    }

    /**
     * Releases the file. A failure of the close is only logged, because the file was only read and no data is lost. The failure must not
     * end the response, and must not prevent the release of the next items in the pipe.
     */
    @Override
    public void close() {
        if (shared != null) {
            shared.release();
            return;
        }
        try {
            file.close();
        } catch (IOException e) {
            UNCLOSED.warn(LOG, "Files that were sent could not be closed", OperatorFile.explained(e), e);
        } finally {
            if (whenClosed != null) {
                whenClosed.run();
            }
        }
    }
}
