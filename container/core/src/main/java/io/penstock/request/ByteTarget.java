package io.penstock.request;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The destination of a {@link BodyOutputStream}. */
interface ByteTarget {

    void write(int b) throws IOException;

    void write(byte[] source, int offset, int length) throws IOException;

    /** Takes the bytes of {@code source}, which the caller does not touch before the stream is ready again. */
    void write(ByteBuffer source) throws IOException;

    void flush() throws IOException;

    void close() throws IOException;

    /** Makes writes non-blocking: bytes that the client does not take are kept in the returned object. */
    PendingWrites nonBlocking();
}
