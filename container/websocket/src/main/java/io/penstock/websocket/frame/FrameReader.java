package io.penstock.websocket.frame;

import io.penstock.part.UpgradedConnection.Figure;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of the peer (RFC 6455 section 5), and passes messages and control frames to the connection. Bytes are unmasked, checked
 * and inflated as they arrive. Memory is needed only for an unfinished frame head, and for an unfinished message that the listener takes as
 * a whole. Its size is limited, and grows with the bytes that have arrived, not with the length that the peer declares.
 *
 * <p>Thread: the thread that feeds the connection. After a {@link Violation}, and after the close frame, no method may be called.
 *
 * <pre>
 *   HEAD --two to fourteen octets--> PAYLOAD --as many as the head says--> HEAD
 * </pre>
 */
final class FrameReader {
    static final int CONTINUATION = 0;
    static final int TEXT = 1;
    static final int BINARY = 2;
    static final int CLOSE = 8;
    static final int PING = 9;
    static final int PONG = 10;

    static final int FIN = 0x80;
    static final int COMPRESSED = 0x40;
    static final int MASKED = 0x80;
    static final int MASK = 4;
    static final int LARGEST_CONTROL = 125;
    static final int TWO_OCTETS = 126;
    static final int EIGHT_OCTETS = 127;

    private static final int RESERVED = 0x30;
    private static final int OPCODE = 0x0f;
    private static final int CONTROL = 0x08;
    private static final int SHORTEST_HEAD = 2;
    private static final int LONGEST_HEAD = 14;
    private static final int BYTES_OF_CHARACTER = 3;

    /** A message gets at most this many times the memory of the bytes that have arrived. */
    private static final int GROWTH = 8;

    private static final int SMALLEST_BUFFER = 512;
    private static final int LARGEST_ARRAY = Integer.MAX_VALUE - 16;
    private static final byte[] NO_BYTES = {};

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private enum Stage {
        HEAD,
        PAYLOAD
    }

    /** Who may keep an array: the thread that feeds the connection uses its own again. */
    private enum Owner {
        FEEDER,
        LISTENER
    }

    private final FrameConnection connection;
    private final boolean masked;
    private final @Nullable Compression compression;

    private Stage stage = Stage.HEAD;

    /** The octets of an unfinished head. */
    private byte[] head = NO_BYTES;

    // The present frame.
    private int first;
    private int mask;
    private long length;
    private long left;

    /** The payload of an unfinished control frame. */
    private byte[] control = NO_BYTES;

    // The present message: TEXT, BINARY, or CONTINUATION for none.
    private int kind = CONTINUATION;
    private boolean compressed;
    private boolean parts;
    private int utf8 = Utf8.BOUNDARY;

    /** The bytes that the listener has not got, and their number. */
    private byte[] message = NO_BYTES;

    private int size;

    /** The frames that have begun since they were last counted. */
    private int uncounted;

    /** Whether a message has ended since that was last asked. */
    private boolean ended;

    FrameReader(FrameConnection connection, boolean masked, @Nullable Compression compression) {
        this.connection = connection;
        this.masked = masked;
        this.compression = compression;
    }

    /** The heap bytes of an unfinished message. */
    int held() {
        return message.length;
    }

    /** Drops the unfinished message. No other method may be called afterwards. */
    void dropUnfinished() {
        message = NO_BYTES;
        size = 0;
    }

    /** Whether a message has ended since the last call. */
    boolean takeEnded() {
        boolean was = ended;
        ended = false;
        return was;
    }

    /** Takes the bytes from {@code from} to {@code to}, which are unmasked in place. */
    void take(byte[] bytes, int from, int to) throws Violation {
        try {
            takeFrames(bytes, from, to);
        } finally {
            if (uncounted > 0) {
                connection.transport().count(Figure.FRAMES_RECEIVED, uncounted);
                uncounted = 0;
            }
        }
    }

