package io.penstock.http;

import io.penstock.limits.Key;
import io.penstock.limits.MessageLimits;
import java.nio.ByteBuffer;

/**
 * Decodes a chunked body and its trailer fields (RFC 9112 section 7.1). Chunk extensions are checked, and then ignored.
 *
 * <pre>
 *   SIZE --line--> DATA --(all taken)--> DATA_END --CRLF--> SIZE
 *     +---"0" line--> TRAILERS --(empty line)--> END
 * </pre>
 */
public final class ChunkedDecoder implements BodyDecoder {
    private static final int MAX_SIZE_DIGITS = 16;

    /** The memory of a usual decoder's arrays, without extensions and trailer fields. It belongs to the fixed memory of a body. */
    private static final int USUALLY_HELD = 352;

    private enum State {
        SIZE,
        DATA,
        DATA_END,
        TRAILERS,
        END
    }

    private final MessageLimits limits;
    private final LineReader lines = new LineReader(32, 32) {
        @Override
        protected boolean line(byte[] in, int start, int end) throws Violation {
            return state == State.SIZE ? sizeLine(in, start, end) : trailerLine(in, start, end);
        }
    };
    private final FieldLines trailers = new FieldLines();
    private State state = State.SIZE;
    private long remaining;
    private int endSeen;

    public ChunkedDecoder(MessageLimits limits) {
        this.limits = limits;
    }

    @Override
    public int advance(ByteBuffer in) throws Violation {
        while (true) {
            switch (state) {
                case SIZE -> {
                    if (!size(in)) {
                        return 0;
                    }
                }
                case DATA -> {
                    return (int) Math.min(remaining, in.remaining());
                }
                case DATA_END -> {
                    if (!dataEnd(in)) {
                        return 0;
                    }
                }
                case TRAILERS -> {
                    if (!trailers(in)) {
                        return 0;
                    }
                }
                case END -> {
                    return BodyDecoder.END;
                }
            }
        }
    }

    @Override
    public long expected() {
        return state == State.DATA ? remaining : 0;
    }

    @Override
    public void taken(int count) {
        remaining -= count;
        if (remaining == 0 && state == State.DATA) {
            state = State.DATA_END;
            endSeen = 0;
        }
    }

    @Override
    public Fields trailers() {
        return state == State.END ? trailers : Fields.EMPTY;
    }

    @Override
    public int held() {
        int bytes = lines.held() + trailers.held();
        return bytes <= USUALLY_HELD ? 0 : bytes;
    }

    private boolean size(ByteBuffer in) throws Violation {
        if (!lines.read(in)) {
            checkSizeLine(lines.pending());
            if (lines.pending() > 0 && Character.digit(lines.bytes()[lines.lineStart()], 16) < 0) {
                throw new Violation(400, "malformed chunk size");
            }
            return false;
        }
        lines.rewind();
        state = remaining == 0 ? State.TRAILERS : State.DATA;
        return true;
    }

    private boolean sizeLine(byte[] in, int start, int end) throws Violation {
        checkSizeLine(end + 2 - start);
        remaining = ChunkSizeSyntax.read(in, start, end);
        return true;
    }

    /** @param bytes the length of the line in bytes, including the CRLF */
    private void checkSizeLine(int bytes) throws Violation {
        if (bytes > MAX_SIZE_DIGITS + limits.chunkExtensionBytes() + 2) {
            throw new Violation(Key.CHUNK_EXTENSION_LIMIT);
        }
    }

    private boolean dataEnd(ByteBuffer in) throws Violation {
        while (endSeen < 2) {
            if (!in.hasRemaining()) {
                return false;
            }
            if (in.get() != (endSeen == 0 ? '\r' : '\n')) {
                throw new Violation(400, "chunk data without its CRLF");
            }
            endSeen++;
        }
        state = State.SIZE;
        return true;
    }

    private boolean trailers(ByteBuffer in) throws Violation {
        if (lines.read(in)) {
            state = State.END;
            return true;
        }
        // One byte more is allowed: the CR of the empty line.
        if (lines.length() > limits.trailerBytes() + 1) {
            throw new Violation(Key.TRAILER_BYTES_LIMIT);
        }
        return false;
    }

    /** Takes one line. Returns whether it is the empty line at the end of the trailers. */
    private boolean trailerLine(byte[] in, int start, int end) throws Violation {
        trailers.over(in);
        if (start == end) {
            return true;
        }
        if (end + 2 > limits.trailerBytes()) {
            throw new Violation(Key.TRAILER_BYTES_LIMIT);
        }
        if (trailers.size() == limits.headerCount()) {
            throw new Violation(Key.HEADER_COUNT_LIMIT);
        }
        trailers.add(in, start, end);
        refuseFraming(trailers.size() - 1);
        return false;
    }

    /** Rejects fields that frame or route a message. These fields must not be trailers (RFC 9110 section 6.5.1). */
    private void refuseFraming(int index) throws Violation {
        if (trailers.isNamed(index, "Content-Length")
                || trailers.isNamed(index, "Transfer-Encoding")
                || trailers.isNamed(index, "Host")
                || trailers.isNamed(index, "Trailer")) {
            throw new Violation(400, "field for message framing in the trailer");
        }
    }
}
