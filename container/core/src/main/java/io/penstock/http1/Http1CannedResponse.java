package io.penstock.http1;

import io.penstock.exchange.CannedResponse;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A canned response of an HTTP/1.1 connection, as bytes.
 *
 * @param closing why the connection ends with the response; null if the connection stays open
 */
record Http1CannedResponse(
        CannedResponse response, @Nullable ConnectionClosed closing) implements ResponseSlot.Parkable {

    /** Writes the fields that every final response has, for example {@code Date}. Fields that the response itself sets are not written. */
    @FunctionalInterface
    interface CommonFields {
        void put(ByteBuffer out, int status, @Nullable RequestHead request, Fields fields);
    }

    /** Composes the response into a segment, which the caller owns. The operator's page is not in it: the caller adds it. */
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

    /** Composes the response at the buffer's position, without the operator's page. */
    void encode(ByteBuffer out, CommonFields common) {
        int status = response.status();
        Fields fields = response.fields();
        HeadEncoder.statusLine(out, status);
        common.put(out, status, response.request(), fields);
        HeadEncoder.fields(out, fields);
        if (response.hasContent()) {
            if (!fields.contains("Content-Type")) {
                HeadEncoder.field(out, "Content-Type", response.contentType());
            }
            HeadEncoder.contentLength(out, response.length());
        }
        if (closing != null) {
            HeadEncoder.close(out);
        }
        HeadEncoder.crlf(out);
        if (response.sendsBody() && response.page() == null) {
            out.put(response.line());
        }
    }

    @Override
    public void discard() {
        response.discard();
    }
}
