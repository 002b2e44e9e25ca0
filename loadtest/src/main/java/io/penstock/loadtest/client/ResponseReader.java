package io.penstock.loadtest.client;

import java.net.ProtocolException;
import java.nio.ByteBuffer;

/**
 * Reads one response from its bytes, piece by piece (RFC 9112). Interim responses are skipped.
 *
 * <pre>
 *   STATUS_LINE ──> FIELDS ──┬──────────────────────────────────────────┬──> COMPLETE
 *        ^            │      ├──> COUNTED_BODY ─────────────────────────┤
 *        └──interim───┘      ├──> CHUNK_LINE ──> CHUNK_DATA             │
 *                            │      │   ^            v                  │
 *                            │      │   └─────── CHUNK_END              │
 *                            │      └──> TRAILER ───────────────────────┤
 *                            └──> BODY_UNTIL_CLOSE ──(onClose)──────────┘
 * </pre>
 *
 * A line is parsed directly in the received buffer. The line is copied only if the buffer does not contain the whole line.
 *
 * <p>Owns: a copy of the beginning of an incomplete line.
 */
public final class ResponseReader {
    private static final int LONGEST_LINE = 16 << 10;
    private static final int LARGEST_HEAD = 256 << 10;
    private static final int SHORTEST_PARTIAL = 256;
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private enum State {
        STATUS_LINE,
        FIELDS,
        COUNTED_BODY,
        CHUNK_LINE,
        CHUNK_DATA,
        CHUNK_END,
        TRAILER,
        BODY_UNTIL_CLOSE,
        COMPLETE
    }

    private final Framing framing = new Framing();
    private State state = State.STATUS_LINE;
    private ByteBuffer partial = NOTHING;
    private int headLength;
    private boolean bodyless;
    private long remaining;

    /**
     * Reads bytes up to the end of the response. Bytes after this end stay in the buffer.
     *
     * @return whether the response is complete
     * @throws ProtocolException if the bytes are not an HTTP response
     */
    public boolean read(ByteBuffer bytes) throws ProtocolException {
        return read(bytes, ResponseSink.NONE);
    }

    boolean read(ByteBuffer bytes, ResponseSink sink) throws ProtocolException {
        while (state != State.COMPLETE && bytes.hasRemaining()) {
            switch (state) {
                case COUNTED_BODY, CHUNK_DATA -> readCounted(bytes, sink);
                case BODY_UNTIL_CLOSE -> give(bytes, bytes.remaining(), sink);
                default -> readLine(bytes, sink);
            }
        }
        return state == State.COMPLETE;
    }

