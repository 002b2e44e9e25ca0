package io.penstock.http1;

import io.penstock.http.Fields;
import io.penstock.pipe.Segment;
import java.nio.ByteBuffer;

/** The framing around the chunks of a body (RFC 9112 section 7.1). */
final class Chunks {
    private static final ByteBuffer CRLF = ByteBuffer.wrap(HeadWriter.ascii("\r\n"));
    private static final ByteBuffer LAST_CHUNK = ByteBuffer.wrap(HeadWriter.ascii("0\r\n\r\n"));
    private static final ByteBuffer CRLF_LAST_CHUNK = ByteBuffer.wrap(HeadWriter.ascii("\r\n0\r\n\r\n"));

    private Chunks() {}

    /**
     * Puts the framing of a chunk around the bytes of a segment, in the same segment. Returns false, and changes nothing, if there is no
     * room.
     *
     * @param body the bytes between the position and the limit of its buffer. If the result is true, the whole chunk
     * @param last whether the body ends with this chunk
     */
    static boolean frame(Segment body, boolean last) {
        ByteBuffer buffer = body.buffer();
        int begin = buffer.position();
        int end = buffer.limit();
        if (!HeadWriter.hasRoomBehind(buffer)) {
            return false;
        }
        buffer.limit(buffer.capacity()).position(end);
        boolean framed = HeadWriter.copyBehind(buffer, begin, end - begin, true, last);
        if (framed) {
            buffer.flip().position(end);
        } else {
            buffer.limit(end).position(begin);
        }
        return framed;
    }

    /** The line before a chunk of {@code size} bytes. */
    static ByteBuffer open(long size) {
        ByteBuffer line = ByteBuffer.allocate(18);
        HeadWriter.chunkSize(line, size);
        return line.flip();
    }

    /** The line end behind a chunk. If {@code last} is true, the end of the body follows. */
    static ByteBuffer close(boolean last) {
        return (last ? CRLF_LAST_CHUNK : CRLF).duplicate();
    }

    /** The end of a body. */
    static ByteBuffer end() {
        return LAST_CHUNK.duplicate();
    }

    /** The end of a body, with trailers if there are any. */
    static ByteBuffer end(Fields trailers) {
        if (trailers.size() == 0) {
            return end();
        }
        int size = 16;
        for (int i = 0; i < trailers.size(); i++) {
            size += trailers.name(i).length() + trailers.value(i).length() + 4;
        }
        ByteBuffer buffer = ByteBuffer.allocate(size);
        buffer.put((byte) '0');
        HeadWriter.crlf(buffer);
        HeadWriter.fields(buffer, trailers);
        HeadWriter.crlf(buffer);
        return buffer.flip();
    }
}
