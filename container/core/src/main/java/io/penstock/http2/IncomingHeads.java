package io.penstock.http2;

import static io.penstock.http2.ControlFrames.require;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.HeadBudget;
import io.penstock.http.FieldSection;
import io.penstock.http.Fields;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.memory.HeapSize;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The heads and trailers that a client sends (RFC 9113 sections 6.2, 6.10 and 8.1), and the dynamic table that all of them use. Each whole
 * head begins a stream or is refused. What heads and payloads make the server hold until they are complete is reserved in the {@link
 * HeadBudget}, and has a deadline of its own: other streams may go on meanwhile, and further parts do not move it.
 *
 * <p>Thread: the reactor.
 */
final class IncomingHeads {
    /** The most frames of a head, after which its client can only want to keep the server busy (CVE-2023-45288). */
    private static final int MAX_CONTINUATIONS = 8;

    private static final byte[] NOTHING = {};

    private final Http2Connection connection;
    private final Http2Parts parts;
    private final StreamTable streams;
    private final HpackDecoder hpack = new HpackDecoder(Http2Parts.TABLE_SIZE);

    // The head that arrives in several frames.
    private int incomplete; // the number of its stream; 0: none
    private byte @Nullable [] block;
    private boolean endsStream;
    private int continuations;

    // Reservations: of the incomplete head, of an incomplete payload, and of the dynamic table.
    private int blockReserved;
    private int payloadReserved;
    private int octetsReserved;
    private int entriesReserved;

    // The time by which the head or the payload that arrives must be complete. Made when one arrives in pieces.
    private @Nullable Deadline late;

    IncomingHeads(Http2Connection connection, Http2Parts parts) {
        this.connection = connection;
        this.parts = parts;
        this.streams = connection.table();
    }

    /** Whether a head has begun and is not complete. No frame may come but its next part. */
    boolean isInside() {
        return incomplete != 0;
    }

    /** Whether a head, or the payload of a frame, has begun and is not complete. */
    boolean isIncomplete() {
        return incomplete != 0 || payloadReserved != 0;
    }

    // ---- frames

    void headers(int flags, int stream, byte[] payload, int start, int end) throws ConnectionError, IOException {
        require((stream & 1) == 1, ErrorCode.PROTOCOL_ERROR, "HEADERS of no stream of a client");
        Http2Stream known = streams.find(stream);
        if (known != null) {
            // The worker of an answered stream may still be at the end of its call.
            require(
                    !known.hasEndedInput() || known.isReset() || !known.output().isAnswered(),
                    ErrorCode.STREAM_CLOSED,
                    "HEADERS of a stream that is over");
        } else if (stream <= streams.last()) {
            require(
                    streams.wasCut(stream),
                    streams.wasUsed(stream) ? ErrorCode.STREAM_CLOSED : ErrorCode.PROTOCOL_ERROR,
                    "HEADERS of a stream that is over");
        }
        boolean ends = (flags & Frame.END_STREAM) != 0;
        if ((flags & Frame.END_HEADERS) != 0) {
            head(stream, ends, payload, start, end);
            return;
        }
        awaitRest();
        incomplete = stream;
        endsStream = ends;
        continuations = 0;
        add(payload, start, end);
    }

