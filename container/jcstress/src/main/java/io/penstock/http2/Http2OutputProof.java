package io.penstock.http2;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.events.CloseCause;
import io.penstock.exchange.HeadBudget;
import io.penstock.exchange.LinkWriter;
import io.penstock.memory.ByteAccount;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.WritingLink;
import java.io.ByteArrayOutputStream;
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
 * Checks the output of a connection with two streams: the token, the windows, the queues, the frames that are joined, and those that the
 * socket takes only in part. If nobody has sent all bytes, the reactor must have a signal. What waits for the client is counted, and nothing
 * is counted or held afterwards. Two processors run only two actors at a time, so the reactor and the second worker are one of them.
 */
public class Http2OutputProof {

    /** A link that takes a few bytes per write, and keeps them. */
    private static final class PartialLink extends WritingLink {
        private final AtomicInteger signals = new AtomicInteger();
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private volatile int most;

        PartialLink(int most) {
            this.most = most;
        }

        /** Only the holder of the token calls this method. */
        @Override
        public long write(ByteBuffer[] sources, int offset, int length) {
            int count = 0;
            for (int i = offset; i < offset + length; i++) {
                while (sources[i].hasRemaining() && count < most) {
                    taken.write(sources[i].get());
                    count++;
                }
            }
            return count;
        }

        @Override
        public void signal(int bit) {
            signals.getAndUpdate(bits -> bits | bit);
        }

        boolean isSignalled() {
            return signals.get() != 0;
        }
    }

    /** A connection with two streams. */
    private abstract static class Sides {
        private final SegmentPool pool;
        private final HeadBudget budget = new HeadBudget(1 << 20);
        private final PartialLink link;
        final Http2Output output;
        final StreamOutput one;
        final StreamOutput other;
        private boolean waitsForWritable;

        Sides(int mostBytes, int window) {
            this(mostBytes, window, 64);
        }

        Sides(int mostBytes, int window, int segment) {
            pool = new SegmentPool(segment, 16L * segment);
            link = new PartialLink(mostBytes);
            output = new Http2Output(link, LinkWriter.Files.AT_ONCE, new ByteAccount(10), budget);
            one = stream(1, window);
            other = stream(3, window);
        }

        private StreamOutput stream(int id, int window) {
            return new StreamOutput(id, output, new ResponsePipe(pool, 256), window, () -> {}, () -> {}, failure -> {});
        }

        /** Answers like a worker: past the pipe if nothing is before, otherwise by the pipe. */
        void answer(StreamOutput stream, int count) {
            Segment segment = pool.acquireForOutput();
            segment.buffer().limit(count);
            boolean owned = true;
            try {
                stream.head(new byte[] {0, 0, 0, Frame.HEADERS, Frame.END_HEADERS, 0, 0, 0, (byte) stream.id()});
                stream.endAt(count);
                boolean past = stream.workerReserve(count) >= 0;
                owned = false;
                if (past) {
                    stream.workerSend(segment);
                } else {
                    stream.pipe().append(segment);
                }
                stream.workerFlush();
            } catch (IOException e) {
                // The stream has been reset.
                if (owned) {
                    segment.release();
                }
            }
        }

