package io.penstock.http1;

import io.penstock.http.Fields;
import io.penstock.http.Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes response heads and chunk framing (RFC 9112 sections 4, 5 and 7.1). The caller has checked that texts contain no CR or LF. */
final class HeadEncoder {
    private static final byte[] VERSION = ascii("HTTP/1.1 ");
    private static final byte[] OK_LINE = ascii("HTTP/1.1 200 OK\r\n");
    private static final byte[] CONTENT_LENGTH = ascii("Content-Length: ");
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] UPGRADE = ascii("Connection: Upgrade\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] HEX = ascii("0123456789abcdef");

    /** Bytes are copied behind their framing if they fill at most this part of a segment. More bytes are sent as a buffer of their own. */
    private static final int MAX_COPIED = 4;

    /** The highest number of bytes around a chunk of a segment: the line before it, and the end of the body. */
    private static final int MAX_FRAMING = 24;

    private HeadEncoder() {}

    static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    static void statusLine(ByteBuffer out, int status) {
        if (status == 200) {
            out.put(OK_LINE);
            return;
        }
        out.put(VERSION);
        decimal(out, status);
        out.put((byte) ' ');
        text(out, Status.reason(status));
        crlf(out);
    }

    static void field(ByteBuffer out, String name, String value) {
        text(out, name);
        out.put((byte) ':').put((byte) ' ');
        text(out, value);
        crlf(out);
    }

    /** Writes all fields except the fields that the protocol itself adds. A field {@code Upgrade} gets its connection option. */
    static void fields(ByteBuffer out, Fields fields) {
        for (int i = 0, n = fields.size(); i < n; i++) {
            String name = fields.name(i);
            if (!isFraming(name)) {
                field(out, name, fields.value(i));
                if (name.equalsIgnoreCase("Upgrade")) {
                    upgrade(out); // also beside another status than 101, such as 426 (RFC 9110 section 7.8)
                }
            }
        }
    }

    private static boolean isFraming(String name) {
        return name.equalsIgnoreCase("Content-Length")
                || name.equalsIgnoreCase("Transfer-Encoding")
                || name.equalsIgnoreCase("Connection")
                || name.equalsIgnoreCase("Keep-Alive");
    }

    static void contentLength(ByteBuffer out, long length) {
        out.put(CONTENT_LENGTH);
        decimal(out, length);
        crlf(out);
    }

    static void chunked(ByteBuffer out) {
        out.put(CHUNKED);
    }

    static void close(ByteBuffer out) {
        out.put(CLOSE);
    }

    static void keepAlive(ByteBuffer out) {
        out.put(KEEP_ALIVE);
    }

    static void upgrade(ByteBuffer out) {
        out.put(UPGRADE);
    }

    static void crlf(ByteBuffer out) {
        out.put((byte) '\r').put((byte) '\n');
    }

    /** Writes the line before a chunk of {@code size} bytes. */
    static void chunkSize(ByteBuffer out, long size) {
        int digits = Math.max(1, (67 - Long.numberOfLeadingZeros(size)) / 4);
        for (int i = digits - 1; i >= 0; i--) {
            out.put(HEX[(int) (size >>> (4 * i)) & 15]);
        }
        crlf(out);
    }

    static void decimal(ByteBuffer out, long value) {
        if (value >= 10) {
            decimal(out, value / 10);
        }
        out.put((byte) ('0' + value % 10));
    }

    /** Writes one byte for each char; a char outside ISO-8859-1 becomes a question mark. */
    static void text(ByteBuffer out, String text) {
        for (int i = 0, n = text.length(); i < n; i++) {
            char c = text.charAt(i);
            out.put((byte) (c <= 255 ? c : '?'));
        }
    }

    /** Whether the buffer has room to copy its bytes behind their head or their chunk line. Many bytes are not copied. */
    static boolean hasRoomBehind(ByteBuffer bytes) {
        return bytes.remaining() <= bytes.capacity() / MAX_COPIED && bytes.limit() <= bytes.capacity() / 2;
    }

    /**
     * Copies bytes of the buffer to the buffer's position.
     *
     * @param chunk whether the copy gets the framing of a chunk
     * @return whether there was room
     */
    static boolean copyBehind(ByteBuffer buffer, int begin, int count, boolean chunk, boolean last) {
        if (buffer.remaining() < count + MAX_FRAMING) {
            return false;
        }
        if (chunk) {
            chunkSize(buffer, count);
        }
        int at = buffer.position();
        buffer.put(at, buffer, begin, count).position(at + count);
        if (chunk) {
            crlf(buffer);
            if (last) {
                buffer.put((byte) '0');
                crlf(buffer);
                crlf(buffer);
            }
        }
        return true;
    }
}