    void continuation(int flags, int stream, byte[] payload, int start, int end) throws ConnectionError, IOException {
        require(incomplete != 0 && incomplete == stream, ErrorCode.PROTOCOL_ERROR, "CONTINUATION of no head");
        if (++continuations > MAX_CONTINUATIONS) {
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "head in too many frames");
        }
        add(payload, start, end);
        if ((flags & Frame.END_HEADERS) == 0) {
            return;
        }
        byte[] whole = block == null ? NOTHING : block;
        incomplete = 0;
        block = null;
        restArrived();
        try {
            head(stream, endsStream, whole, 0, whole.length);
        } finally {
            release();
        }
    }

    /** Keeps a part of a head. At most four times the limit of heads is kept, so that a head that is somewhat too large gets an answer. */
    private void add(byte[] payload, int start, int end) throws ConnectionError {
        byte[] more = FrameReader.copy(block, payload, start, end);
        if (more.length > 4L * connection.server().config().messages().headerBytes()) {
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, "head that is much too large");
        }
        blockReserved = hold(blockReserved, more.length);
        block = more;
    }

    private void release() {
        connection.server().headBudget().giveBack(blockReserved);
        blockReserved = 0;
    }

    /** The payload of a frame arrives in pieces. */
    void holdPayload(int bytes) throws ConnectionError {
        awaitRest();
        payloadReserved = hold(payloadReserved, HeapSize.array(bytes));
    }

    void releasePayload() {
        connection.server().headBudget().giveBack(payloadReserved);
        payloadReserved = 0;
        restArrived();
    }

    private int hold(int former, int bytes) throws ConnectionError {
        try {
            return connection.server().headBudget().reserve(former, bytes, false);
        } catch (Violation full) {
            connection.server().reached(Key.HEAD_BUDGET);
            throw new ConnectionError(ErrorCode.ENHANCE_YOUR_CALM, Key.HEAD_BUDGET.id());
        }
    }

    /** The connection has closed. */
    void close() {
        release();
        connection.server().headBudget().giveBack(payloadReserved);
        payloadReserved = 0; // the frame that has ended the connection may be the one that has arrived in pieces
        connection.server().headBudget().giveBack(octetsReserved);
        connection.server().headBudget().giveBack(entriesReserved);
        if (late != null) {
            late.remove();
        }
    }

    // ---- time

    /** A head or a payload begins that is not whole, or goes on. */
    private void awaitRest() {
        if (isIncomplete()) {
            return; // the time runs
        }
        if (late == null) {
            late = new Deadline(connection.link()) {
                @Override
                protected void passed() throws IOException {
                    if (connection.isReading()) {
                        connection.overdue(Key.HEAD_TIMEOUT, CloseCause.HEAD_TIMEOUT, ErrorCode.NO_ERROR);
                    } else {
                        in(connection.timeouts().head());
                    }
                }
            };
        }
        late.in(connection.timeouts().head());
    }

    private void restArrived() {
        if (late != null && !isIncomplete()) {
            late.off();
        }
    }

    // ---- whole heads

    /** A whole head or trailer section. */
    private void head(int stream, boolean ends, byte[] whole, int start, int end) throws ConnectionError, IOException {
        Http2Stream known = streams.find(stream);
        FieldSection fields = parts.fields();
        fields.begin(known != null || stream <= streams.last());
        hpack.decode(whole, start, end, fields);
        octetsReserved = hold(octetsReserved, hpack.heldByOctets());
        entriesReserved = hold(entriesReserved, hpack.heldByEntries());
        if (known != null) {
            trailers(known, fields, ends);
            return;
        }
        if (stream <= streams.last()) {
            connection.glitch(1); // trailers that were on their way when the server has reset their stream
            return;
        }
        streams.use(stream);
        connection.attend();
        if (isFull()) {
            connection.server().reached(Key.MAX_STREAMS);
            dismiss(stream, ErrorCode.REFUSED_STREAM, ends);
            return;
        }
        if (connection.isFinishing()) {
            dismiss(stream, ErrorCode.REFUSED_STREAM, ends);
            return;
        }
        String malformed = fields.malformed();
        if (malformed != null) {
            dismiss(stream, ErrorCode.PROTOCOL_ERROR, ends);
            return;
        }
        parts.admission().begin(connection.open(stream), fields, ends, streams.size() > 1);
    }

    /** Resets a stream that does not begin. */
    private void dismiss(int stream, ErrorCode code, boolean ends) {
        connection.glitch(Patience.OF_RESET);
        connection.sendReset(stream, code);
        if (!ends) {
            streams.cut(stream);
        }
    }

    /**
     * Whether the client has as many streams as it may have. Streams that are answered do not count, although a worker may still be at the end
     * of its call: their client may have got the end already.
     */
    private boolean isFull() {
        int most = connection.server().config().http2().maxStreams();
        return streams.size() >= most
                && streams.count(stream -> !stream.output().isAnswered() || !stream.hasEndedInput()) >= most;
    }

    private void trailers(Http2Stream stream, FieldSection fields, boolean ends) throws IOException {
        if (stream.isReset()) {
            return;
        }
        if (stream.hasEndedInput()) {
            stream.reset(ErrorCode.STREAM_CLOSED, "HEADERS behind the end of the stream");
        } else if (!ends || fields.malformed() != null || stream.tunnel() != null) { // RFC 9113 section 8.5
            stream.reset(ErrorCode.PROTOCOL_ERROR, "malformed trailers");
        } else {
            try {
                Fields arrived = fields.trailers();
                Http2Exchange running = stream.exchange();
                if (running != null && running.incoming() != null) {
                    running.holdTrailers(fields.heldByTrailers());
                }
                connection.endInput(stream, arrived);
            } catch (Violation violation) {
                stream.refuse(violation);
            }
        }
    }
}
