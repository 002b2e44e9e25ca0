package io.penstock.http1;

import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.DateField;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.http.Version;
import io.penstock.http1.Http1Response.Framing;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.rules.ResponseRules;
import java.io.IOException;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the heads of responses into the pipes of the connections, and the framing of chunks (RFC 9112 sections 4, 5 and 7.1). A head has
 * the application's fields and the fields of the protocol. The caller has checked that texts contain no CR or LF.
 *
 * <p>Thread: the pipe's producer. {@link #whole}, and the static methods: any. All connections of a server share one object of this class, since the object has no
 * state between two calls.
 */
final class HeadWriter {
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

    private static final String STRICT_TRANSPORT_SECURITY = "Strict-Transport-Security";
    private static final byte[] SERVER_TIMING = ascii("Server-Timing: ");
    private final SegmentPool pool;
    private final DateField date = new DateField(ascii("Date: "), ascii("\r\n"));

    /** The whole line of {@code Strict-Transport-Security}; null for none. */
    private final byte @Nullable [] strictTransportSecurity;

    private final Supplier<@Nullable ResponseRules> rules;

    HeadWriter(SegmentPool pool) {
        this(pool, null, () -> null);
    }

    /**
     * @param strictTransportSecurity the value of the field {@code Strict-Transport-Security} (RFC 6797). The field is added to each final
     *     response that does not have it; null to add no field
     * @param rules supplies the current rules for further fields; supplies null if there are no rules
     */
    HeadWriter(SegmentPool pool, @Nullable String strictTransportSecurity, Supplier<@Nullable ResponseRules> rules) {
        this.pool = pool;
        this.rules = rules;
        this.strictTransportSecurity = strictTransportSecurity == null
                ? null
                : ascii(STRICT_TRANSPORT_SECURITY + ": " + strictTransportSecurity + "\r\n");
    }

    /**
     * Encodes a canned response without a page of the operator, and does not put it into the pipe. The response must fit into one segment.
     */
    Segment whole(Http1CannedResponse answer) {
        Segment segment = pool.acquireForOutput();
        try {
            encode(segment.buffer(), answer);
            segment.buffer().flip();
            return segment;
        } catch (RuntimeException | Error e) {
            segment.release();
            throw e;
        }
    }

    private void encode(ByteBuffer out, Http1CannedResponse answer) {
        CannedResponse response = answer.response();
        int status = response.status();
        Fields fields = response.fields();
        statusLine(out, status);
        common(out, status, response.request(), fields);
        fields(out, fields);
        if (response.hasContent()) {
            if (!fields.contains("Content-Type")) {
                field(out, "Content-Type", response.contentType());
            }
            contentLength(out, response.length());
        }
        if (answer.closing() != null) {
            close(out);
        }
        crlf(out);
        if (response.sendsBody() && response.page() == null) {
            out.put(response.line());
        }
    }

    /** Writes a canned response. */
    void send(ResponsePipe to, Http1CannedResponse answer) throws IOException {
        sendLines(to, answer);
        CannedResponse response = answer.response();
        if (response.page() != null && response.sendsBody()) {
            to.append(response.body());
        }
    }

    private void sendLines(ResponsePipe to, Http1CannedResponse answer) throws IOException {
        Segment segment;
        try {
            segment = whole(answer);
        } catch (BufferOverflowException e) {
            sendLarge(to, buffer -> encode(buffer, answer));
            return;
        }
        to.append(segment);
    }

    /** Writes an informational head (1xx). */
    void informational(ResponsePipe to, int status, Fields fields) throws IOException {
        Segment segment = pool.acquireForOutput();
        try {
            encode(segment.buffer(), status, fields);
        } catch (BufferOverflowException e) {
            segment.release();
            sendLarge(to, buffer -> encode(buffer, status, fields));
            return;
        } catch (RuntimeException | Error e) {
            segment.release();
            throw e;
        }
        segment.buffer().flip();
        to.append(segment);
    }

    private static void encode(ByteBuffer buffer, int status, Fields fields) {
        statusLine(buffer, status);
        fields(buffer, fields);
        crlf(buffer);
    }

    /**
     * Writes a final head.
     *
     * @param timing the times for the field {@code Server-Timing}
     * @param length the length of the body; -1 if it is not known
     * @param reusable whether the connection may stay open after the response
     * @return the position of the head among all bytes that are sent on the connection
     */
    long send(
            ResponsePipe to,
            RequestHead request,
            ResponseHead head,
            @Nullable ServerTiming timing,
            Framing framing,
            long length,
            boolean reusable)
            throws IOException {
        Segment segment = pool.acquireForOutput();
        try {
            ByteBuffer buffer = segment.buffer();
            encode(buffer, request, head, timing, framing, length, reusable);
            buffer.flip();
        } catch (BufferOverflowException e) {
            segment.release();
            return sendLarge(to, buffer -> encode(buffer, request, head, timing, framing, length, reusable));
        } catch (RuntimeException | Error e) {
            segment.release();
            throw e;
        }
        return to.append(segment);
    }

