package io.penstock.http1;

import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.DateField;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.ConnectionOptions;
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
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the heads of responses into the pipes of the connections. A head has the application's fields and the fields of the protocol.
 *
 * <p>Thread: the pipe's producer. {@link #whole}: any. All connections of a server share one object of this class, since the object has no
 * state between two calls.
 */
final class HeadWriter {
    private static final String STRICT_TRANSPORT_SECURITY = "Strict-Transport-Security";

    private static final byte[] SERVER_TIMING = HeadEncoder.ascii("Server-Timing: ");

    private final SegmentPool pool;
    private final DateField date = new DateField(HeadEncoder.ascii("Date: "), HeadEncoder.ascii("\r\n"));

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
                : HeadEncoder.ascii(STRICT_TRANSPORT_SECURITY + ": " + strictTransportSecurity + "\r\n");
    }

    /**
     * Encodes a canned response without a page of the operator, and does not put it into the pipe. The response must fit into one segment.
     */
    Segment whole(Http1CannedResponse answer) {
        return answer.encode(pool, this::common);
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
            sendLarge(to, buffer -> answer.encode(buffer, this::common));
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
        HeadEncoder.statusLine(buffer, status);
        HeadEncoder.fields(buffer, fields);
        HeadEncoder.crlf(buffer);
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
            ServerTiming timing,
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
     * {@link HeadEncoder#hasRoomBehind}.
     *
     * @param body the bytes between the position and the limit of its buffer. If the result is true, these are the bytes of head and body,
     *     with the framing of a chunk
     */
    boolean putBefore(
            Segment body,
            RequestHead request,
            ResponseHead head,
            ServerTiming timing,
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
            put = HeadEncoder.copyBehind(buffer, begin, end - begin, framing == Framing.CHUNKED, false);
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
            ServerTiming timing,
            Framing framing,
            long length,
            boolean reusable) {
        int status = head.status();
        Fields fields = head.fields();
        HeadEncoder.statusLine(buffer, status);
        common(buffer, status, request, fields);
        HeadEncoder.fields(buffer, fields);
        serverTiming(buffer, timing);
        if (status == Status.SWITCHING_PROTOCOLS) {
            if (!fields.contains("Upgrade")) {
                HeadEncoder.upgrade(buffer);
            }
        } else {
            if (hasContentLength(request, status, head.contentLength(), framing, length)) {
                HeadEncoder.contentLength(buffer, length);
            } else if (framing == Framing.CHUNKED) {
                HeadEncoder.chunked(buffer);
            }
            persistence(buffer, request, reusable);
        }
        HeadEncoder.crlf(buffer);
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
            HeadEncoder.fields(buffer, now.added(status, request, fields));
        }
    }

    private static void persistence(ByteBuffer buffer, RequestHead request, boolean reusable) {
        if (!reusable) {
            HeadEncoder.close(buffer);
        } else if (request.version() == Version.HTTP_1_0 || ConnectionOptions.contains(request, "keep-alive")) {
            HeadEncoder.keepAlive(buffer);
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
    static void serverTiming(ByteBuffer out, ServerTiming timing) {
        if (timing.isNone()) {
            return;
        }
        out.put(SERVER_TIMING);
        timing.put(out);
        HeadEncoder.crlf(out);
    }
}
