package io.penstock.loadtest.crowd;

import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.Target;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The frames of HTTP/2 that a slow client sends (RFC 9113). The fields of a head are literals without Huffman code and without entries in
 * the table of the connection (RFC 7541). The client forbids such entries to the server, too, so neither direction has a state.
 */
final class Frames {
    /** The length of the part of a frame before its payload. */
    static final int HEAD = 9;

    /** The longest payload that each side accepts, unless it allows more. */
    static final int LARGEST = 16 << 10;

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;

    static final int ACK = 1;
    static final int END_STREAM = 1;
    static final int PADDED = 8;
    static final int PRIORITY = 0x20;
    private static final int END_HEADERS = 4;

    private static final int HEADER_TABLE_SIZE = 1;
    private static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;

    private static final List<String> ERRORS = List.of(
            "NO_ERROR",
            "PROTOCOL_ERROR",
            "INTERNAL_ERROR",
            "FLOW_CONTROL_ERROR",
            "SETTINGS_TIMEOUT",
            "STREAM_CLOSED",
            "FRAME_SIZE_ERROR",
            "REFUSED_STREAM",
            "CANCEL",
            "COMPRESSION_ERROR",
            "CONNECT_ERROR",
            "ENHANCE_YOUR_CALM",
            "INADEQUATE_SECURITY",
            "HTTP_1_1_REQUIRED");

    private static final int[] INDEXED_STATUSES = {200, 204, 206, 304, 400, 404, 500};
    private static final int FIRST_INDEXED_STATUS = 8;

    private Frames() {}

    static ByteBuffer frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(HEAD + payload.length)
                .putInt(payload.length << 8 | type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .flip();
    }

    /** A frame whose payload is a number of four bytes. */
    static ByteBuffer number(int type, int stream, int number) {
        return frame(type, 0, stream, ByteBuffer.allocate(4).putInt(number).array());
    }

    static ByteBuffer preface(int window) {
        ByteBuffer settings = ByteBuffer.allocate(18);
        settings.putShort((short) HEADER_TABLE_SIZE).putInt(0);
        settings.putShort((short) ENABLE_PUSH).putInt(0);
        settings.putShort((short) INITIAL_WINDOW_SIZE).putInt(window);
        byte[] magic = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer first = frame(SETTINGS, 0, 0, settings.array());
        return ByteBuffer.allocate(magic.length + first.remaining())
                .put(magic)
                .put(first)
                .flip();
    }

    /** @param length the length of the body; negative for a GET request without a body */
    static ByteBuffer request(int stream, Target target, boolean encrypted, int length) {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        field(head, ":method", length < 0 ? "GET" : "POST");
        field(head, ":scheme", encrypted ? "https" : "http");
        field(head, ":authority", target.authority());
        field(head, ":path", target.path());
        for (Fields.Field field : target.fields().lines()) {
            field(head, field.name().toLowerCase(Locale.ROOT), field.value());
        }
        if (length >= 0) {
            if (!target.fields().has("Content-Type")) {
                field(head, "content-type", "application/octet-stream");
            }
            field(head, "content-length", Integer.toString(length));
        }
        if (head.size() > LARGEST) {
            throw new IllegalArgumentException("The fields of a request do not fit into a frame of HTTP/2");
        }
        return frame(HEADERS, END_HEADERS | (length < 0 ? END_STREAM : 0), stream, head.toByteArray());
    }

    private static void field(ByteArrayOutputStream head, String name, String value) {
        head.write(0);
        string(head, name);
        string(head, value);
    }

    private static void string(ByteArrayOutputStream head, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        int length = bytes.length;
        if (length < 0x7f) {
            head.write(length);
        } else {
            head.write(0x7f);
            for (length -= 0x7f; length > 0x7f; length >>= 7) {
                head.write(length & 0x7f | 0x80);
            }
            head.write(length);
        }
        head.writeBytes(bytes);
    }

    static String error(int code) {
        return code >= 0 && code < ERRORS.size() ? ERRORS.get(code) : "error " + code;
    }

    /** The status of a response, of which a head begins with the given bytes. Of a status that is spelled out, only the hundreds are read. */
    static int status(ByteBuffer head) {
        int first = head.get();
        while ((first & 0xe0) == 0x20) {
            // The server acknowledges that the table is empty.
            first = head.get();
        }
        if (first < 0) {
            return INDEXED_STATUSES[(first & 0x7f) - FIRST_INDEXED_STATUS];
        }
        if ((first & 0x0f) == 0) {
            int name = head.get() & 0x7f;
            head.position(head.position() + name);
        }
        boolean huffman = head.get() < 0;
        int digit = head.get();
        if (!huffman) {
            return (digit - '0') * 100;
        }
        // The codes of 1 and 2 have five bits, and those of 3, 4 and 5 have six: 00001, 00010, 011001, 011010, 011011.
        return 100 * (digit < 0x18 ? digit >> 3 : (digit >> 2) - 22);
    }
}
