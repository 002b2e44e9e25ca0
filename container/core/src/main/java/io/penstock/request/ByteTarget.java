package io.penstock.request;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The destination of a {@link BodyOutputStream}. */
interface ByteTarget {

    void write(int b) throws IOException;

    void write(byte[] source, int offset, int length) throws IOException;

    /** The caller does not touch the buffer before the stream is ready again. */
    void write(ByteBuffer source) throws IOException;

    void flush() throws IOException;

    void close() throws IOException;

    /** From here on no write waits for the client: bytes that the client does not take are kept there. */
    PendingWrites nonBlocking();
}
