package io.penstock.loadtest.client;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * Reads the response to one GET or POST from bytes as they come, and forgets the body (RFC 9112). An interim response is
 * passed over.
 *
 * <pre>
 *   STATUS_LINE ──> FIELDS ──┬──> COUNTED_BODY ───────────────────┬──> COMPLETE
 *                            ├──> CHUNK_LINE <──> CHUNK_DATA      │
 *                            │        └──> TRAILER ───────────────┤
 *                            └──> BODY_UNTIL_CLOSE (onClose) ─────┘
 * </pre>
 */
public final class ResponseReader {
    private static final int LONGEST_LINE = 16 << 10;

    private enum State {
        STATUS_LINE,
        FIELDS,
        COUNTED_BODY,
        CHUNK_LINE,
        CHUNK_DATA,
        TRAILER,
        BODY_UNTIL_CLOSE,
        COMPLETE
    }

    private enum Framing {
        UNTIL_CLOSE,
        COUNTED,
        CHUNKED
    }

    private final StringBuilder line = new StringBuilder();
    private State state = State.STATUS_LINE;
    private Framing framing = Framing.UNTIL_CLOSE;
    private boolean persistent = true;
    private int status;
    private long remaining;

    /**
     * Takes bytes up to the end of the response, and no further.
     *
     * @return whether the response is complete
     */
    public boolean read(ByteBuffer bytes) throws ProtocolException {
        while (bytes.hasRemaining() && state != State.COMPLETE) {
            switch (state) {
                case COUNTED_BODY, CHUNK_DATA -> skip(bytes);
                case BODY_UNTIL_CLOSE -> bytes.position(bytes.limit());
                default -> readLine(bytes);
            }
        }
        return state == State.COMPLETE;
    }

    /** The server has closed the connection; whether that is how the response was meant to end. */
    public boolean onClose() {
        if (state == State.BODY_UNTIL_CLOSE) {
            state = State.COMPLETE;
        }
        return state == State.COMPLETE;
    }

    /** The status; 0 before it is known. */
    public int status() {
        return status;
    }

    /** Whether another request may follow on the connection. */
    public boolean isPersistent() {
        return persistent && framing != Framing.UNTIL_CLOSE;
    }

    /** Gets ready for the next response. */
    public void reset() {
        line.setLength(0);
        state = State.STATUS_LINE;
        framing = Framing.UNTIL_CLOSE;
        persistent = true;
        status = 0;
        remaining = 0;
    }

    private void readLine(ByteBuffer bytes) throws ProtocolException {
        byte b = bytes.get();
        if (b != '\n') {
            line.append((char) (b & 0xff));
            if (line.length() > LONGEST_LINE) {
                throw new ProtocolException("A line of the response does not end");
            }
            return;
        }
        String complete = line.toString().stripTrailing();
        line.setLength(0);
        switch (state) {
            case STATUS_LINE -> onStatusLine(complete);
            case FIELDS -> onField(complete);
            case CHUNK_LINE -> onChunkLine(complete);
            case TRAILER -> state = complete.isEmpty() ? State.COMPLETE : State.TRAILER;
            default -> throw new IllegalStateException("No line is expected in " + state);
        }
    }

    private void onStatusLine(String text) throws ProtocolException {
        if (!text.matches("HTTP/1\\.[01] [1-9][0-9]{2}( .*)?")) {
            throw new ProtocolException("Not a status line: " + text);
        }
        persistent = text.startsWith("HTTP/1.1");
        status = Integer.parseInt(text.substring(9, 12));
        state = State.FIELDS;
    }

    private void onField(String text) throws ProtocolException {
        if (text.isEmpty()) {
            onHead();
            return;
        }
        int colon = text.indexOf(':');
        if (colon <= 0) {
            throw new ProtocolException("Not a field: " + text);
        }
        String value = text.substring(colon + 1).strip().toLowerCase(Locale.ROOT);
        switch (text.substring(0, colon).toLowerCase(Locale.ROOT)) {
            case "content-length" -> onContentLength(value);
            case "transfer-encoding" -> framing = value.endsWith("chunked") ? Framing.CHUNKED : Framing.UNTIL_CLOSE;
            case "connection" -> persistent = !value.contains("close") && (persistent || value.contains("keep-alive"));
            default -> {
                // No other field says where the response ends.
            }
        }
    }

    private void onContentLength(String value) throws ProtocolException {
        if (!value.matches("[0-9]{1,18}")) {
            throw new ProtocolException("Not a content length: " + value);
        }
        if (framing != Framing.CHUNKED) {
            framing = Framing.COUNTED;
            remaining = Long.parseLong(value);
        }
    }

    private void onHead() {
        if (status < 200) {
            reset();
        } else if (status == 204 || status == 304) {
            framing = Framing.COUNTED;
            state = State.COMPLETE;
        } else {
            state = switch (framing) {
                case COUNTED -> remaining == 0 ? State.COMPLETE : State.COUNTED_BODY;
                case CHUNKED -> State.CHUNK_LINE;
                case UNTIL_CLOSE -> State.BODY_UNTIL_CLOSE;
            };
        }
    }

    private void onChunkLine(String text) throws ProtocolException {
        String size = text.replaceFirst("[ \t]*;.*", "");
        if (!size.matches("[0-9A-Fa-f]{1,15}")) {
            throw new ProtocolException("Not a chunk size: " + text);
        }
        long length = Long.parseLong(size, 16);
        // The line end behind the data belongs to the chunk.
        remaining = length + 2;
        state = length == 0 ? State.TRAILER : State.CHUNK_DATA;
    }

    private void skip(ByteBuffer bytes) {
        int n = (int) Math.min(remaining, bytes.remaining());
        bytes.position(bytes.position() + n);
        remaining -= n;
        if (remaining == 0) {
            state = state == State.CHUNK_DATA ? State.CHUNK_LINE : State.COMPLETE;
        }
    }
}
