package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The source of a request pipe's bytes: a link. Thread: the reactor. */
public interface PipeSource {

    /** Reads the bytes that have arrived. Returns 0 if there are none, and -1 once the client has sent its last byte. */
    int read(ByteBuffer target) throws IOException;

    /** As {@link #read(ByteBuffer)}, into the first {@code count} buffers. A buffer gets bytes only when those before it are full. */
    default long read(ByteBuffer[] targets, int count) throws IOException {
        long all = 0;
        for (int i = 0; i < count; i++) {
            int read = read(targets[i]);
            if (read < 0 && all == 0) {
                return read; // otherwise the next read finds the end again
            }
            all += Math.max(0, read);
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return all;
    }
}
