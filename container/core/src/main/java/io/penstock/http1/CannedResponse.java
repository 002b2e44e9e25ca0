package io.penstock.http1;

import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.RequestObserver;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.Status;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A response that needs no worker. It has a status, fields and a text. The response to a HEAD request has no body.
 *
 * @param text the body; null for a body of one line with the status
 * @param closing why the connection ends with the response; null if the connection stays open
 * @param request the head of the request; null if the request line is not known
 * @param observer the observer of the request
 * @param head the reservation of the memory of {@code request}; null if the response is sent at once
 */
record CannedResponse(
        int status,
        Fields fields,
        @Nullable String text,
        @Nullable ConnectionClosed closing,
        @Nullable RequestHead request,
        RequestObserver observer,
        HeadBudget.@Nullable Kept head)
        implements ResponseSlot.Response {

    CannedResponse(int status, Fields fields, @Nullable ConnectionClosed closing, @Nullable RequestHead request) {
        this(status, fields, null, closing, request, RequestObserver.NONE, null);
    }

    /** Writes the fields that every final response has, for example {@code Date}. Fields that the response itself sets are not written. */
    @FunctionalInterface
    interface CommonFields {
        void put(ByteBuffer out, int status, @Nullable RequestHead request, Fields fields);
    }

    /** Whether the connection ends with this response. */
    boolean closes() {
        return closing != null;
    }

    /** Reports the response to the observer {@code by}. Returns the same response with this observer. */
    CannedResponse observedBy(RequestObserver by, String reason) {
        if (by == RequestObserver.NONE) {
            return this;
        }
        by.refused(status, reason);
        return new CannedResponse(status, fields, text, closing, request, by, head);
    }

    /** Returns the same response, which gives {@code kept} back when it is over. */
    CannedResponse holding(HeadBudget.Kept kept) {
        return new CannedResponse(status, fields, text, closing, request, observer, kept);
    }

    /** Called once, when the response has been put into the pipe or will never be. */
    void release() {
        if (head != null) {
            head.leaveTo(observer);
        }
    }

    /**
     * The response to a request that violates the grammar or a limit. The connection ends, since the beginning of the next request is
     * unknown.
     */
    static CannedResponse violation(int status, ConnectionClosed closing, @Nullable RequestHead request) {
        return new CannedResponse(status, Fields.EMPTY, closing, request);
    }

    /**
     * The response of an overloaded server.
     *
     * @param retryAfter seconds after which the client should try again
     * @param closing why the connection ends with the response; null if the connection stays open
     */
    static CannedResponse busy(int retryAfter, @Nullable ConnectionClosed closing, RequestHead request) {
        return new CannedResponse(
                503, new FieldList().add("Retry-After", Integer.toString(retryAfter)), closing, request);
    }

    /**
     * The response of a server that stops, or that cannot answer the request in time. The client may try again after one second, because
     * another server may answer the request.
     */
    static CannedResponse unavailable(ConnectionClosed closing, RequestHead request) {
        return busy(1, closing, request);
    }

    /** Composes the whole response into a segment, which the caller owns. */
    Segment encode(SegmentPool pool, CommonFields common) {
        Segment segment = pool.acquireForOutput();
        try {
            encode(segment.buffer(), common);
            segment.buffer().flip();
            return segment;
        } catch (RuntimeException | Error e) {
            segment.release();
            throw e;
        }
    }

    /** Composes the whole response at the buffer's position. */
    void encode(ByteBuffer out, CommonFields common) {
        String said = text == null ? status + " " + Status.reason(status) + "\n" : text;
        byte[] body = said.getBytes(StandardCharsets.US_ASCII);
        boolean hasContent = !Status.isBodiless(status);
        HeadEncoder.statusLine(out, status);
        common.put(out, status, request, fields);
        HeadEncoder.fields(out, fields);
        if (hasContent) {
            if (!fields.contains("Content-Type")) {
                HeadEncoder.field(out, "Content-Type", "text/plain;charset=utf-8");
            }
            HeadEncoder.contentLength(out, body.length);
        }
        if (closes()) {
            HeadEncoder.close(out);
        }
        HeadEncoder.crlf(out);
        if (hasContent && (request == null || !Http1Response.Framing.isHead(request))) {
            out.put(body);
        }
    }

    /** Called if the response will not be sent. */
    @Override
    public void discard() {
        release();
        observer.over(false); // the response is lost; the observer reports the failure of the pipe as the cause
    }
}
