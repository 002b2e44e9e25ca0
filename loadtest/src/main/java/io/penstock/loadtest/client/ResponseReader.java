package io.penstock.loadtest.client;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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
        while (state != State.COMPLETE && bytes.hasRemaining()) {
            switch (state) {
                case COUNTED_BODY, CHUNK_DATA -> readCounted(bytes);
                case BODY_UNTIL_CLOSE -> bytes.position(bytes.limit());
                default -> readLine(bytes);
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

    private void readLine(ByteBuffer bytes) throws ProtocolException {
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
            onLine(bytes, from, end);
        } else {
            keep(bytes, from, end);
            onLine(partial, 0, partial.position());
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

    private void onLine(ByteBuffer bytes, int from, int end) throws ProtocolException {
        int to = end > from && bytes.get(end - 1) == '\r' ? end - 1 : end;
        switch (state) {
            case STATUS_LINE -> {
                framing.onStatusLine(bytes, from, to);
                state = State.FIELDS;
            }
            case FIELDS -> onFieldLine(bytes, from, to);
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

    private void onFieldLine(ByteBuffer bytes, int from, int to) throws ProtocolException {
        if (from == to) {
            onHead();
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
    }

    private void onHead() throws ProtocolException {
        int status = framing.status();
        if (status == 101) {
            throw new ProtocolException("The server switches to another protocol without a request to do so");
        }
        if (status < 200) {
            startHead();
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

    private void readCounted(ByteBuffer bytes) {
        int n = (int) Math.min(remaining, bytes.remaining());
        remaining -= n;
        if (remaining == 0) {
            state = state == State.CHUNK_DATA ? State.CHUNK_END : State.COMPLETE;
        }
        bytes.position(bytes.position() + n);
    }

    /**
     * The rules by which a response's head determines the end of the response and of the connection (RFC 9112, sections 6 and 9.3). {@link
     * ResponseReader} reads the bytes.
     */
    static final class Framing {
        private static final byte[] CONTENT_LENGTH = ascii("content-length");
        private static final byte[] TRANSFER_ENCODING = ascii("transfer-encoding");
        private static final byte[] CONNECTION = ascii("connection");
        private static final byte[] CHUNKED = ascii("chunked");
        private static final byte[] CLOSE = ascii("close");
        private static final byte[] KEEP_ALIVE = ascii("keep-alive");
        // A status line begins with "HTTP/1.x " and three digits.
        private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.ISO_8859_1);
        private static final int STATUS_AT = VERSION.length + 2;
        private static final int SHORTEST_STATUS_LINE = STATUS_AT + 3;

        private static final long NOT_SAID = -1;

        private int status;
        private long length = NOT_SAID;
        private boolean encoded;
        private boolean chunked;
        private boolean kept;
        private boolean closing;

        void reset() {
            status = 0;
            length = NOT_SAID;
            encoded = false;
            chunked = false;
            kept = false;
            closing = false;
        }

        int status() {
            return status;
        }

        boolean isChunked() {
            return chunked;
        }

        /**
         * Whether {@link #length()} is the length of the body. This is false if the response has a transfer coding, or no {@code
         * Content-Length}.
         */
        boolean isCounted() {
            return !encoded && length != NOT_SAID;
        }

        long length() {
            return length;
        }

        /** Whether the server keeps the connection after this response. */
        boolean isKept() {
            return kept && !closing;
        }

        void onStatusLine(ByteBuffer bytes, int from, int to) throws ProtocolException {
            if (!isStatusLine(bytes, from, to)) {
                throw new ProtocolException("Not a status line: " + Octets.text(bytes, from, Math.min(to, from + 80)));
            }
            kept = bytes.get(from + VERSION.length) == '1';
            status = (int) Octets.decimal(bytes, from + STATUS_AT, from + SHORTEST_STATUS_LINE);
        }

        void onField(ByteBuffer bytes, int from, int colon, int valueFrom, int valueTo) throws ProtocolException {
            switch (bytes.get(from)) {
                case 'C', 'c' -> {
                    if (Octets.is(CONTENT_LENGTH, bytes, from, colon)) {
                        onContentLength(bytes, valueFrom, valueTo);
                    } else if (Octets.is(CONNECTION, bytes, from, colon)) {
                        closing |= Octets.lists(CLOSE, bytes, valueFrom, valueTo);
                        kept |= Octets.lists(KEEP_ALIVE, bytes, valueFrom, valueTo);
                    }
                }
                case 'T', 't' -> {
                    if (Octets.is(TRANSFER_ENCODING, bytes, from, colon)) {
                        encoded = true;
                        chunked = isChunkedLast(bytes, valueFrom, valueTo);
                    }
                }
                default -> {
                    // No other field determines the end of the response or of the connection.
                }
            }
        }

        private static boolean isStatusLine(ByteBuffer bytes, int from, int to) {
            if (to - from < SHORTEST_STATUS_LINE) {
                return false;
            }
            for (int i = 0; i < VERSION.length; i++) {
                if (bytes.get(from + i) != VERSION[i]) {
                    return false;
                }
            }
            byte minor = bytes.get(from + VERSION.length);
            long code = Octets.decimal(bytes, from + STATUS_AT, from + SHORTEST_STATUS_LINE);
            return (minor == '0' || minor == '1')
                    && bytes.get(from + STATUS_AT - 1) == ' '
                    && code >= 100
                    && (to - from == SHORTEST_STATUS_LINE || bytes.get(from + SHORTEST_STATUS_LINE) == ' ');
        }

        private void onContentLength(ByteBuffer bytes, int from, int to) throws ProtocolException {
            long said = Octets.decimal(bytes, from, to);
            if (said == Octets.NO_NUMBER) {
                throw new ProtocolException("Not a content length: " + Octets.text(bytes, from, to));
            }
            if (length != NOT_SAID && length != said) {
                throw new ProtocolException("Two content lengths: " + length + " and " + said);
            }
            length = said;
        }

        /** Whether the last transfer coding is {@code chunked}, which marks the end of the body. */
        private static boolean isChunkedLast(ByteBuffer bytes, int from, int to) {
            int start = from;
            for (int i = from; i < to; i++) {
                if (bytes.get(i) == ',') {
                    start = i + 1;
                }
            }
            return Octets.is(CHUNKED, bytes, Octets.skipBlanks(bytes, start, to), to);
        }

        private static byte[] ascii(String text) {
            return text.getBytes(StandardCharsets.US_ASCII);
        }
    }
}
