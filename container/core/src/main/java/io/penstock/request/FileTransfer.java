package io.penstock.request;

import java.io.IOException;
import java.nio.channels.FileChannel;

/** Sends files without copying their bytes through the application. Implemented by the container's own response. */
public interface FileTransfer {

    /** Whether a file may be sent: the application has written nothing, and has not called {@code getOutputStream} or {@code getWriter}. */
    boolean canSendFile();

    /**
     * Sends a part of a file as the whole body, and ends the body. The length of the response is {@code count}. The channel is closed when
     * the bytes have been sent, or if the call throws.
     *
     * @throws IllegalStateException if {@link #canSendFile()} is false, or if the application has declared another length; the channel is
     *     closed in these cases, too
     */
    void sendFile(FileChannel file, long position, long count) throws IOException;
}
