package io.penstock.websocket;

import jakarta.websocket.CloseReason.CloseCodes;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A client's frames on their way to the engine (RFC 6455 section 5.2). The engine keeps what it is given of a frame on the heap, as large
 * as the client has said that it will be; so a frame is refused at its head where it may be, and a large one is handed over in fragments
 * as it comes (section 5.4), for which the engine has its bounds.
 *
 * <p>Thread: that of its connection.
 *
 * <pre>
 *   HEAD --two to fourteen octets--> PAYLOAD --as many as the head says--> HEAD
 * </pre>
 */
final class IncomingFrames {
    /** Of a payload; a multiple of four, so that each fragment is masked as the frame is. */
    static final int FRAGMENT = 4 * 1024;

    /** What the engine needs to keep a fragment, about. */
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

    /** What has not come of the frame's payload, but for what is in {@link #fragment}. */
    private long left;

    /** Space for a head, then payload; null between fragments. */
    private byte @Nullable [] fragment;

    private int filled;

    /** The first octet of the frame's next fragment, but for its FIN. */
    private int next;

    /** Payload and fragments of the message that the engine has got, if that has not ended. */
    private long payload;

    private long fragments;

    /**
     * @param mostPayload of a frame
     * @param engine gets a whole frame at a time
     */
    IncomingFrames(long mostPayload, Consumer<ByteBuffer> engine) {
        this.mostPayload = mostPayload;
        this.engine = engine;
    }

    /** Takes all that is there. */
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

    /** A length that fits into fewer octets must be written in fewer (RFC 6455 section 5.2). */
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
        next = 0; // what follows in the frame continues it
        if (endsFrame) {
            stage = Stage.HEAD;
            headLength = 0;
        }
        if (!isControl()) {
            if (first == 0 && size == 0 && fragments > 0) {
                return; // says nothing, and the engine would keep as many as come
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
     * Bytes on the heap of what has not come whole, about. A message that is longer than any endpoint takes whole is taken in parts: of
     * that the engine keeps nothing.
     */
    long held() {
        byte[] filling = fragment;
        long ofFragment = filling == null ? 0 : filling.length;
        return ofFragment + (payload > mostPayload ? 0 : payload + fragments * OVERHEAD);
    }
}
