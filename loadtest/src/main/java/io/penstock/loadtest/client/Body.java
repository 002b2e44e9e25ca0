package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;

/** The body of a request. It can be sent any number of times. */
public interface Body {
    /** The value of {@link #length()} for a body of unknown length. Such a body is sent in chunks. */
    long CHUNKED = -1;

    /** The number of bytes, or {@link #CHUNKED}. */
    long length();

    /**
     * Returns a new source that begins at the first byte. This method is called each time the body is sent. Thread: the thread of the
     * {@link ClientLoop}.
     */
    Source open();

    /**
     * Supplies the bytes of a body, piece by piece, when the socket can take them. Thread: the thread of the loop, so the method must not
     * wait.
     */
    @FunctionalInterface
    interface Source {

        /**
         * Writes the next bytes into a buffer. The method must write at least one byte, except at the end of the body.
         *
         * @param into a buffer with room for at least one byte
         * @return whether more bytes may follow
         */
        boolean read(ByteBuffer into) throws IOException;
    }

    /** Creates a body from these bytes. The caller must not change the array after this call. */
    static Body of(byte[] bytes) {
        return of(bytes.length, () -> {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            return into -> {
                int n = Math.min(into.remaining(), left.remaining());
                into.put(left.slice(left.position(), n));
                left.position(left.position() + n);
                return left.hasRemaining();
            };
        });
    }

    /** Creates a body of known length. Each source must supply exactly this number of bytes. */
    static Body of(long length, Supplier<Source> sources) {
        if (length < 0) {
            throw new IllegalArgumentException("A body cannot have " + length + " bytes");
        }
        return new Pulled(length, sources);
    }

    /** Creates a body of unknown length. It is sent in chunks, up to the end of the source. */
    static Body chunked(Supplier<Source> sources) {
        return new Pulled(CHUNKED, sources);
    }

    /** A body whose source is read only when the socket can take more bytes. */
    record Pulled(long length, Supplier<Source> sources) implements Body {
        @Override
        public Source open() {
            return sources.get();
        }
    }
}
