package io.penstock.http1;

import io.penstock.exchange.RequestObserver;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.Status;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An answer that needs no worker: a status, a line of text, and why the connection ends with it, if it does. Its content is the same for
 * each request; a HEAD gets no body.
 *
 * @param closing why the connection ends with it; null if it goes on
 * @param withBody false where the request was a HEAD
 * @param observer of the request
 */
record CannedResponse(
        int status, Fields fields, @Nullable ConnectionClosed closing, boolean withBody, RequestObserver observer)
        implements ResponseSlot.Response {

    CannedResponse(int status, Fields fields, @Nullable ConnectionClosed closing, boolean withBody) {
        this(status, fields, closing, withBody, RequestObserver.NONE);
    }

    /** Whether the connection ends with it. */
    boolean closes() {
        return closing != null;
    }

    /** The same response to a request that is observed. */
    CannedResponse observedBy(RequestObserver by, String reason) {
        if (by == RequestObserver.NONE) {
            return this;
        }
        by.refused(status, reason);
        return new CannedResponse(status, fields, closing, withBody, by);
    }

    /** The response to a violation: the connection ends, since it is unknown where the next request would begin. */
    static CannedResponse violation(int status, ConnectionClosed closing, boolean withBody) {
        return new CannedResponse(status, Fields.EMPTY, closing, withBody);
    }

    /**
     * There is too much to do.
     *
     * @param retryAfter seconds after which it is worth while to come again
     * @param closing why the connection ends with it; null if it goes on
     */
    static CannedResponse busy(int retryAfter, @Nullable ConnectionClosed closing, boolean withBody) {
        return new CannedResponse(
                503, new FieldList().add("Retry-After", Integer.toString(retryAfter)), closing, withBody);
    }

    /** The server has no place for this client, or ends: it may come again, and another server may have one now. */
    static CannedResponse unavailable(ConnectionClosed closing, boolean withBody) {
        return busy(1, closing, withBody);
    }

    /** Composes the whole response into a segment, which is the caller's. */
    Segment encode(SegmentPool pool, DateField date) {
        Segment segment = pool.acquireForOutput();
        try {
            encode(segment.buffer(), date);
            return segment;
        } catch (RuntimeException | Error e) {
            segment.release();
            throw e;
        }
    }

    private void encode(ByteBuffer out, DateField date) {
        byte[] body = (status + " " + Status.reason(status) + "\n").getBytes(StandardCharsets.US_ASCII);
        HeadEncoder.statusLine(out, status);
        date.put(out);
        HeadEncoder.fields(out, fields);
        HeadEncoder.field(out, "Content-Type", "text/plain;charset=utf-8");
        HeadEncoder.contentLength(out, body.length);
        if (closes()) {
            HeadEncoder.close(out);
        }
        HeadEncoder.crlf(out);
        if (withBody) {
            out.put(body);
        }
        out.flip();
    }

    /** Nothing was acquired for it. */
    @Override
    public void discard() {
        observer.over(false); // for the cause that the pipe has
    }
}
