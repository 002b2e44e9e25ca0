package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** The body of a request, which may be sent any number of times. */
public interface Body {
    /** The length of a body whose length is known only at its end: it is sent in chunks. */
    long CHUNKED = -1;

    /** The number of bytes, or {@link #CHUNKED}. */
    long length();

    /** Returns a new source that begins at the first byte, once for each time that the body is sent. Thread: the loop. */
    Source open();

    /** Supplies the bytes of a body, piece by piece, as the socket takes them. Thread: the loop; it must not wait. */
    @FunctionalInterface
    interface Source {

        /**
         * Puts the next bytes, at least one unless the body is at its end.
         *
         * @param into has room
         * @return whether more may follow
         */
        boolean read(ByteBuffer into) throws IOException;
    }

    /** A body of these bytes. The caller must not change them any more. */
    static Body of(byte[] bytes) {
        return of(bytes.length, () -> new ArraySource(bytes));
    }

    /** A body of known length: exactly this number of bytes from each source. */
    static Body of(long length, Supplier<Source> sources) {
        return new PulledBody(length, sources);
    }

    /** A body of unknown length: it is sent in chunks, up to the end of each source. */
    static Body chunked(Supplier<Source> sources) {
        return new PulledBody(CHUNKED, sources);
    }
}