    /**
     * Puts a final head before the body bytes in a segment: the head is encoded behind the bytes, and the bytes are copied behind the head.
     * So a small response is one buffer and one write. Returns false, and changes nothing, if the head is too large. The caller has checked
     * {@link #hasRoomBehind}.
     *
     * @param body the bytes between the position and the limit of its buffer. If the result is true, these are the bytes of head and body,
     *     with the framing of a chunk
     */
    boolean putBefore(
            Segment body,
            RequestHead request,
            ResponseHead head,
            @Nullable ServerTiming timing,
            Framing framing,
            long length,
            boolean reusable) {
        ByteBuffer buffer = body.buffer();
        int begin = buffer.position();
        int end = buffer.limit();
        boolean put = false;
        buffer.limit(buffer.capacity()).position(end);
        try {
            encode(buffer, request, head, timing, framing, length, reusable);
            put = copyBehind(buffer, begin, end - begin, framing == Framing.CHUNKED, false);
        } catch (BufferOverflowException e) {
            // The head gets a segment of its own.
        } finally {
            if (put) {
                buffer.flip().position(end);
            } else {
                buffer.limit(end).position(begin);
            }
        }
        return put;
    }

    /**
     * Writes a head that is larger than a segment. A large head is rare. So this method makes a new buffer, and doubles its size until the
     * head fits.
     */
    private long sendLarge(ResponsePipe to, Consumer<ByteBuffer> encoder) throws IOException {
        int size = pool.segmentSize() * 4;
        while (true) {
            ByteBuffer large = ByteBuffer.allocate(size);
            try {
                encoder.accept(large);
            } catch (BufferOverflowException e) {
                size *= 2;
                continue;
            }
            long begins = to.handedOver();
            to.appendWhole(large.flip());
            return begins;
        }
    }

    private void encode(
            ByteBuffer buffer,
            RequestHead request,
            ResponseHead head,
            @Nullable ServerTiming timing,
            Framing framing,
            long length,
            boolean reusable) {
        int status = head.status();
        Fields fields = head.fields();
        statusLine(buffer, status);
        common(buffer, status, request, fields);
        fields(buffer, fields);
        serverTiming(buffer, timing);
        if (status == Status.SWITCHING_PROTOCOLS) {
            if (!fields.contains("Upgrade")) {
                upgrade(buffer);
            }
        } else {
            if (hasContentLength(request, status, head.contentLength(), framing, length)) {
                contentLength(buffer, length);
            } else if (framing == Framing.CHUNKED) {
                chunked(buffer);
            }
            persistence(buffer, request, reusable);
        }
        crlf(buffer);
    }

    /**
     * Writes the fields of every final response. If the application has set one of these fields, the application's field is used. For
     * example, an application that forwards the response of another server sets these fields.
     */
    private void common(ByteBuffer buffer, int status, @Nullable RequestHead request, Fields fields) {
        if (!fields.contains("Date")) {
            date.put(buffer);
        }
        byte[] strict = strictTransportSecurity;
        if (strict != null && !fields.contains(STRICT_TRANSPORT_SECURITY)) {
            buffer.put(strict);
        }
        ResponseRules now = rules.get();
        if (now != null) {
            fields(buffer, now.added(status, request, fields));
        }
    }

    private static void persistence(ByteBuffer buffer, RequestHead request, boolean reusable) {
        if (!reusable) {
            close(buffer);
        } else if (request.version() == Version.HTTP_1_0 || request.asksFor("keep-alive")) {
            keepAlive(buffer);
        }
    }

    /**
     * Whether the head has the field {@code Content-Length}. A 204 never has the field. In a 205 its value is 0. In a 304 and in the
     * response to HEAD, its value is the length of the response to a GET, if this length is known (RFC 9110 section 8.6).
     */
    private static boolean hasContentLength(
            RequestHead request, int status, long declared, Framing framing, long length) {
        return length >= 0
                && status >= 200
                && status != 204
                && (framing == Framing.LENGTH
                        || status == Status.RESET_CONTENT
                        || declared >= 0
                        || (Framing.isHead(request) && length > 0));
    }

    /**
     * Adds the line of {@code Server-Timing}, which browsers show in their developer tools, unless there is nothing to report. A phase that the request did not have is not listed. If the application has
     * added a field {@code Server-Timing}, clients combine the two fields into one list.
     */
    static void serverTiming(ByteBuffer out, @Nullable ServerTiming timing) {
        if (timing == null) {
            return;
        }
        out.put(SERVER_TIMING);
        timing.put(out);
        crlf(out);
    }

    // ---- the parts of a head, and the framing of chunks

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
