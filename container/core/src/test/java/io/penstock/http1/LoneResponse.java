package io.penstock.http1;

import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.Response;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.SimulatedLink;
import io.penstock.exchange.SpoolHistory;
import io.penstock.exchange.TestResources;
import io.penstock.http.FieldList;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.spool.SpoolShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A response to a GET request, for tests without a server. This object also acts as the exchange of the response. */
final class LoneResponse implements Response.Owner, AutoCloseable {
    final SegmentPool pool = new SegmentPool(16 * 1024, 1024 * 1024);
    final ResponsePipe pipe = new ResponsePipe(pool, 64 * 1024);
    final SimulatedLink link = new SimulatedLink();
    final LinkWriter out = new LinkWriter(pipe, link, LinkWriter.Files.AT_ONCE);
    final TestResources house = new TestResources(pool, new WireConfig());
    final Http1Response response = new Http1Response(out, new HeadWriter(pool), this, RequestObserver.NONE);

    private final SpoolHistory history = new SpoolHistory();

    String taken() {
        return link.taken.toString(StandardCharsets.ISO_8859_1);
    }

    Segment segment(String text) {
        Segment segment = response.segment();
        segment.buffer().put(bytes(text)).flip();
        return segment;
    }

    ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public RequestHead head() {
        return new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
    }

    @Override
    public @Nullable SpoolShare spoolShare() {
        return null;
    }

    @Override
    public ServerResources server() {
        return house.resources();
    }

    @Override
    public boolean isStreaming() {
        return false;
    }

    @Override
    public SpoolHistory history() {
        return history;
    }

    @Override
    public boolean isBodyComplete() {
        return true;
    }

    @Override
    public boolean isStopping() {
        return false;
    }

    @Override
    public boolean leavesWithNext() {
        return false;
    }

    /** Ends the connection, and checks that all segments have been released. */
    @Override
    public void close() throws IOException, InterruptedException {
        pipe.fail(new IOException("end of the test"));
        if (pool.inUse() != 0) {
            throw new AssertionError(pool.inUse() + " bytes of segments are not released");
        }
        house.close();
    }
}
