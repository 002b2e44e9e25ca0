package io.penstock.dispatch;

import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.Response;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.ServerTiming;
import io.penstock.exchange.SpoolHistory;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.WritingLink;
import io.penstock.spool.SpoolShare;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A {@link Response} whose client takes all bytes at once. It counts events that must happen once (head, end) and events that must not
 * happen (abort, unreleased segment).
 */
final class RaceResponse extends Response {
    private static final int SEGMENT = 512;

    private final SegmentPool pool;
    private final AtomicInteger heads = new AtomicInteger();
    private final AtomicInteger ends = new AtomicInteger();
    private final AtomicInteger aborts = new AtomicInteger();

    private static final class TakingLink extends WritingLink {
        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            long count = 0;
            for (int i = offset; i < offset + length; i++) {
                count += sources[i].remaining();
                sources[i].position(sources[i].limit());
            }
            return count;
        }

        @Override
        public void signal(int bit) {
            // The link takes all bytes at once, so nothing is left for a reactor.
        }
    }

    private record Request(RequestHead head, SpoolHistory history) implements Owner {
        @Override
        public ServerResources server() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isStreaming() {
            return false;
        }

        @Override
        public @Nullable SpoolShare spoolShare() {
            return null;
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
    }

    RaceResponse(RequestHead request) {
        this(request, new SegmentPool(SEGMENT, 4 * SEGMENT));
    }

    private RaceResponse(RequestHead request, SegmentPool pool) {
        super(
                new LinkWriter(new ResponsePipe(pool, 2 * SEGMENT), new TakingLink(), LinkWriter.Files.AT_ONCE),
                new Request(request, new SpoolHistory()),
                RequestObserver.NONE);
        this.pool = pool;
    }

    String outcome() {
        boolean once = heads.get() == 1 && ends.get() == 1 && aborts.get() == 0 && pool.inUse() == 0;
        return once
                ? "answered once"
                : "heads " + heads + ", ends " + ends + ", aborts " + aborts + ", bytes held " + pool.inUse();
    }

    @Override
    public void abort(Throwable cause) {
        aborts.incrementAndGet();
        super.abort(cause);
    }

    @Override
    protected void putInformational(int status, Fields fields) {
        throw new UnsupportedOperationException();
    }

    @Override
    protected long putHead(ResponseHead head, long length, @Nullable ServerTiming timing) {
        heads.incrementAndGet();
        return out.pipe().handedOver();
    }

    @Override
    protected boolean putHead(
            ResponseHead head, long length, @Nullable ServerTiming timing, Segment body, boolean last) {
        heads.incrementAndGet();
        return true;
    }

    @Override
    protected boolean frame(Segment body, boolean last) {
        return true;
    }

    @Override
    protected boolean beginBytes(long count) {
        return count > 0;
    }

    @Override
    protected void endBytes(boolean last) {
        // The body has no framing.
    }

    @Override
    protected void endBody(Fields trailers) {
        // The body has no framing.
    }

    @Override
    protected @Nullable ConnectionClosed closingAtEnd() {
        ends.incrementAndGet();
        return null;
    }
}
