package io.penstock.pipe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;

/** Part of a file on its way out. Owns the channel, and closes it when the part has left or will not leave. */
final class FileRegion implements AutoCloseable {
    private final FileChannel file;
    private long position;
    private long remaining;

    FileRegion(FileChannel file, long position, long count) {
        this.file = file;
        this.position = position;
        this.remaining = count;
    }

    long remaining() {
        return remaining;
    }

    /**
     * Sends at most {@code most} bytes.
     *
     * @return what the outlet took; 0 if it takes nothing at present
     * @throws IOException if the outlet failed, or the file has become shorter than it was promised to be
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

    /** A channel that was only read has nothing to lose: a failure here is a fault of the system, not of the response. */
    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