    private void takeFrames(byte[] bytes, int from, int to) throws Violation {
        int at = from;
        while (at < to && !connection.isPeerClosed()) {
            if (stage == Stage.HEAD) {
                at = takeHead(bytes, at, to);
            } else {
                int count = (int) Math.min(left, to - at);
                takePayload(bytes, at, at + count);
                at += count;
            }
        }
    }

    // ---- heads

    private int takeHead(byte[] bytes, int from, int to) throws Violation {
        if (head.length == 0) {
            int whole = headLength(bytes, from, to - from);
            if (whole <= to - from) {
                begin(bytes, from);
                return from + whole;
            }
        }
        // The head is cut. It is completed octet by octet, so that a wrong octet is found before the others arrive.
        int known = head.length;
        head = Arrays.copyOf(head, known + 1);
        head[known] = bytes[from];
        if (headLength(head, 0, head.length) == head.length) {
            byte[] complete = head;
            head = NO_BYTES;
            begin(complete, 0);
        }
        return from + 1;
    }

    /** The octets of the head, as far as they are known. Refuses what the first two octets show. */
    private int headLength(byte[] bytes, int at, int available) throws Violation {
        if (available < SHORTEST_HEAD) {
            return SHORTEST_HEAD;
        }
        int octets = bytes[at];
        int second = bytes[at + 1];
        if ((second & MASKED) != 0 != masked) {
            throw protocolError(masked ? "A client's frame must be masked." : "A server's frame must not be masked.");
        }
        checkFirst(octets, second & ~MASKED & 0xff);
        int shortLength = second & ~MASKED & 0xff;
        int more = shortLength < TWO_OCTETS ? 0 : shortLength == TWO_OCTETS ? Short.BYTES : Long.BYTES;
        return SHORTEST_HEAD + more + (masked ? MASK : 0);
    }

    private void checkFirst(int octet, int shortLength) throws Violation {
        int opcode = octet & OPCODE;
        boolean isControl = (opcode & CONTROL) != 0;
        boolean mayBeCompressed = compression != null && (opcode == TEXT || opcode == BINARY);
        if ((octet & RESERVED) != 0 || (octet & COMPRESSED) != 0 && !mayBeCompressed) {
            throw protocolError("A reserved bit is set.");
        }
        if (isControl ? opcode > PONG : opcode > BINARY) {
            throw protocolError("The opcode is reserved.");
        }
        if (isControl && ((octet & FIN) == 0 || shortLength > LARGEST_CONTROL)) {
            throw protocolError("A control frame is fragmented or too large.");
        }
        if (!isControl && (opcode == CONTINUATION) != (kind != CONTINUATION)) {
            throw protocolError(
                    opcode == CONTINUATION
                            ? "There is no message to continue."
                            : "A message begins before the end of the last one.");
        }
    }

    private void begin(byte[] bytes, int at) throws Violation {
        uncounted++;
        ByteBuffer in = ByteBuffer.wrap(bytes, at, Math.min(LONGEST_HEAD, bytes.length - at));
        first = in.get() & 0xff;
        int shortLength = in.get() & ~MASKED & 0xff;
        length = shortLength;
        if (shortLength == TWO_OCTETS) {
            length = Short.toUnsignedInt(in.getShort());
        } else if (shortLength == EIGHT_OCTETS) {
            length = in.getLong();
        }
        if (length < 0) {
            throw protocolError("A frame cannot be that large.");
        }
        if (length < shortestOfItsForm(shortLength)) {
            throw protocolError("A length must have its shortest form.");
        }
        mask = masked ? in.order(ByteOrder.nativeOrder()).getInt() : 0;
        left = length;
        if (!isControl()) {
            beginData();
        }
        stage = Stage.PAYLOAD;
        if (length == 0) {
            takePayload(bytes, at, at);
        }
    }

    /** The smallest length that the peer may send in this form (section 5.2). */
    private static long shortestOfItsForm(int shortLength) {
        return switch (shortLength) {
            case TWO_OCTETS -> TWO_OCTETS;
            case EIGHT_OCTETS -> 1L << Short.SIZE;
            default -> 0;
        };
    }

