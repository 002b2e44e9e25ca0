package io.penstock.http2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The frames of HTTP/2 (RFC 9113 sections 4 and 6): their types, flags and sizes, and how small ones are written. */
final class Frame {
    /** What a client sends before its first frame (RFC 9113 section 3.4). */
    static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    static final int DATA = 0x0;
    static final int HEADERS = 0x1;
    static final int PRIORITY = 0x2;
    static final int RST_STREAM = 0x3;
    static final int SETTINGS = 0x4;
    static final int PUSH_PROMISE = 0x5;
    static final int PING = 0x6;
    static final int GOAWAY = 0x7;
    static final int WINDOW_UPDATE = 0x8;
    static final int CONTINUATION = 0x9;
    /** RFC 9218 section 7.1. */
    static final int PRIORITY_UPDATE = 0x10;

    static final int ACK = 0x1;
    static final int END_STREAM = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int WITH_PRIORITY = 0x20;

    /** The octets before each payload. */
    static final int HEADER = 9;

    /** The index of the flags within the header. */
    static final int FLAGS_AT = 4;

    /** The longest payload that each peer accepts, and the longest that this server accepts. */
    static final int MAX_PAYLOAD = 16_384;

    static final int MAX_STREAM_ID = Integer.MAX_VALUE;

    /** The window of a stream or of a connection before either side says something else. */
    static final int FIRST_WINDOW = 65_535;

    static final int MAX_WINDOW = Integer.MAX_VALUE;

    // Parameters of SETTINGS (RFC 9113 section 6.5.2, RFC 9218 section 2.1).
    static final int HEADER_TABLE_SIZE = 0x1;
    static final int ENABLE_PUSH = 0x2;
    static final int MAX_CONCURRENT_STREAMS = 0x3;
    static final int INITIAL_WINDOW_SIZE = 0x4;
    static final int MAX_FRAME_SIZE = 0x5;
    static final int MAX_HEADER_LIST_SIZE = 0x6;
    /** RFC 8441 section 3. */
    static final int ENABLE_CONNECT_PROTOCOL = 0x8;

    static final int NO_RFC7540_PRIORITIES = 0x9;

    private Frame() {}

    /** Puts the header of a frame. */
    static ByteBuffer header(ByteBuffer out, int length, int type, int flags, int stream) {
        return out.put((byte) (length >>> 16))
                .put((byte) (length >>> 8))
                .put((byte) length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream);
    }

    private static ByteBuffer small(int length, int type, int flags, int stream) {
        return header(ByteBuffer.allocate(HEADER + length), length, type, flags, stream);
    }

    static byte[] reset(int stream, ErrorCode code) {
        return small(4, RST_STREAM, 0, stream).putInt(code.number()).array();
    }

    static byte[] windowUpdate(int stream, int increment) {
        return small(4, WINDOW_UPDATE, 0, stream).putInt(increment).array();
    }

    static byte[] settingsAck() {
        return small(0, SETTINGS, ACK, 0).array();
    }

    /** @param parameters each identifier, followed by its value */
    static byte[] settings(int... parameters) {
        int length = parameters.length * 3;
        byte[] frame = new byte[HEADER + length];
        ByteBuffer out = header(ByteBuffer.wrap(frame), length, SETTINGS, 0, 0);
        for (int i = 0; i < parameters.length; i += 2) {
            out.putShort((short) parameters[i]).putInt(parameters[i + 1]);
        }
        return frame;
    }

    static byte[] ping(long opaque, int flags) {
        return small(8, PING, flags, 0).putLong(opaque).array();
    }

    static byte[] goAway(int lastStream, ErrorCode code) {
        return small(8, GOAWAY, 0, 0).putInt(lastStream).putInt(code.number()).array();
    }
}
