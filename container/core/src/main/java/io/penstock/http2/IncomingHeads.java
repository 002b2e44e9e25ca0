package io.penstock.http2;

import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.ServerResources;
import io.penstock.http.FieldSection;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.memory.HeapSize;
import org.jspecify.annotations.Nullable;

/**
 * The heads and trailers that a client sends: those that arrive in several frames (RFC 9113 section 6.10), and the dynamic table that all of
 * them use. What they make the server hold is reserved in the {@link HeadBudget}.
 *
 * <p>Thread: the reactor.
 */
final class IncomingHeads {
    /** The most frames of a head, after which its client can only want to keep the server busy (CVE-2023-45288). */
    private static final int MAX_CONTINUATIONS = 8;

    private static final byte[] NOTHING = {};

    private final ServerResources server;
    private final HpackDecoder hpack = new HpackDecoder(Http2Parts.TABLE_SIZE);

    // The head that arrives in several frames.
    private int stream; // 0: none
    private byte @Nullable [] block;
    private boolean endsStream;
    private int continuations;

    // Reservations: of the incomplete head, of an incomplete payload, and of the dynamic table.
    private int blockReserved;
    private int payloadReserved;
    private int octetsReserved;
    private int entriesReserved;

    IncomingHeads(ServerResources server) {
        this.server = server;
    }

    /** Whether a head has begun and is not complete. */
    boolean isInside() {
        return stream != 0;
    }

    /** Whether no frame may come but the next part of this stream's head. */
    boolean isOf(int number) {
        return stream != 0 && stream == number;
    }

    /** A head begins whose frame does not end it. */
    void begin(int number, boolean ends, byte[] payload, int start, int end) throws ConnectionError {
        stream = number;
        endsStream = ends;
        continuations = 0;
        add(payload, start, end);
    }

    void goOn(byte[] payload, int start, int end) throws ConnectionError {
        if (++continuations > MAX_CONTINUATIONS) {
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "head in too many frames");
        }
        add(payload, start, end);
    }

    /** Keeps a part of a head. At most four times the limit of heads is kept, so that a head that is somewhat too large gets an answer. */
    private void add(byte[] payload, int start, int end) throws ConnectionError {
        byte[] more = FrameReader.copy(block, payload, start, end);
        if (more.length > 4L * server.config().messages().headerBytes()) {
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "head that is much too large");
        }
        blockReserved = hold(blockReserved, more.length);
        block = more;
    }

    /** Whether the complete head ends its stream. */
    boolean endsStream() {
        return endsStream;
    }

    /** Returns the block of the complete head. The caller then calls {@link #release}. */
    byte[] complete() {
        byte[] whole = block == null ? NOTHING : block;
        stream = 0;
        block = null;
        return whole;
    }

    void release() {
        server.headBudget().giveBack(blockReserved);
        blockReserved = 0;
    }

    /** Decodes a whole head or trailer section. */
    void decode(byte[] whole, int start, int end, FieldSection fields) throws ConnectionError {
        hpack.decode(whole, start, end, fields);
        octetsReserved = hold(octetsReserved, hpack.heldByOctets());
        entriesReserved = hold(entriesReserved, hpack.heldByEntries());
    }

    /** The payload of a frame arrives in pieces. */
    void holdPayload(int bytes) throws ConnectionError {
        payloadReserved = hold(payloadReserved, HeapSize.array(bytes));
    }

    void releasePayload() {
        server.headBudget().giveBack(payloadReserved);
        payloadReserved = 0;
    }

    private int hold(int former, int bytes) throws ConnectionError {
        try {
            return server.headBudget().reserve(former, bytes, false);
        } catch (Violation full) {
            server.reached(Key.HEAD_BUDGET);
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, Key.HEAD_BUDGET.id());
        }
    }

    /** The connection has closed. */
    void close() {
        release();
        releasePayload();
        server.headBudget().giveBack(octetsReserved);
        server.headBudget().giveBack(entriesReserved);
    }
}
