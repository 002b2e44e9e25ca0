package io.penstock.request;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What a {@link BodyOutputStream} writes into. */
interface ByteTarget {

    void write(int b) throws IOException;

    void write(byte[] source, int offset, int length) throws IOException;

    /** Bytes of the caller's, who does not touch them before the stream is ready again. */
    void write(ByteBuffer source) throws IOException;

    void flush() throws IOException;

    void close() throws IOException;

    /** From here on no write waits for the client: what the client does not take is kept there. */
    PendingWrites nonBlocking();
}
