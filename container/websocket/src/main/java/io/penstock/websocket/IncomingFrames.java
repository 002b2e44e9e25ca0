package io.penstock.websocket;

import jakarta.websocket.CloseReason.CloseCodes;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes a client's frames to the WebSocket engine (RFC 6455 section 5.2). For each frame, the engine allocates as many bytes as the
 * frame's head declares. So a frame that is too large is refused after its head. A large allowed frame is passed to the engine in fragments
 * while it arrives (section 5.4). The engine limits the total size of the fragments.
 *
 * <p>Thread: the thread of the connection.
 *
 * <pre>
 *   HEAD --two to fourteen octets--> PAYLOAD --as many as the head says--> HEAD
 * </pre>
 */
final class IncomingFrames {
    /**
     * The maximum number of payload bytes in one fragment. The number is a multiple of four, because the mask of a frame has four bytes. So
     * each fragment can have the mask of the frame.
     */
    static final int FRAGMENT = 4 * 1024;

    /** The approximate bytes of memory that the engine needs for a fragment in addition to the payload. */
    static final int OVERHEAD = 64;

    private static final int SHORTEST_HEAD = 2;
    private static final int LONGEST_HEAD = 14;
    private static final int MASK = 4;
    private static final int SPACE_FOR_HEAD = 4 + MASK;
    private static final int LARGEST_CONTROL = 125;
    private static final int TWO_OCTETS = 126;
    private static final int EIGHT_OCTETS = 127;
    private static final int FIN = 0x80;
    private static final int MASKED = 0x80;
    private static final int CONTROL = 0x08;

    private enum Stage {
        HEAD,
        PAYLOAD
    }

    private final long mostPayload;
    private final Consumer<ByteBuffer> engine;
    private final byte[] head = new byte[LONGEST_HEAD];
    private Stage stage = Stage.HEAD;
    private int headLength;

    /** The bytes of the frame's payload that do not belong to {@link #fragment} or to an earlier fragment. */
    private long left;

    /** The current fragment: space for a head, followed by payload. The field is null between fragments. */
    private byte @Nullable [] fragment;

    private int filled;

    /** The first octet of the frame's next fragment, without its FIN bit. */
    private int next;

    /** The payload bytes of an unfinished message that the engine has got. */
    private long payload;

    private long fragments;

    /**
     * @param mostPayload the most bytes of a frame's payload
     * @param engine receives one complete frame or fragment at a time
     */
    IncomingFrames(long mostPayload, Consumer<ByteBuffer> engine) {
        this.mostPayload = mostPayload;
        this.engine = engine;
    }

    /** Takes all bytes of {@code bytes}. */
    void take(ByteBuffer bytes) throws RefusedFrameException {
        while (bytes.hasRemaining()) {
            if (stage == Stage.HEAD) {
                head[headLength++] = bytes.get();
                if (headLength == SHORTEST_HEAD && (head[1] & MASKED) == 0) {
                    throw new RefusedFrameException(CloseCodes.PROTOCOL_ERROR, "A client's frame must be masked.");
                }
                if (headLength >= SHORTEST_HEAD && headLength == wholeHead()) {
                    begin();
                }
            } else {
                byte[] filling = filling();
                int count = Math.min(bytes.remaining(), filling.length - filled);
                bytes.get(filling, filled, count);
                filled += count;
                if (filled == filling.length) {
                    handOver(filling);
                }
            }
        }
    }

    private int wholeHead() {
        int length = shortLength();
        int more = length < TWO_OCTETS ? 0 : length == TWO_OCTETS ? Short.BYTES : Long.BYTES;
        return SHORTEST_HEAD + more + MASK;
    }

    private int shortLength() {
        return head[1] & ~MASKED & 0xff;
    }

    private boolean isControl() {
        return (head[0] & CONTROL) != 0;
    }

    private void begin() throws RefusedFrameException {
        if (isControl() && shortLength() > LARGEST_CONTROL) {
            throw new RefusedFrameException(CloseCodes.PROTOCOL_ERROR, "A control frame is too large.");
        }
        long length = length();
        if (length < 0) {
            throw new RefusedFrameException(CloseCodes.PROTOCOL_ERROR, "A frame cannot be that large.");
        }
        if (length < shortestOfItsForm()) {
            throw new RefusedFrameException(CloseCodes.PROTOCOL_ERROR, "A length must have its shortest form.");
        }
        if (length > mostPayload) {
            throw new RefusedFrameException(CloseCodes.TOO_BIG, "The frame is too large.");
        }
        next = head[0] & ~FIN;
        left = length;
        stage = Stage.PAYLOAD;
        if (length == 0) {
            handOver(filling());
        }
    }

    private long length() {
        ByteBuffer extended = ByteBuffer.wrap(head, SHORTEST_HEAD, Long.BYTES);
        int length = shortLength();
        return length < TWO_OCTETS
                ? length
                : length == TWO_OCTETS ? Short.toUnsignedInt(extended.getShort()) : extended.getLong();
    }

    /**
     * The smallest length that a client can send in the form of the current head. A client must use the shortest form of a length (RFC 6455
     * section 5.2).
     */
    private long shortestOfItsForm() {
        return switch (shortLength()) {
            case TWO_OCTETS -> TWO_OCTETS;
            case EIGHT_OCTETS -> 1L << Short.SIZE;
            default -> 0;
        };
    }

    private byte[] filling() {
        byte[] filling = fragment;
        if (filling == null) {
            int size = (int) Math.min(left, FRAGMENT);
            left -= size;
            filling = new byte[SPACE_FOR_HEAD + size];
            filled = SPACE_FOR_HEAD;
            fragment = filling;
        }
        return filling;
    }

    private void handOver(byte[] whole) {
        fragment = null;
        boolean endsFrame = left == 0;
        boolean ends = endsFrame && (head[0] & FIN) != 0;
        int size = whole.length - SPACE_FOR_HEAD;
        int first = next | (ends ? FIN : 0);
        // The next fragments of this frame are continuation frames.
        next = 0;
        if (endsFrame) {
            stage = Stage.HEAD;
            headLength = 0;
        }
        if (!isControl()) {
            if (first == 0 && size == 0 && fragments > 0) {
                // An empty fragment has no effect, but the engine would keep it in memory.
                return;
            }
            count(ends, size);
        }
        engine.accept(frame(whole, first, size));
    }

    private void count(boolean ends, int size) {
        payload = ends ? 0 : payload + size;
        fragments = ends ? 0 : fragments + 1;
    }

    private ByteBuffer frame(byte[] whole, int first, int size) {
        int mask = wholeHead() - MASK;
        System.arraycopy(head, mask, whole, SPACE_FOR_HEAD - MASK, MASK);
        boolean isShort = size < TWO_OCTETS;
        int start = isShort ? Short.BYTES : 0;
        whole[start] = (byte) first;
        whole[start + 1] = (byte) (MASKED | (isShort ? size : TWO_OCTETS));
        if (!isShort) {
            whole[SHORTEST_HEAD] = (byte) (size >> Byte.SIZE);
            whole[SHORTEST_HEAD + 1] = (byte) size;
        }
        return ByteBuffer.wrap(whole, start, whole.length - start);
    }

    /**
     * The approximate heap bytes of the unfinished message. If the message is longer than {@code mostPayload}, no endpoint takes it as a
     * whole. Then the engine passes the message to the endpoint in parts, and keeps no parts.
     */
    long held() {
        byte[] filling = fragment;
        long ofFragment = filling == null ? 0 : filling.length;
        return ofFragment + (payload > mostPayload ? 0 : payload + fragments * OVERHEAD);
    }
}
