package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The source of the bytes for a {@link RequestPipe}: the connection of the client. Only the reactor calls these methods. */
public interface PipeSource {

    /**
     * Reads bytes that have arrived, and returns their number. Returns 0 if no bytes have arrived, and -1 at the end of the client's
     * stream.
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * Reads into the first {@code count} buffers, and returns the number of bytes with the rules of {@link #read(ByteBuffer)}. A buffer
     * gets bytes only when the earlier buffers are full.
     */
    default long read(ByteBuffer[] targets, int count) throws IOException {
        long all = 0;
        for (int i = 0; i < count; i++) {
            int read = read(targets[i]);
            if (read < 0 && all == 0) {
                // If some bytes have been read before the end, the next call reports the end.
                return read;
            }
            all += Math.max(0, read);
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return all;
    }
}
