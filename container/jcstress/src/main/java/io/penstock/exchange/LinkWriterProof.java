package io.penstock.exchange;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.events.CloseCause;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the pipe, the write token and the link of a connection together. If the socket does not take all bytes, the reactor must be
 * notified, and must send the remaining bytes.
 */
public class LinkWriterProof {
    private static final ConnectionClosed CLOSED = new ConnectionClosed(CloseCause.CLIENT_CLOSED);

    /** The writing half of a connection. A worker and the reactor send bytes. */
    private abstract static class Sides {
        private final SegmentPool pool = new SegmentPool(8, 64);
        final SlowLink link;
        final LinkWriter out;
        private boolean waitsForWritable;

        Sides() {
            this(new SlowLink());
        }

        Sides(SlowLink link) {
            this.link = link;
            this.out = new LinkWriter(new ResponsePipe(pool, 64), link, LinkWriter.Files.AT_ONCE);
        }

        void append(int count) {
            try {
                out.pipe().appendWhole(ByteBuffer.allocate(count));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void workerFlush() {
            try {
                out.workerFlush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends bytes past the pipe, if nothing is to be sent before them. Otherwise appends them. */
        void workerSend(int count) {
            Segment segment = pool.acquireForOutput();
            segment.buffer().limit(count);
            try {
                if (out.workerReserve(count) < 0) {
                    out.pipe().append(segment);
                } else {
                    out.workerSend(segment);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void workerTry(ByteBuffer source) {
            try {
                out.workerTry(source);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends bytes like the reactor. If some bytes remain, the reactor will continue when the link is writable. */
        void reactorFlush() {
            try {
                waitsForWritable = !out.reactorFlush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** From this call on the reactor continues only if it gets a signal. */
        void handOver() {
            waitsForWritable = false;
        }

        /**
         * Sends the remaining bytes like the reactor, if the reactor got a signal or waits for a writable link. Returns the number of sent
         * bytes.
         */
        String end() {
            boolean comesAgain = waitsForWritable || link.isSignalled();
            for (int flushes = 0; comesAgain && flushes < 20 && !(out.isEmpty() && link.isFlushed()); flushes++) {
                reactorFlush();
            }
            return link.taken() + " sent" + (pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held");
        }
    }

    /** The worker sends a response past the empty pipe, or appends it if the reactor has the token. */
    @JCStressTest
    @State
    @Outcome(id = "11 sent", expect = ACCEPTABLE, desc = "all bytes are sent, at once or later")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait, and no thread will send them")
    public static class WorkerPastThePipeAgainstReactor extends Sides {

        @Actor
        public void worker() {
            workerSend(4);
            workerFlush();
            workerSend(7);
            workerFlush();
        }

        @Actor
        public void reactor() {
            reactorFlush();
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The link has bytes of its own to send while the worker sends a response past the empty pipe. */
    @JCStressTest
    @State
    @Outcome(id = "4 sent, own sent", expect = ACCEPTABLE, desc = "all bytes are sent, at once or later")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait, and no thread will send them")
    public static class WorkerPastThePipeAgainstBytesOfTheLink extends Sides {

        public WorkerPastThePipeAgainstBytesOfTheLink() {
            super(new SlowLink(1));
        }

        @Actor
        public void worker() {
            workerSend(4);
            workerFlush();
        }

        @Actor
        public void reactor() {
            link.addOwn();
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end() + (link.ownSent() == 1 ? ", own sent" : "");
        }
    }

    /** The worker sends the last bytes of the connection and ends the output, while the reactor sends bytes, too. */
    @JCStressTest
    @State
    @Outcome(id = "7 sent, ended by the worker", expect = ACCEPTABLE, desc = "the end follows all bytes")
    @Outcome(
            id = "7 sent, left to the reactor",
            expect = ACCEPTABLE,
            desc = "the reactor had the token, or has to send the remaining bytes")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait behind the end, or the end is lost")
    public static class EndAgainstReactor extends Sides {
        private boolean ended;

        public EndAgainstReactor() {
            append(3);
        }

        @Actor
        public void worker() {
            append(4);
            workerFlush();
            ended = out.workerEnd();
            if (!ended) {
                link.signal(LinkWriter.STALLED); // the reactor then ends the output
            }
        }

        @Actor
        public void reactor() {
            reactorFlush();
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            boolean once = ended == out.hasOutputEnded() && (ended || link.isSignalled());
            r.r1 = end() + (!once ? ", lost" : ended ? ", ended by the worker" : ", left to the reactor");
        }
    }

    /** The worker of an ended request flushes late, while the idle connection drops its writer and gets the next one. */
    @JCStressTest
    @State
    @Outcome(id = "9 sent", expect = ACCEPTABLE, desc = "only one of the two writers uses the link at a time")
    @Outcome(expect = FORBIDDEN, desc = "both writers use the link, or bytes wait, and no thread will send them")
    public static class LateFlushAgainstNextWriter extends Sides {
        private Sides last = this;

        public LateFlushAgainstNextWriter() {
            super(new SlowLink(3));
        }

        @Actor
        public void worker() {
            workerFlush();
        }

        @Actor
        public void reactor() {
            if (out.reactorEnd()) {
                last = new Sides(link) {};
            }
            last.append(9);
            last.reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = last.end();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "12 sent", expect = ACCEPTABLE, desc = "all bytes are sent, at once or later")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait, and no thread will send them")
    public static class WorkerAgainstReactor extends Sides {

        public WorkerAgainstReactor() {
            append(4);
        }

        @Actor
        public void worker() {
            append(3);
            workerFlush();
            append(5);
            workerFlush();
        }

        @Actor
        public void reactor() {
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** Counts the reports of the end of a response. */
    private static final class Ends implements RequestObserver {
        private final AtomicInteger count = new AtomicInteger();

        @Override
        public void sent(long end) {
            count.incrementAndGet();
        }
    }

    /**
     * The first observed response is completed while the connection is closed. It is possible that the list of observed responses is
     * created after the reactor has searched for this list.
     */
    @JCStressTest
    @State
    @Outcome(id = "reported 1", expect = ACCEPTABLE, desc = "the response is reported once, as sent or as lost")
    @Outcome(expect = FORBIDDEN, desc = "the response is not reported, or twice")
    public static class FirstResponseAgainstClose extends Sides {
        private final AtomicInteger count = new AtomicInteger();
        private final RequestObserver observer = new RequestObserver() {
            @Override
            public void sent(long end) {
                count.incrementAndGet();
            }

            @Override
            public void lost(String cause) {
                count.incrementAndGet();
            }
        };

        public FirstResponseAgainstClose() {
            append(3);
        }

        @Actor
        public void worker() {
            out.responseComplete(observer);
            workerFlush();
        }

        @Actor
        public void reactor() {
            out.onClosed(CLOSED);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "reported " + count;
        }
    }

    /** A worker sends two responses. Each response must be reported once, after its last byte has been sent. */
    @Outcome(id = "12 sent, reported 1 and 1", expect = ACCEPTABLE, desc = "each response is reported at its end")
    @Outcome(
            expect = FORBIDDEN,
            desc = "a response is reported too early, twice or never, or no thread sends the remaining bytes")
    public abstract static class TwoResponses extends Sides {
        private final Ends first = new Ends();
        private final Ends second = new Ends();

        TwoResponses(SlowLink link) {
            super(link);
            append(4);
        }

        final void sendBoth() {
            append(3);
            out.responseComplete(first);
            workerFlush();
            append(5);
            out.responseComplete(second);
            workerFlush();
        }

        final String outcome() {
            return end() + ", reported " + first.count + " and " + second.count;
        }
    }

    /** In this test the link immediately sends all bytes that it takes. */
    @JCStressTest
    @JCStressMeta(TwoResponses.class)
    @State
    public static class ResponsesOverASocket extends TwoResponses {

        public ResponsesOverASocket() {
            super(new SlowLink());
        }

        @Actor
        public void worker() {
            sendBoth();
        }

        @Actor
        public void reactor() {
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    /** In this test the link holds back the last bytes of each write, like a TLS link. */
    @JCStressTest
    @JCStressMeta(TwoResponses.class)
    @State
    public static class ResponsesOverRecords extends TwoResponses {

        public ResponsesOverRecords() {
            super(new SlowLink(2));
        }

        @Actor
        public void worker() {
            sendBoth();
        }

        @Actor
        public void reactor() {
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = outcome();
        }
    }

    /** One worker sends instead of the reactor. Another worker adds the next response at the same time. */
    @JCStressTest
    @State
    @Outcome(id = "15 sent", expect = ACCEPTABLE, desc = "all bytes are sent by a worker or by the reactor")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait, and no thread will send them")
    public static class WorkerInPlaceOfTheReactor extends Sides {

        public WorkerInPlaceOfTheReactor() {
            append(8);
            // The link takes only some of the bytes. The remaining bytes wait in the pipe.
            reactorFlush();
            handOver();
        }

        @Actor
        public void sender() {
            try {
                out.workerSendFiles(() -> true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            link.signal(LinkWriter.STALLED);
        }

        @Actor
        public void worker() {
            append(7);
            workerFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "7 sent, 1 of the link", expect = ACCEPTABLE, desc = "a thread sends the bytes of the link")
    @Outcome(expect = FORBIDDEN, desc = "no thread sends the bytes of the link itself")
    public static class OwnBytesOfTheLink extends Sides {

        public OwnBytesOfTheLink() {
            append(4);
        }

        @Actor
        public void worker() {
            append(3);
            workerFlush();
        }

        @Actor
        public void reactor() {
            link.addOwn();
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end() + ", " + link.ownSent() + " of the link";
        }
    }

    /** The same race as {@link OwnBytesOfTheLink}, with bytes of the worker that are not added to the pipe. */
    @JCStressTest
    @State
    @Outcome(id = "3 sent, 1 of the link", expect = ACCEPTABLE, desc = "a thread sends the bytes of the link")
    @Outcome(expect = FORBIDDEN, desc = "no thread sends the bytes of the link itself")
    public static class OwnBytesOfTheLinkBesideAWriter extends Sides {
        private final ByteBuffer bytes = ByteBuffer.allocate(3);

        @Actor
        public void worker() {
            workerTry(bytes);
            if (bytes.hasRemaining()) {
                append(bytes.remaining());
                workerFlush();
            }
        }

        @Actor
        public void reactor() {
            link.addOwn();
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end() + ", " + link.ownSent() + " of the link";
        }
    }
}
