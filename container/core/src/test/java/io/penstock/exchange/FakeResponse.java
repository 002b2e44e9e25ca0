package io.penstock.exchange;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.ResponseHead;
import io.penstock.http.Version;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.spool.SpoolShare;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A response without a server: its client takes all bytes at once, its head is kept, and its body has no framing. It records the calls of
 * the writer.
 */
public final class FakeResponse extends Response {
    public static final int SEGMENT = 64;

    private final List<String> calls = new ArrayList<>();
    private final SegmentPool pool;
    private final SimulatedLink link;
    private ResponseHead head;
    private Fields trailers = Fields.EMPTY;
    private Throwable aborted;
    private long room = Long.MAX_VALUE / 2;
    private int mayHold = SEGMENT;
    private IOException failure;
    private Runnable waiting;

    private static final class Request implements Owner {
        private final RequestHead head =
                new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
        private final SpoolHistory history = new SpoolHistory();

        @Override
        public RequestHead head() {
            return head;
        }

        @Override
        public ServerResources server() {
            throw new AssertionError("a client that takes all bytes at once needs no disk");
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
        public SpoolShare spoolShare() {
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

    public FakeResponse() {
        this(new SegmentPool(SEGMENT, 1024 * SEGMENT), new SimulatedLink());
    }

    private FakeResponse(SegmentPool pool, SimulatedLink link) {
        super(
                new LinkWriter(new ResponsePipe(pool, 512 * SEGMENT), link, LinkWriter.Files.AT_ONCE),
                new Request(),
                RequestObserver.NONE);
        this.pool = pool;
        this.link = link;
        link.room = Long.MAX_VALUE;
    }

    // ---- results for the test

    public ResponseHead head() {
        return head;
    }

    public int status() {
        return head.status();
    }

    public String header(String name) {
        return head.fields().first(name);
    }

    public String text() {
        return link.taken.toString(StandardCharsets.UTF_8);
    }

    public byte[] bytes() {
        return link.taken.toByteArray();
    }

    /** The calls of the writer. Examples of entries: {@code segment 5 last}, {@code buffer 100}, {@code flush}, {@code finish}. */
    public List<String> calls() {
        return calls;
    }

    public Fields trailers() {
        return trailers;
    }

    public Throwable aborted() {
        return aborted;
    }

    /** The number of segments that have not been released. */
    public int outstanding() {
        return (int) (pool.inUse() / SEGMENT);
    }

    // ---- actions of the test

    /** From now on, the client accepts {@code n} more bytes. */
    public void limitRoom(long n) {
        room = n;
        if (room > 0 && waiting != null) {
            Runnable action = waiting;
            waiting = null;
            action.run();
        }
    }

    /** Sets the result of {@link #mayHold()}. */
    public void mayHold(int bytes) {
        mayHold = bytes;
    }

    /** Simulates that the client has disconnected. */
    public void fail(IOException cause) {
        failure = cause;
    }

    // ---- the writer's calls

    private void check() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    private void record(String kind, long count, boolean last) {
        calls.add(kind + ' ' + count + (last ? " last" : ""));
        room -= count;
    }

    private void check(Segment segment) throws IOException {
        if (failure != null) {
            segment.release();
            throw failure;
        }
    }

    @Override
    public int mayHold() {
        return mayHold;
    }

    @Override
    public void write(Segment segment, boolean last) throws IOException {
        check(segment);
        record("segment", segment.buffer().remaining(), last);
        super.write(segment, last);
    }

    @Override
    public void gather(Segment segment) throws IOException {
        check(segment);
        record("segment", segment.buffer().remaining(), false);
        super.gather(segment);
    }

    /** Copies the bytes into segments, since only a response with a disk has a way for others. */
    @Override
    public void write(ByteBuffer source, boolean last) throws IOException {
        check();
        record("buffer", source.remaining(), last);
        do {
            Segment segment = segment();
            ByteBuffer part = source.slice(source.position(), Math.min(source.remaining(), SEGMENT));
            source.position(source.position() + part.remaining());
            segment.buffer().put(part).flip();
            super.write(segment, last && !source.hasRemaining());
        } while (source.hasRemaining());
    }

    @Override
    public void write(FileChannel file, long position, long count, boolean last) throws IOException {
        check();
        record("file", count, last);
        super.write(file, position, count, last);
    }

    @Override
    public void flush() throws IOException {
        if (!isEnded()) {
            check();
        }
        calls.add("flush");
        super.flush();
    }

    @Override
    public void finish(Fields fields) throws IOException {
        if (!isEnded()) {
            check();
            calls.add("finish");
            trailers = fields;
        }
        super.finish(fields);
    }

    @Override
    public void nonBlocking() {
        calls.add("nonBlocking");
        super.nonBlocking();
    }

    @Override
    public boolean isReady() {
        return room > 0;
    }

    @Override
    public void whenReady(Runnable action) {
        if (isReady()) {
            action.run();
        } else {
            waiting = action;
        }
    }

    @Override
    public void abort(Throwable cause) {
        if (!phase().isDecided()) {
            aborted = cause;
        }
        super.abort(cause);
    }

    // ---- the protocol's part

    @Override
    protected void putInformational(int status, Fields fields) {
        calls.add("informational " + status);
    }

    private void keep(ResponseHead newHead) {
        if (head != null) {
            throw new AssertionError("a second head was sent");
        }
        head = newHead;
    }

    @Override
    protected long putHead(ResponseHead newHead, long length, @Nullable ServerTiming timing) {
        keep(newHead);
        return out.pipe().handedOver();
    }

    @Override
    protected boolean putHead(
            ResponseHead newHead, long length, @Nullable ServerTiming timing, Segment body, boolean last) {
        keep(newHead);
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
    protected void endBody(Fields fields) {
        // The body has no framing.
    }

    @Override
    protected ConnectionClosed closingAtEnd() {
        return null;
    }
}
