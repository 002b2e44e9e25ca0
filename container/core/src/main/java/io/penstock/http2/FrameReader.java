package io.penstock.http2;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Splits the client's bytes into the preface and frames (RFC 9113 sections 3.4 and 4.1). The payload of DATA is passed on as it arrives. All other payloads are
 * collected, and are passed on whole.
 *
 * <p>Thread: the connection's reactor. Owns: the part of a payload that has arrived. Between two frames it holds no memory.
 */
final class FrameReader {

    private static final byte[] NONE = {};

    private int prefaceLeft = Frame.PREFACE.length;
    private final byte[] header = new byte[Frame.HEADER];
    private int headerLength;

    // The frame whose payload arrives.
    private int length;
    private int type;
    private int flags;
    private int stream;

    // Of a DATA frame: the octets that have not arrived yet, and those of them that are padding.
    private int remaining;
    private int padding;
    private boolean inData;

    // Of another frame.
    private byte[] payload = NONE;
    private int payloadLength;

    /** Whether a part of a frame has arrived. */
    boolean isInside() {
        return headerLength > 0;
    }

    /**
     * Reads frames, until the buffer is empty, or until {@link Http2Connection#mayGoOn} or {@link Http2Connection#takesData} is false.
     *
     * @param scratch room for one payload, which is used when the whole payload has arrived
     */
    void read(ByteBuffer in, byte[] scratch, Http2Connection to) throws ConnectionError, IOException {
        while (prefaceLeft > 0 && in.hasRemaining()) {
            if (in.get() != Frame.PREFACE[Frame.PREFACE.length - prefaceLeft]) {
                throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "no preface of HTTP/2");
            }
            prefaceLeft--;
        }
        while (to.mayGoOn() && (in.hasRemaining() || inData && remaining == 0)) {
            if (inData) {
                if (!readData(in, to)) {
                    return;
                }
            } else if (headerLength < Frame.HEADER) {
                readHeader(in, to);
            } else {
                readPayload(in, scratch, to);
            }
            if (headerLength == Frame.HEADER && !inData && length == 0 && type != Frame.DATA) {
                end(NONE, 0, 0, to);
            }
        }
    }

    private void readHeader(ByteBuffer in, Http2Connection to) throws ConnectionError, IOException {
        int count = Math.min(in.remaining(), Frame.HEADER - headerLength);
        in.get(header, headerLength, count);
        headerLength += count;
        if (headerLength < Frame.HEADER) {
            return;
        }
        length = (header[0] & 0xFF) << 16 | (header[1] & 0xFF) << 8 | header[2] & 0xFF;
        type = header[3] & 0xFF;
        flags = header[Frame.FLAGS_AT] & 0xFF;
        stream = (header[5] & 0x7F) << 24 | (header[6] & 0xFF) << 16 | (header[7] & 0xFF) << 8 | header[8] & 0xFF;
        if (length > Frame.MAX_PAYLOAD) {
            throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, "frame that is too long");
        }
        if (type == Frame.DATA) {
            to.data(stream, length);
            inData = true;
            remaining = length;
            padding = (flags & Frame.PADDED) != 0 ? -1 : 0; // -1: its length has not arrived
            if (padding < 0 && length == 0) {
                throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, "padded frame without the length of its padding");
            }
        }
    }

    /** Returns whether reading goes on. */
    private boolean readData(ByteBuffer in, Http2Connection to) throws ConnectionError, IOException {
        if (padding < 0) {
            padding = in.get() & 0xFF;
            remaining--;
            if (padding > remaining) {
                throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "padding longer than its frame");
            }
        }
        int content = Math.min(remaining - padding, in.remaining());
        if (content > 0) {
            if (!to.takesData()) {
                return false;
            }
            int limit = in.limit();
            int before = in.position();
            in.limit(before + content);
            try {
                to.dataOctets(in);
            } finally {
                in.limit(limit);
                remaining -= in.position() - before;
            }
            if (in.position() - before < content) {
                return false;
            }
        }
        if (remaining <= padding) {
            int skipped = Math.min(remaining, in.remaining());
            in.position(in.position() + skipped);
            remaining -= skipped;
            padding -= skipped;
        }
        if (remaining == 0) {
            inData = false;
            headerLength = 0;
            to.dataEnd((flags & Frame.END_STREAM) != 0);
        }
        return true;
    }

    private void readPayload(ByteBuffer in, byte[] scratch, Http2Connection to) throws ConnectionError, IOException {
        if (payloadLength == 0 && in.remaining() >= length) {
            in.get(scratch, 0, length);
            end(scratch, 0, length, to);
            return;
        }
        if (payload.length < length) {
            to.incoming().holdPayload(length);
            payload = new byte[length];
        }
        int count = Math.min(in.remaining(), length - payloadLength);
        in.get(payload, payloadLength, count);
        payloadLength += count;
        if (payloadLength == length) {
            byte[] whole = payload;
            payload = NONE;
            payloadLength = 0;
            end(whole, 0, length, to);
            to.incoming().releasePayload();
        }
    }

    /** The frame is complete. Its padding and its priority are removed (RFC 9113 section 6.2). */
    private void end(byte[] bytes, int from, int to, Http2Connection frames) throws ConnectionError, IOException {
        headerLength = 0;
        int start = from;
        int stop = to;
        if (type == Frame.HEADERS || type == Frame.PUSH_PROMISE) {
            boolean padded = (flags & Frame.PADDED) != 0;
            if (padded) {
                if (start == stop) {
                    throw new ConnectionError(
                            ErrorCode.FRAME_SIZE_ERROR, "padded frame without the length of its padding");
                }
                stop -= bytes[start++] & 0xFF;
            }
            if ((flags & Frame.WITH_PRIORITY) != 0) {
                if (stop - start < 5 && !padded) {
                    throw new ConnectionError(ErrorCode.FRAME_SIZE_ERROR, "frame without its priority");
                }
                int dependency =
                        stop - start < 5 ? 0 : ByteBuffer.wrap(bytes, start, 4).getInt() & Integer.MAX_VALUE;
                if (dependency == stream) {
                    throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "stream that depends on itself");
                }
                start += 5;
            }
            if (start > stop) {
                throw new ConnectionError(ErrorCode.PROTOCOL_ERROR, "padding longer than its frame");
            }
        }
        frames.frame(type, flags, stream, bytes, start, stop);
    }

    /** A copy of a part of a payload. */
    static byte[] copy(byte @Nullable [] before, byte[] more, int start, int end) {
        if (before == null) {
            return Arrays.copyOfRange(more, start, end);
        }
        byte[] both = Arrays.copyOf(before, before.length + end - start);
        System.arraycopy(more, start, both, before.length, end - start);
        return both;
    }
}
