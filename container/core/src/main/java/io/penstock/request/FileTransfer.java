package io.penstock.request;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Sends files without copying their bytes through the application. Implemented by the container's own response. */
public interface FileTransfer {

    /** Whether nothing has been written and neither stream nor writer has been asked for, so that a file may be sent. */
    boolean canSendFile();

    /**
     * Sends a part of a file as the whole body and ends it; the response's length is {@code count} unless the application has
     * declared one. The channel is closed when the part has left, or if the call throws.
     *
     * @throws IllegalStateException if {@link #canSendFile()} does not hold; the channel is closed then too
     */
    void sendFile(FileChannel file, long position, long count) throws IOException;
}
