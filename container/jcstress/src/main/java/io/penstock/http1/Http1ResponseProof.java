package io.penstock.http1;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.events.CloseCause;
import io.penstock.exchange.LinkWriter;
import io.penstock.exchange.RequestObserver;
import io.penstock.exchange.Response;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.SpoolHistory;
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
import io.penstock.reactor.WritingLink;
import io.penstock.spool.SpoolShare;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the end of a response that a worker sends past the empty pipe, while another thread replaces or aborts it. The client gets the
 * whole response or the whole replacement, and never parts of both.
 */
public class Http1ResponseProof {
    private static final RequestHead REQUEST =
            new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
    private static final ConnectionClosed CLOSED = new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT);

    /** A link that takes some bytes of each write, and keeps them. */
    private static final class KeepingLink extends WritingLink {
        private final byte[] taken = new byte[300];
        private volatile int count;

        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            int most = Math.min(50, sources[offset].remaining());
            int before = count;
            sources[offset].get(taken, before, most);
            count = before + most;
            return most;
        }

        @Override
        public void signal(int bit) {
            // The outcome is taken after both threads have ended, and sends the remaining bytes.
        }

        String text() {
            return new String(taken, 0, count, StandardCharsets.US_ASCII);
        }
    }

    /** A response to one request. This object also acts as the exchange of the response. */
    private abstract static class OneResponse implements Response.Owner {
        private final SegmentPool pool = new SegmentPool(256, 2048);
        private final KeepingLink link = new KeepingLink();
        private final LinkWriter out = new LinkWriter(new ResponsePipe(pool, 1024), link, LinkWriter.Files.AT_ONCE);
        private final SpoolHistory history = new SpoolHistory();
        final Http1Response response = new Http1Response(out, new HeadWriter(pool), this, RequestObserver.NONE);

        Segment segment(String text) {
            Segment segment = pool.acquireForOutput();
            segment.buffer().put(text.getBytes(StandardCharsets.US_ASCII)).flip();
            return segment;
        }

        /** Returns whether the response took the bytes. */
        boolean write(String text, boolean last) {
            try {
                response.write(segment(text), last);
                return true;
            } catch (IOException e) {
                return false;
            }
        }

        boolean replace() {
            try {
                return response.replace(503, CLOSED, () -> segment("HTTP/1.1 503 "));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends the remaining bytes. Returns what the client has got, and how the response has ended. */
        String end() {
            try {
                while (!out.reactorFlush()) {
                    // The link takes some bytes in each round.
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            String text = link.text();
            String got = text;
            if (text.isEmpty()) {
                got = "nothing";
            } else if (text.equals("HTTP/1.1 503 ")) {
                got = "503";
            } else if (text.startsWith("HTTP/1.1 200 OK\r\n") && text.endsWith("Content-Length: 5\r\n\r\nhello")) {
                got = "200";
            }
            return got
                    + (response.isEnded() ? "" : ", not ended")
                    + (response.isAborted() ? ", aborted" : "")
                    + (pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held");
        }

        @Override
        public RequestHead head() {
            return REQUEST;
        }

        @Override
        public boolean isStopping() {
            return false;
        }

        @Override
        public boolean leavesWithNext() {
            return false;
        }

        @Override
        public ServerResources server() {
            throw new UnsupportedOperationException();
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
        public @Nullable SpoolShare spoolShare() {
            return null;
        }

        @Override
        public boolean isBodyComplete() {
            return true;
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "200", expect = ACCEPTABLE, desc = "the response is decided first")
    @Outcome(id = "503, replaced", expect = ACCEPTABLE, desc = "the replacement is decided first")
    @Outcome(expect = FORBIDDEN, desc = "the client gets parts of both, or nothing")
    public static class LastWriteAgainstReplacement extends OneResponse {
        private boolean replaced;

        @Actor
        public void worker() {
            response.head(new ResponseHead(200, Fields.EMPTY, -1));
            write("hello", true);
        }

        @Actor
        public void reactor() {
            replaced = replace();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end() + (replaced ? ", replaced" : "");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "200, written", expect = ACCEPTABLE, desc = "the response is decided first")
    @Outcome(id = "nothing, aborted", expect = ACCEPTABLE, desc = "the abort is decided first")
    @Outcome(expect = FORBIDDEN, desc = "the client gets a part, or the end is not known")
    public static class LastWriteAgainstAbort extends OneResponse {
        private boolean written;

        public LastWriteAgainstAbort() {
            response.head(new ResponseHead(200, Fields.EMPTY, -1));
        }

        @Actor
        public void worker() {
            written = write("hello", true);
        }

        @Actor
        public void reactor() {
            response.abort(CLOSED);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end() + (written ? ", written" : "");
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "200", expect = ACCEPTABLE, desc = "a part has been sent before the replacement")
    @Outcome(id = "503, replaced", expect = ACCEPTABLE, desc = "nothing has been sent before the replacement")
    @Outcome(expect = FORBIDDEN, desc = "the client gets parts of both, or nothing")
    public static class TwoWritesAgainstReplacement extends OneResponse {
        private boolean replaced;

        public TwoWritesAgainstReplacement() {
            response.head(new ResponseHead(200, Fields.EMPTY, 5));
        }

        @Actor
        public void worker() {
            if (write("hel", false)) {
                write("lo", true);
            }
        }

        @Actor
        public void reactor() {
            replaced = replace();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end() + (replaced ? ", replaced" : "");
        }
    }
}
