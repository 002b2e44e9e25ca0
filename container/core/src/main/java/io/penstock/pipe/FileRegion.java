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

    /** A region that alone owns its channel. */
    FileRegion(FileChannel file, long position, long count) {
        this.file = file;
        this.shared = null;
        this.position = position;
        this.remaining = count;
    }

    /** A region of a file that may have other regions. */
    FileRegion(SharedFile shared, long position, long count) throws IOException {
        this.file = shared.retain();
        this.shared = shared;
        this.position = position;
        this.remaining = count;
    }

    long remaining() {
        return remaining;
    }

    /** Extends this region by the given part if that part is of the same file and begins where this region ends; otherwise returns false. */
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
            // The failed call reads the file and writes to the socket. This check shows whether the file has failed.
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
        long due = COMPLAINTS.happened();
        if (due > 0) {
            LOG.error("Files could not be read while they were sent ({} since the last message)", due, cause);
        }
        return new FileFailed(cause);
    }

    /**
     * A channel that was only read loses nothing when its close fails. So the failure must neither fail the response nor prevent the
     * release of the items behind this one.
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