    private boolean isControl() {
        return (first & CONTROL) != 0;
    }

    private boolean endsMessage() {
        return left == 0 && (first & FIN) != 0;
    }

    private void beginData() throws Violation {
        if (kind == CONTINUATION) {
            kind = first & OPCODE;
            compressed = (first & COMPRESSED) != 0;
            parts = connection.takesParts(kind);
        }
        if (!parts && !compressed && connection.isDelivering()) {
            checkSize(length);
        }
    }

    /** Refuses a message of which more bytes will arrive than the listener takes. */
    private void checkSize(long more) throws Violation {
        int most = connection.largest(kind);
        // Only the whole text shows the number of its characters.
        long bytes = kind == TEXT ? (long) most * BYTES_OF_CHARACTER : most;
        if (more > bytes - size) {
            throw tooBig();
        }
    }

    // ---- payload

    private void takePayload(byte[] bytes, int from, int to) throws Violation {
        if (masked) {
            mask = unmask(bytes, from, to, mask);
        }
        left -= to - from;
        if (left == 0) {
            stage = Stage.HEAD;
        }
        if (isControl()) {
            takeControl(bytes, from, to);
        } else if (!connection.isDelivering()) {
            dropData();
        } else if (!compressed) {
            takeData(bytes, from, to, endsMessage());
        } else {
            inflate(bytes, from, to);
        }
    }

    /** Unmasks in place (section 5.3). Returns the mask of the following bytes. */
    static int unmask(byte[] bytes, int from, int to, int mask) {
        if (mask == 0) {
            return 0;
        }
        long wide = mask & 0xffff_ffffL | (long) mask << Integer.SIZE;
        int at = from;
        for (; at <= to - Long.BYTES; at += Long.BYTES) {
            LONGS.set(bytes, at, (long) LONGS.get(bytes, at) ^ wide);
        }
        boolean big = ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN;
        int rotated = mask;
        for (; at < to; at++) {
            bytes[at] ^= (byte) (big ? rotated >>> Integer.SIZE - Byte.SIZE : rotated);
            rotated = big ? Integer.rotateLeft(rotated, Byte.SIZE) : Integer.rotateRight(rotated, Byte.SIZE);
        }
        return rotated;
    }

    private void takeControl(byte[] bytes, int from, int to) throws Violation {
        boolean whole = left == 0;
        if (whole && control.length == 0) {
            handleControl(Arrays.copyOfRange(bytes, from, to));
            return;
        }
        int known = control.length;
        control = Arrays.copyOf(control, known + to - from);
        System.arraycopy(bytes, from, control, known, to - from);
        if (whole) {
            byte[] complete = control;
            control = NO_BYTES;
            handleControl(complete);
        }
    }

    private void handleControl(byte[] payload) throws Violation {
        switch (first & OPCODE) {
            case CLOSE -> handleClose(payload);
            case PING -> connection.onPing(ByteBuffer.wrap(payload));
            default -> connection.onPong(ByteBuffer.wrap(payload));
        }
    }

    private void handleClose(byte[] payload) throws Violation {
        if (payload.length == 0) {
            connection.onPeerClose(FrameConnection.NO_CODE, "");
            return;
        }
        if (payload.length < Short.BYTES) {
            throw protocolError("A close frame has half a code.");
        }
        int code = Short.toUnsignedInt(ByteBuffer.wrap(payload).getShort());
        if (!isCode(code)) {
            throw protocolError("The code of the close frame is reserved.");
        }
        if (Utf8.check(Utf8.BOUNDARY, payload, Short.BYTES, payload.length) != Utf8.BOUNDARY) {
            throw malformed();
        }
        connection.onPeerClose(
                code, new String(payload, Short.BYTES, payload.length - Short.BYTES, StandardCharsets.UTF_8));
    }

