package io.penstock.loadtest.client;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The rules by which a response's head determines the end of the response and of the connection (RFC 9112, sections 6 and 9.3). {@link
 * ResponseReader} reads the bytes.
 */
final class Framing {
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
