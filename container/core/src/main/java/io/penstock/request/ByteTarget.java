package io.penstock.request;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The destination of a {@link BodyOutputStream}. */
interface ByteTarget {

    void write(int b) throws IOException;

    void write(byte[] source, int offset, int length) throws IOException;

    /** Takes the bytes of {@code source}. The caller must not use {@code source} until the stream is ready again. */
    void write(ByteBuffer source) throws IOException;

    void flush() throws IOException;

    void close() throws IOException;

    /** Makes writes non-blocking. Bytes that cannot be sent at once are kept in the returned object. */
    PendingWrites nonBlocking();
}