    /** Whether the peer may send the code (section 7.4, and the registry of IANA: 1012 to 1014). */
    private static boolean isCode(int code) {
        return code >= 1000 && code <= 1003 || code >= 1007 && code <= 1014 || code >= 3000 && code <= 4999;
    }

    private void inflate(byte[] bytes, int from, int to) throws Violation {
        Compression inflating = compression;
        if (inflating == null) {
            throw new IllegalStateException("The head was not checked");
        }
        connection.transport().count(Figure.COMPRESSED_BYTES, to - from);
        inflating.inflate(bytes, from, to, this::takeInflated);
        if (endsMessage()) {
            inflating.endMessage(this::takeInflated);
            takeData(NO_BYTES, 0, 0, true);
        }
    }

    private void takeInflated(byte[] bytes, int from, int to) throws Violation {
        if (!parts) {
            checkSize(to - from);
        }
        connection.transport().count(Figure.UNCOMPRESSED_BYTES, to - from);
        takeData(bytes, from, to, false);
    }

    private void dropData() {
        message = NO_BYTES;
        size = 0;
        if (endsMessage()) {
            kind = CONTINUATION;
        }
    }

    private void takeData(byte[] bytes, int from, int to, boolean last) throws Violation {
        boolean text = kind == TEXT;
        if (text) {
            utf8 = Utf8.check(utf8, bytes, from, to);
            if (utf8 == Utf8.MALFORMED || last && utf8 != Utf8.BOUNDARY) {
                throw malformed();
            }
        }
        if (last && size == 0) {
            end(bytes, from, to, Owner.FEEDER);
        } else if (last || !parts) {
            add(bytes, from, to);
            if (last) {
                byte[] all = message;
                int end = size;
                message = NO_BYTES;
                size = 0;
                end(all, 0, end, Owner.LISTENER);
            }
        } else if (text) {
            add(bytes, from, to);
            int whole = utf8 == Utf8.BOUNDARY ? size : Utf8.wholeCharacters(message, 0, size);
            String part = new String(message, 0, whole, StandardCharsets.UTF_8);
            message = Arrays.copyOfRange(message, whole, size);
            size = message.length;
            if (whole > 0) {
                connection.onText(part, false);
            }
        } else if (to > from) {
            connection.onBinary(ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to)), false);
        }
    }

    private void end(byte[] bytes, int from, int to, Owner owner) throws Violation {
        boolean text = kind == TEXT;
        boolean whole = !parts;
        kind = CONTINUATION;
        ended = true;
        if (text) {
            String last = new String(bytes, from, to - from, StandardCharsets.UTF_8);
            if (whole && last.length() > connection.largest(TEXT)) {
                throw tooBig();
            }
            connection.onText(last, true);
        } else {
            connection.onBinary(
                    owner == Owner.LISTENER
                            ? ByteBuffer.wrap(bytes, from, to - from)
                            : ByteBuffer.wrap(Arrays.copyOfRange(bytes, from, to)),
                    true);
        }
    }

    private void add(byte[] bytes, int from, int to) {
        int more = to - from;
        if (size + more > message.length) {
            long needed = size + (long) more;
            // The rest of a message in one frame is known, so no byte too many is reserved for it.
            long capacity =
                    endsWithFrame() ? Math.min(needed + left, needed * GROWTH) : Math.max(SMALLEST_BUFFER, 2 * needed);
            message = Arrays.copyOf(message, (int) Math.min(capacity, LARGEST_ARRAY));
        }
        System.arraycopy(bytes, from, message, size, more);
        size += more;
    }

    private boolean endsWithFrame() {
        return !compressed && (first & FIN) != 0;
    }

    private static Violation protocolError(String reason) {
        return new Violation(Violation.PROTOCOL_ERROR, reason);
    }

    private static Violation malformed() {
        return new Violation(Violation.NOT_CONSISTENT, "The text is not UTF-8.");
    }

    private static Violation tooBig() {
        return new Violation(Violation.TOO_BIG, "The message is too large.");
    }
}
