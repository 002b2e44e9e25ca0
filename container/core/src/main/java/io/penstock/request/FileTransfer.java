package io.penstock.request;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Sends files without copying their bytes through the application. Implemented by the container's own response. */
public interface FileTransfer {

    /** Whether a file may be sent: the application has written nothing, and has called neither getOutputStream nor getWriter. */
    boolean canSendFile();

    /**
     * Sends a part of a file as the whole body and ends it; the response's length is {@code count} unless the application has declared one.
     * The channel is closed when the part has been sent, or if the call throws.
     *
     * @throws IllegalStateException if {@link #canSendFile()} is false; the channel is closed in this case, too
     */
    void sendFile(FileChannel file, long position, long count) throws IOException;
}
