package io.penstock.websocket.frame;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.websocket.frame.FrameConnection.Side;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressMeta;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks the queue of frames: two senders, the job that drains, the close frame and the timeout of a send. The transport takes a few bytes
 * at a time. Two processors run only two actors at a time, so the job and a sender are one of them.
 */
public class FrameWriterProof {

    /** Takes a few bytes per write, and keeps them. Its jobs run when a test runs them. */
    private static final class PartialTransport implements Transport {
        private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
        private final Queue<Runnable> jobs = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean isWriting = new AtomicBoolean();
        private volatile Runnable timer = () -> {};
        private volatile int most;
        private volatile boolean hasTwoWriters;
        private volatile boolean aborted;

        PartialTransport(int most) {
            this.most = most;
        }

        @Override
        public void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) throws IOException {
            hasTwoWriters |= !isWriting.compareAndSet(false, true);
            try {
                if (aborted) {
                    throw new IOException("aborted");
                }
                int left = most;
                for (ByteBuffer each : new ByteBuffer[] {head, payload}) {
                    for (; left > 0 && each.hasRemaining(); left--) {
                        taken.write(each.get());
                    }
                }
            } finally {
                isWriting.set(false);
            }
        }

        @Override
        public boolean awaitRoom(long nanos) {
            return true;
        }

        @Override
        public void whenRoom(Runnable action) {
            jobs.add(action);
        }

        @Override
        public void work(Runnable action) {
            jobs.add(action);
        }

        @Override
        public void execute(Runnable job) {
            jobs.add(job);
        }

        @Override
        public Future<?> after(long millis, Runnable action) {
            FutureTask<?> task = new FutureTask<>(action, null);
            timer = task;
            return task;
        }

        @Override
        public void close() {}

        @Override
        public void abort(Throwable cause) {
            aborted = true;
        }
    }

    /** A writer with its transport, and the results of its sends. */
    private abstract static class Sides {
        final PartialTransport transport;
        final FrameWriter writer;
        private final AtomicInteger sent = new AtomicInteger();
        private final AtomicInteger failed = new AtomicInteger();

        Sides(int mostBytes) {
            transport = new PartialTransport(mostBytes);
            writer = new FrameWriter(Side.SERVER, transport, null, () -> {}, transport::abort);
        }

        void send(String text, long timeoutMillis) {
            writer.send(EncodedMessage.text(text), timeoutMillis, failure -> (failure == null ? sent : failed)
                    .incrementAndGet());
        }

        void sendAndWait(String text) {
            try {
                writer.sendAndWait(EncodedMessage.text(text), 0);
                sent.incrementAndGet();
            } catch (IOException e) {
                failed.incrementAndGet();
            }
        }

        void runJobs() {
            for (Runnable job = transport.jobs.poll(); job != null; job = transport.jobs.poll()) {
                job.run();
            }
        }

        /** Runs the jobs that are left. Returns the frames that the peer has got, and the results of the sends. */
        String end() {
            runJobs();
            return frames() + "; " + sent + " sent, " + failed + " failed" + (writer.queuedBytes() > 0 ? ", waits" : "")
                    + (transport.aborted ? ", aborted" : "") + (transport.hasTwoWriters ? ", two writers" : "");
        }

        private String frames() {
            ByteBuffer in = ByteBuffer.wrap(transport.taken.toByteArray());
            StringBuilder frames = new StringBuilder();
            while (in.hasRemaining()) {
                int first = in.get() & 0xff;
                int length = in.hasRemaining() ? in.get() : Byte.MAX_VALUE;
                if (length > in.remaining()) {
                    return frames + "part";
                }
                byte[] payload = new byte[length];
                in.get(payload);
                frames.append(first == 0x88 ? "close" : new String(payload, StandardCharsets.US_ASCII))
                        .append(' ');
            }
            return frames.toString().strip();
        }
    }

    @Outcome(id = "aaaa bbbb; 2 sent, 0 failed", expect = ACCEPTABLE, desc = "both messages are sent whole")
    @Outcome(id = "bbbb aaaa; 2 sent, 0 failed", expect = ACCEPTABLE, desc = "both messages are sent whole")
    @Outcome(expect = FORBIDDEN, desc = "a message waits and nobody will send it, or frames are mixed")
    private static class Both {}

    /** Two threads send, and none waits. The transport takes all bytes. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class TwoSenders extends Sides {

        public TwoSenders() {
            super(100);
        }

        @Actor
        public void sender() {
            send("aaaa", 0);
        }

        @Actor
        public void another() {
            send("bbbb", 0);
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** Two threads send, and one of them is also the worker that drains. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class TwoSendersAndTheDrainOnASlowTransport extends Sides {

        public TwoSendersAndTheDrainOnASlowTransport() {
            super(4);
        }

        @Actor
        public void sender() {
            send("aaaa", 0);
        }

        @Actor
        public void anotherAndTheDrain() {
            send("bbbb", 0);
            runJobs();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** One thread waits for its message, while the other sends and drains. */
    @JCStressTest
    @JCStressMeta(Both.class)
    @State
    public static class WaitingSenderBesideTheDrain extends Sides {

        public WaitingSenderBesideTheDrain() {
            super(4);
        }

        @Actor
        public void waits() {
            sendAndWait("aaaa");
        }

        @Actor
        public void sendsAndDrains() {
            send("bbbb", 0);
            runJobs();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The close frame is the last one: a message is before it, or fails. */
    @JCStressTest
    @State
    @Outcome(id = "aaaa close; 1 sent, 0 failed", expect = ACCEPTABLE, desc = "the message was first")
    @Outcome(id = "close; 0 sent, 1 failed", expect = ACCEPTABLE, desc = "the close was first")
    @Outcome(expect = FORBIDDEN, desc = "a message behind the close frame, or one without a result")
    public static class CloseBesideSend extends Sides {

        public CloseBesideSend() {
            super(4);
        }

        @Actor
        public void sender() {
            send("aaaa", 0);
        }

        @Actor
        public void closes() {
            writer.close(ByteBuffer.wrap(new byte[] {3, (byte) 0xe8}));
            runJobs();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The time of a message passes while the worker drains. The message behind it is sent, unless a part of the first was sent. */
    @JCStressTest
    @State
    @Outcome(id = "aaaa bbbb; 2 sent, 0 failed", expect = ACCEPTABLE, desc = "the drain was first")
    @Outcome(id = "bbbb; 1 sent, 1 failed", expect = ACCEPTABLE, desc = "the timeout was first")
    @Outcome(id = "part; 0 sent, 2 failed, aborted", expect = ACCEPTABLE, desc = "the timeout came within the message")
    @Outcome(
            id = "; 0 sent, 2 failed, aborted",
            expect = ACCEPTABLE,
            desc = "it came before the first write of the drain")
    @Outcome(
            id = "aaaa; 0 sent, 2 failed, aborted",
            expect = ACCEPTABLE,
            desc = "it came after the last write of the message")
    @Outcome(
            id = "aaaa part; 0 sent, 2 failed, aborted",
            expect = ACCEPTABLE,
            desc = "it came after the write, in which the next message had begun")
    @Outcome(expect = FORBIDDEN, desc = "two results for a message, or a part of it without an abort")
    public static class TimeoutBesideTheDrain extends Sides {

        public TimeoutBesideTheDrain() {
            super(0);
            send("aaaa", 50);
            send("bbbb", 0);
            transport.most = 4;
        }

        @Actor
        public void timer() {
            transport.timer.run();
            runJobs();
        }

        @Actor
        public void worker() {
            runJobs();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }
}
