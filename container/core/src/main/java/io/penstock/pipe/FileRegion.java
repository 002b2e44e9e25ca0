package io.penstock.pipe;

import java.io.IOException;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Part of a file that is to be sent. Owns the channel, or a share of it, and releases it when the part has been sent or dropped. */
final class FileRegion implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FileRegion.class);

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
     * @throws IOException if the outlet failed, or the file has become shorter than declared
     */
    long sendTo(PipeOutlet outlet, long most) throws IOException {
        long sent = outlet.transferFrom(file, position, Math.min(most, remaining));
        if (sent == 0 && position >= file.size()) {
            throw new IOException("The file ended " + remaining + " bytes early: it became shorter while it was sent");
        }
        position += sent;
        remaining -= sent;
        return sent;
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