        void reactorFlush() {
            try {
                waitsForWritable = !output.flushAsReactor(true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Sends the rest like the reactor, if it got a signal or waits for a writable link. Returns what the client got. */
        String end() {
            boolean comes = waitsForWritable || link.isSignalled();
            for (int flushes = 0; comes && flushes < 60 && !output.isFlushed(); flushes++) {
                reactorFlush();
            }
            return new Parsed(link.taken.toByteArray()) + held();
        }

        /** The client reads again. */
        void clientReads() {
            link.most = 1000;
        }

        /** The reactor closes the link. */
        void close() {
            output.onClosed();
            for (StreamOutput stream : new StreamOutput[] {one, other}) {
                stream.reset();
                stream.pipe().fail(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
            }
        }

        /** What is still held or counted; an empty text for nothing. */
        String held() {
            return (pool.inUse() == 0 ? "" : ", " + pool.inUse() + " held")
                    + (budget.used() == 0 ? "" : ", " + budget.used() + " counted");
        }
    }

    /** The frames that the client has got. */
    private static final class Parsed {
        private final int[] bytes = new int[4];
        private final int[] ends = new int[4];
        private String fault = "";

        Parsed(byte[] all) {
            ByteBuffer in = ByteBuffer.wrap(all);
            boolean reset = false;
            while (in.remaining() >= Frame.HEADER && fault.isEmpty()) {
                int length = (in.get() & 0xFF) << 16 | in.getShort() & 0xFFFF;
                int type = in.get();
                int flags = in.get();
                int stream = in.getInt();
                if (length > in.remaining() || stream < 0 || stream > 3) {
                    fault = " broken";
                    return;
                }
                in.position(in.position() + length);
                if (type == Frame.DATA) {
                    bytes[stream] += length;
                    fault = reset && stream == 1 ? " DATA behind the reset" : fault;
                }
                reset |= type == Frame.RST_STREAM;
                ends[stream] += type <= Frame.HEADERS && (flags & Frame.END_STREAM) != 0 ? 1 : 0;
            }
            fault += in.hasRemaining() ? " broken" : "";
        }

        @Override
        public String toString() {
            return bytes[1] + "+" + bytes[3] + " bytes, " + ends[1] + "+" + ends[3] + " ends" + fault;
        }
    }

    @Outcome(id = "20+30 bytes, 1+1 ends", expect = ACCEPTABLE, desc = "both responses are sent, in whole frames")
    @Outcome(expect = FORBIDDEN, desc = "bytes wait and nobody will send them, or frames are broken")
    private static class Both {}

    /** Two workers answer at the same time. The socket takes everything. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class TwoWorkers extends Sides {

        public TwoWorkers() {
            super(1000, 1000);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void another() {
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** Two workers answer at the same time, while the reactor writes. The socket takes a few bytes of each write. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class TwoWorkersAndTheReactorOnASlowSocket extends Sides {

        public TwoWorkersAndTheReactorOnASlowSocket() {
            super(7, 1000);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactorAndAnotherWorker() {
            output.control(Frame.settingsAck());
            reactorFlush();
            reactorFlush();
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The socket is full while two workers answer, so that their frames are joined, or wait and are counted. Later the client reads. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class TwoWorkersOnAFullSocket extends Sides {

        public TwoWorkersOnAFullSocket() {
            super(0, 1000, 128);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void anotherWorker() {
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            clientReads();
            r.r1 = end();
        }
    }

    /** As before, but the client begins to read meanwhile, and the reactor sends. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class TwoWorkersAndTheReactorWhenTheClientReadsAgain extends Sides {

        public TwoWorkersAndTheReactorWhenTheClientReadsAgain() {
            super(0, 1000, 128);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactorAndAnotherWorker() {
            answer(other, 30);
            clientReads();
            reactorFlush();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The reactor closes the link while a worker writes to a slow socket. */
    @JCStressTest
    @State
    @Outcome(id = "released", expect = ACCEPTABLE, desc = "nothing is held or counted")
    @Outcome(expect = FORBIDDEN, desc = "frames that will never be sent are kept")
    public static class CloseAgainstWorkerOnASlowSocket extends Sides {

        public CloseAgainstWorkerOnASlowSocket() {
            super(7, 1000, 128);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactor() {
            close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = "released" + held();
        }
    }

    /** The client enlarges the windows of both streams while workers answer. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class WindowsAgainstWorkers extends Sides {

        public WindowsAgainstWorkers() {
            super(1000, 10);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactorAndAnotherWorker() {
            output.enlarge(one, 10);
            output.enlarge(other, 20);
            reactorFlush();
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The window of the connection is used up. The client enlarges it while workers answer. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class WindowOfTheConnectionAgainstWorkers extends Sides {

        public WindowOfTheConnectionAgainstWorkers() {
            super(1000, 1000);
            output.enlarge(10 - Frame.FIRST_WINDOW);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactorAndAnotherWorker() {
            output.enlarge(1000);
            reactorFlush();
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The client resets a stream of which the socket takes a few bytes at a time. Zeros complete its frame. */
    @JCStressTest
    @State
    @Outcome(id = "20+30 bytes, 1+1 ends", expect = ACCEPTABLE, desc = "the answer was first, or its frame had begun")
    @Outcome(id = "0+30 bytes, 0+1 ends", expect = ACCEPTABLE, desc = "the reset was first")
    @Outcome(expect = FORBIDDEN, desc = "broken frames, bytes behind the reset, or the other stream waits")
    public static class ResetAgainstWorkerOnASlowSocket extends Sides {

        public ResetAgainstWorkerOnASlowSocket() {
            super(6, 1000);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactorAndAnotherWorker() {
            if (one.reset()) {
                output.control(Frame.reset(1, ErrorCode.CANCEL));
            }
            one.pipe().fail(new ConnectionClosed(CloseCause.CLIENT_RESET));
            reactorFlush();
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The client resets a stream while its worker answers. The other stream is not affected. */
    @JCStressTest
    @State
    @Outcome(id = "20+30 bytes, 1+1 ends", expect = ACCEPTABLE, desc = "the answer was first")
    @Outcome(id = "0+30 bytes, 0+1 ends", expect = ACCEPTABLE, desc = "the reset was first")
    @Outcome(id = "[0-9]+\\+30 bytes, 0\\+1 ends", expect = ACCEPTABLE, desc = "the reset came within the answer")
    @Outcome(expect = FORBIDDEN, desc = "bytes behind the reset, or the other stream waits")
    public static class ResetAgainstWorker extends Sides {

        public ResetAgainstWorker() {
            super(25, 1000);
        }

        @Actor
        public void worker() {
            answer(one, 20);
        }

        @Actor
        public void reactorAndAnotherWorker() {
            if (one.reset()) {
                output.control(Frame.reset(1, ErrorCode.CANCEL));
            }
            one.pipe().fail(new ConnectionClosed(CloseCause.CLIENT_RESET));
            reactorFlush();
            answer(other, 30);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }
}