    /** Handles the close of the connection by the server. Returns whether this close is the regular end of the response. */
    public boolean onClose() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.COMPLETE;
        }
        return state == State.COMPLETE;
    }

    /** The status code of the response, or 0 if the status line has not been read. */
    public int status() {
        return framing.status();
    }

    /** Whether a part of the response has been read. */
    boolean isBegun() {
        return headLength > 0 || status() > 0;
    }

    /** Whether another request can follow on the connection. This is false if the server closes the connection after the response. */
    public boolean isPersistent() {
        return framing.isKept() && (bodyless || framing.isChunked() || framing.isCounted());
    }

    /** Prepares the reader for the next response. */
    public void reset() {
        reset(false);
    }

    /**
     * Prepares the reader for the next response.
     *
     * @param toHead whether the method of the request is HEAD; such a response has no body, even if its fields declare a length
     */
    public void reset(boolean toHead) {
        bodyless = toHead;
        headLength = 0;
        startHead();
    }

    private void startHead() {
        state = State.STATUS_LINE;
        framing.reset();
        partial.clear();
        remaining = 0;
    }

    private void readLine(ByteBuffer bytes, ResponseSink sink) throws ProtocolException {
        int from = bytes.position();
        int end = Octets.indexOf('\n', bytes, from, bytes.limit());
        int upTo = end < 0 ? bytes.limit() : end;
        countLine(upTo - from);
        if (end < 0) {
            keep(bytes, from, upTo);
            bytes.position(upTo);
            return;
        }
        bytes.position(end + 1);
        if (partial.position() == 0) {
            onLine(bytes, from, end, sink);
        } else {
            keep(bytes, from, end);
            onLine(partial, 0, partial.position(), sink);
            partial.clear();
        }
    }

    private void countLine(int more) throws ProtocolException {
        if (partial.position() + more > LONGEST_LINE) {
            throw new ProtocolException("A line of the response is longer than " + LONGEST_LINE + " bytes");
        }
        // The size of a head or trailer is limited. The number of chunks is not limited, so the lines before and after
        // a chunk are not counted.
        headLength = state == State.CHUNK_LINE || state == State.CHUNK_END ? 0 : headLength + more;
        if (headLength > LARGEST_HEAD) {
            throw new ProtocolException("The head of the response is larger than " + LARGEST_HEAD + " bytes");
        }
    }

    private void keep(ByteBuffer bytes, int from, int to) {
        int length = partial.position() + to - from;
        if (length > partial.capacity()) {
            int capacity = Math.max(SHORTEST_PARTIAL, Integer.highestOneBit(length) << 1);
            partial = ByteBuffer.allocate(capacity).put(partial.flip());
        }
        partial.put(partial.position(), bytes, from, to - from).position(length);
    }

    private void onLine(ByteBuffer bytes, int from, int end, ResponseSink sink) throws ProtocolException {
        int to = end > from && bytes.get(end - 1) == '\r' ? end - 1 : end;
        switch (state) {
            case STATUS_LINE -> {
                framing.onStatusLine(bytes, from, to);
                state = State.FIELDS;
            }
            case FIELDS -> onFieldLine(bytes, from, to, sink);
            case CHUNK_LINE -> onChunkLine(bytes, from, to);
            case CHUNK_END -> {
                if (from != to) {
                    throw new ProtocolException("A chunk is longer than its size");
                }
                state = State.CHUNK_LINE;
            }
            case TRAILER -> state = from == to ? State.COMPLETE : State.TRAILER;
            default -> throw new IllegalStateException("No line is expected in " + state);
        }
    }

    private void onFieldLine(ByteBuffer bytes, int from, int to, ResponseSink sink) throws ProtocolException {
        if (from == to) {
            onHead(sink);
            return;
        }
        int colon = Octets.indexOf(':', bytes, from, to);
        // If there is a blank before or after a field name, two parsers may read different fields. Attackers use this.
        if (colon <= from || Octets.isBlank(bytes.get(from)) || Octets.isBlank(bytes.get(colon - 1))) {
            throw new ProtocolException("Not a field: " + Octets.text(bytes, from, Math.min(to, from + 80)));
        }
        int valueFrom = Octets.skipBlanks(bytes, colon + 1, to);
        int valueTo = Octets.trimBlanks(bytes, valueFrom, to);
        framing.onField(bytes, from, colon, valueFrom, valueTo);
        if (sink.wantsFields()) {
            sink.onField(Octets.text(bytes, from, colon), Octets.text(bytes, valueFrom, valueTo));
        }
    }

    private void onHead(ResponseSink sink) throws ProtocolException {
        int status = framing.status();
        if (status == 101) {
            throw new ProtocolException("The server switches to another protocol without a request to do so");
        }
        if (status < 200) {
            startHead();
            sink.onInterim(status);
            return;
        }
        bodyless |= status == 204 || status == 304;
        if (bodyless) {
            state = State.COMPLETE;
        } else if (framing.isChunked()) {
            state = State.CHUNK_LINE;
        } else if (framing.isCounted()) {
            remaining = framing.length();
            state = remaining == 0 ? State.COMPLETE : State.COUNTED_BODY;
        } else {
            state = State.BODY_UNTIL_CLOSE;
        }
        sink.onHead(status);
    }

    private void onChunkLine(ByteBuffer bytes, int from, int to) throws ProtocolException {
        int semicolon = Octets.indexOf(';', bytes, from, to);
        int end = Octets.trimBlanks(bytes, from, semicolon < 0 ? to : semicolon);
        remaining = Octets.hexadecimal(bytes, from, end);
        if (remaining == Octets.NO_NUMBER) {
            throw new ProtocolException("Not a chunk size: " + Octets.text(bytes, from, Math.min(to, from + 80)));
        }
        state = remaining == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    private void readCounted(ByteBuffer bytes, ResponseSink sink) {
        int n = (int) Math.min(remaining, bytes.remaining());
        remaining -= n;
        if (remaining == 0) {
            state = state == State.CHUNK_DATA ? State.CHUNK_END : State.COMPLETE;
        }
        give(bytes, n, sink);
    }

    private static void give(ByteBuffer bytes, int n, ResponseSink sink) {
        int limit = bytes.limit();
        int end = bytes.position() + n;
        bytes.limit(end);
        sink.onBody(bytes);
        bytes.limit(limit).position(end);
    }

    /** Takes the parts of a response as a {@link ResponseReader} finds them. */
    interface ResponseSink {
        /** Ignores all parts of a response. */
        ResponseSink NONE = new ResponseSink() {};

        /** Whether {@link #onField} must be called for each field. */
        default boolean wantsFields() {
            return false;
        }

        default void onField(String name, String value) {}

        /** The previous fields belong to an interim response. Another head follows. */
        default void onInterim(int status) {}

        default void onHead(int status) {}

        /** A piece of the body has been received. Bytes that this call does not take from the buffer are lost. */
        default void onBody(ByteBuffer bytes) {}
    }
}
