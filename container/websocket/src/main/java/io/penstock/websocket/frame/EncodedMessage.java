package io.penstock.websocket.frame;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A message, or a part of one, to send. Its bytes are encoded once, and compressed at most once, for all connections to which it is sent.
 * Thread: any.
 */
public final class EncodedMessage {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    /** A shorter text is encoded faster than it is found again. */
    private static final int SHORTEST_SHARED = 256;

    /** Up to this size, head and payload are in one buffer, so that they need one write. */
    private static final int ONE_BUFFER = 8 * 1024;

    /** The last text of each thread. A thread that sends one text to many sessions encodes it once. */
    private static final ThreadLocal<@Nullable Recent> RECENT = new ThreadLocal<>();

    private record Recent(WeakReference<String> text, WeakReference<EncodedMessage> message) {}

    /** How much of a message this is. */
    enum Extent {
        WHOLE,
        PART,
        LAST_PART
    }

    private final int kind;
    private final Extent extent;
    private final ByteBuffer payload;

    @GuardedBy("this")
    private @Nullable Frame plain;

    /** The frame that has been found to be the shortest, which is the plain one for bytes that cannot be compressed. */
    @GuardedBy("this")
    private @Nullable Frame shortest;

    /** The bytes of a frame, which any number of connections can send at the same time by duplicates. */
    record Frame(ByteBuffer head, ByteBuffer payload) {

        /** A frame of a server. */
        static Frame of(int first, ByteBuffer payload) {
            int length = payload.remaining();
            boolean one = length <= ONE_BUFFER;
            ByteBuffer head = ByteBuffer.allocate(one ? headLength(length) + length : headLength(length));
            putHead(head, first, 0, length);
            if (one) {
                head.put(payload.duplicate());
            }
            return new Frame(head.flip(), one ? NOTHING : payload);
        }

        /** A frame of a client (RFC 6455 section 5.3). */
        static Frame masked(int first, ByteBuffer payload, int mask) {
            int length = payload.remaining();
            int head = headLength(length) + FrameReader.MASK;
            ByteBuffer bytes = ByteBuffer.allocate(head + length);
            putHead(bytes, first, FrameReader.MASKED, length);
            bytes.order(ByteOrder.nativeOrder()).putInt(mask).put(payload.duplicate());
            FrameReader.unmask(bytes.array(), head, head + length, mask);
            return new Frame(bytes.flip(), NOTHING);
        }

        private static int headLength(int length) {
            return length < FrameReader.TWO_OCTETS
                    ? Short.BYTES
                    : length < 1 << Short.SIZE ? 2 * Short.BYTES : Short.BYTES + Long.BYTES;
        }

        private static void putHead(ByteBuffer to, int first, int masked, int length) {
            to.put((byte) first);
            if (length < FrameReader.TWO_OCTETS) {
                to.put((byte) (masked | length));
            } else if (length < 1 << Short.SIZE) {
                to.put((byte) (masked | FrameReader.TWO_OCTETS)).putShort((short) length);
            } else {
                to.put((byte) (masked | FrameReader.EIGHT_OCTETS)).putLong(length);
            }
        }

        int size() {
            return head.remaining() + payload.remaining();
        }
    }

    private EncodedMessage(int kind, Extent extent, ByteBuffer payload) {
        this.kind = kind;
        this.extent = extent;
        this.payload = payload;
    }

    /**
     * A text message. A call with the same object as the last call of the thread returns the same message, so that a broadcast encodes and
     * compresses once.
     */
    @SuppressWarnings("ReferenceEquality") // to compare the characters would take as long as to encode them
    public static EncodedMessage text(String text) {
        if (text.length() < SHORTEST_SHARED) {
            return new EncodedMessage(FrameReader.TEXT, Extent.WHOLE, encode(text));
        }
        Recent recent = RECENT.get();
        EncodedMessage known =
                recent != null && recent.text().get() == text ? recent.message().get() : null;
        if (known == null) {
            known = new EncodedMessage(FrameReader.TEXT, Extent.WHOLE, encode(text));
            RECENT.set(new Recent(new WeakReference<>(text), new WeakReference<>(known)));
        }
        return known;
    }

    /** A binary message. The bytes must not change until the message has been sent. The position of {@code bytes} does not change. */
    public static EncodedMessage binary(ByteBuffer bytes) {
        return new EncodedMessage(FrameReader.BINARY, Extent.WHOLE, bytes.slice());
    }

    /** A part of a text message. A part may not end between two surrogates. Parts are not compressed. */
    public static EncodedMessage textPart(String part, boolean last) {
        return new EncodedMessage(FrameReader.TEXT, last ? Extent.LAST_PART : Extent.PART, encode(part));
    }

    /** A part of a binary message, for which the same holds as for {@link #binary}. */
    public static EncodedMessage binaryPart(ByteBuffer part, boolean last) {
        return new EncodedMessage(FrameReader.BINARY, last ? Extent.LAST_PART : Extent.PART, part.slice());
    }

    private static ByteBuffer encode(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    int kind() {
        return kind;
    }

    Extent extent() {
        return extent;
    }

    ByteBuffer payload() {
        return payload;
    }

    boolean isCompressible() {
        return extent == Extent.WHOLE && payload.remaining() > Compression.SMALLEST;
    }

    /** The frame of a whole message of a server, without compression. */
    synchronized Frame plain() {
        Frame made = plain;
        if (made == null) {
            made = Frame.of(FrameReader.FIN | kind, payload);
            plain = made;
        }
        return made;
    }

    /** The frame of a whole message of a server, compressed without context if that makes it shorter. */
    synchronized Frame shortest() {
        Frame made = shortest;
        if (made == null) {
            ByteBuffer deflated = isCompressible() ? Compression.compressAlone(payload) : payload;
            made = deflated.remaining() < payload.remaining()
                    ? Frame.of(FrameReader.FIN | FrameReader.COMPRESSED | kind, deflated)
                    : plain();
            shortest = made;
        }
        return made;
    }
}
