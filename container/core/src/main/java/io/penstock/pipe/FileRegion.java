package io.penstock.pipe;

import io.penstock.time.Clock;
import io.penstock.time.RateLimitedLog;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Part of a file that is to be sent. Owns the channel, or a share of it, and releases it when the part has been sent or dropped. */
final class FileRegion implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileRegion.class);
    private static final RateLimitedLog COMPLAINTS = new RateLimitedLog(Clock.SYSTEM, Duration.ofSeconds(10));

    private final FileChannel file;
    private final @Nullable SharedFile shared;
    private long position;
    private long remaining;

    /** The region is the only one of its channel. */
    FileRegion(FileChannel file, long position, long count) {
        this.file = file;
        this.shared = null;
        this.position = position;
        this.remaining = count;
    }

    /** The region is one of many of its file. */
    FileRegion(SharedFile shared, long position, long count) throws IOException {
        this.file = shared.retain();
        this.shared = shared;
        this.position = position;
        this.remaining = count;
    }

    long remaining() {
        return remaining;
    }

    /** Grows by the part of the same file that begins where this one ends; returns false if it is not such a part. */
    boolean join(SharedFile other, long begin, long count) {
        if (shared != other || position + remaining != begin) {
            return false;
        }
        remaining += count;
        return true;
    }

    /** Its last {@code count} bytes will not be sent. */
    void cutBack(long count) {
        remaining -= count;
    }

    /**
     * Sends at most {@code most} bytes.
     *
     * @return how many bytes the outlet took; 0 if it takes none at present
     * @throws FileFailed if the file could not be read, or has become shorter than declared
     * @throws IOException if the outlet failed
     */
    long sendTo(PipeOutlet outlet, long most) throws IOException {
        long sent;
        try {
            sent = outlet.transferFrom(file, position, Math.min(most, remaining));
        } catch (IOException e) {
            checkReadable(); // one call has read the file and written to the socket: its exception may mean either
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
                throw new EOFException("it ended " + remaining + " bytes early");
            }
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private static FileFailed failed(IOException cause) {
        long due = COMPLAINTS.happened();
        if (due > 0) {
            LOG.warn("Files could not be read while they were sent ({} since the last message)", due, cause);
        }
        return new FileFailed(cause);
    }

    /**
     * A failure to close a channel that was only read loses nothing. It must not fail the response, nor prevent the release of the items
     * behind this one.
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
            LOG.warn("A file that was sent could not be closed", e);
        }
    }
}
