package io.penstock.http2;

import io.penstock.exchange.CannedResponse;
import io.penstock.exchange.DateField;
import io.penstock.exchange.ServerTiming;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http.Status;
import io.penstock.rules.ResponseRules;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the heads and trailers of responses into frames: the fields of the application and those of the protocol.
 *
 * <p>Thread: any. All connections of a server share one object of this class.
 */
final class Http2Heads {
    private static final String STRICT_TRANSPORT_SECURITY = "strict-transport-security";

    /** The name {@code date} by its index, and the length of its value. */
    private static final byte[] DATE = {0x0f, 0x12, 29};

    /** The most octets of a block in one frame. One octet more may be put before it ({@link StreamOutput.Part#withTableSize}). */
    private static final int MAX_BLOCK = Frame.MAX_PAYLOAD - 1;

    private static final int MAX_DATE = 32;
    private static final int MAX_STATUS = 5;
    private static final int MAX_LENGTH = 24;

    private final DateField date = new DateField(DATE, new byte[0]);
    private final @Nullable String strictTransportSecurity;
    private final Supplier<@Nullable ResponseRules> rules;

    /**
     * @param strictTransportSecurity the value of the field {@code Strict-Transport-Security}; null to add no field
     * @param rules supplies the current rules for further fields; supplies null if there are no rules
     */
    Http2Heads(@Nullable String strictTransportSecurity, Supplier<@Nullable ResponseRules> rules) {
        this.strictTransportSecurity = strictTransportSecurity;
        this.rules = rules;
    }

    /** Encodes an informational head (1xx). */
    byte[] informational(int stream, int status, Fields fields) {
        byte[] block = new byte[MAX_STATUS + max(fields)];
        int end = HpackEncoder.status(status, block, 0);
        return frames(stream, block, put(fields, block, end));
    }

    /** Encodes trailers. They end the stream. */
    byte[] trailers(int stream, Fields fields) {
        byte[] block = new byte[max(fields)];
        byte[] frames = frames(stream, block, put(fields, block, 0));
        frames[Frame.FLAGS_AT] |= Frame.END_STREAM;
        return frames;
    }

    /**
     * Encodes a final head.
     *
     * @param request the head of the request; null if it is not known
     * @param length the length of the body for the field {@code Content-Length}; -1 for no field
     */
    byte[] head(
            int stream, @Nullable RequestHead request, ResponseHead head, @Nullable ServerTiming timing, long length) {
        int status = head.status();
        Fields fields = head.fields();
        ResponseRules now = rules.get();
        Fields added = now == null ? Fields.EMPTY : now.added(status, request, fields);
        String strict = strictTransportSecurity;
        if (strict != null && fields.contains(STRICT_TRANSPORT_SECURITY)) {
            strict = null;
        }
        String timed = timing == null ? null : timing.text();
        int most = MAX_STATUS + MAX_DATE + MAX_LENGTH + max(fields) + max(added);
        most += strict == null ? 0 : HpackEncoder.maxField(STRICT_TRANSPORT_SECURITY, strict);
        most += timed == null ? 0 : HpackEncoder.maxField(ServerTiming.FIELD, timed);
        byte[] block = new byte[most];
        int end = HpackEncoder.status(status, block, 0);
        if (!fields.contains("Date")) {
            ByteBuffer out = ByteBuffer.wrap(block).position(end);
            date.put(out);
            end = out.position();
        }
        if (strict != null) {
            end = HpackEncoder.field(STRICT_TRANSPORT_SECURITY, strict, block, end);
        }
        end = put(added, block, end);
        end = put(fields, block, end);
        if (timed != null) {
            end = HpackEncoder.field(ServerTiming.FIELD, timed, block, end);
        }
        if (length >= 0 && status != Status.NO_CONTENT) {
            end = HpackEncoder.field("content-length", Long.toString(length), block, end);
        }
        return frames(stream, block, end);
    }

    /** Encodes the head of a response without a worker. */
    byte[] canned(int stream, CannedResponse answer) {
        int length = answer.hasContent() ? answer.length() : -1;
        ResponseHead head = new ResponseHead(answer.status(), cannedFields(answer), length);
        return head(stream, answer.request(), head, null, length);
    }

    /** The fields of a response without a worker. */
    private static Fields cannedFields(CannedResponse answer) {
        Fields own = answer.fields();
        if (!answer.hasContent() || own.contains("Content-Type")) {
            return own;
        }
        FieldList fields = new FieldList();
        for (int i = 0, n = own.size(); i < n; i++) {
            fields.add(own.name(i), own.value(i));
        }
        return fields.add("Content-Type", answer.contentType());
    }

    private static int max(Fields fields) {
        int most = 0;
        for (int i = 0, n = fields.size(); i < n; i++) {
            most += HpackEncoder.maxField(fields.name(i), fields.value(i));
        }
        return most;
    }

    private static int put(Fields fields, byte[] block, int at) {
        int end = at;
        for (int i = 0, n = fields.size(); i < n; i++) {
            if (!isOfConnection(fields.name(i))) {
                end = HpackEncoder.field(fields.name(i), fields.value(i), block, end);
            }
        }
        return end;
    }

    /** RFC 9113 section 8.2.2. The length is that of the whole body, which only the server knows. */
    private static boolean isOfConnection(String name) {
        return switch (name.length()) {
            case 7 -> name.equalsIgnoreCase("upgrade");
            case 10 -> name.equalsIgnoreCase("connection") || name.equalsIgnoreCase("keep-alive");
            case 14 -> name.equalsIgnoreCase("content-length");
            case 16 -> name.equalsIgnoreCase("proxy-connection");
            case 17 -> name.equalsIgnoreCase("transfer-encoding");
            case 20 -> name.equalsIgnoreCase("sec-websocket-accept"); // RFC 8441 section 5
            default -> false;
        };
    }

    /** Puts a block into one HEADERS frame, and into CONTINUATION frames if it is longer. */
    private static byte[] frames(int stream, byte[] block, int length) {
        int count = Math.max(1, (length + MAX_BLOCK - 1) / MAX_BLOCK);
        ByteBuffer out = ByteBuffer.allocate(count * Frame.HEADER + length);
        for (int i = 0; i < count; i++) {
            int from = i * MAX_BLOCK;
            int size = Math.min(MAX_BLOCK, length - from);
            int flags = i == count - 1 ? Frame.END_HEADERS : 0;
            Frame.header(out, size, i == 0 ? Frame.HEADERS : Frame.CONTINUATION, flags, stream)
                    .put(block, from, size);
        }
        return out.array();
    }
}
