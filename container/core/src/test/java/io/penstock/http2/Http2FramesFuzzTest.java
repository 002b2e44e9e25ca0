package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.SimulatedLink;
import io.penstock.exchange.TestResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.ForwardingLink;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/**
 * Fuzz test for the frames of a client. Each input follows the preface, and arrives whole, in two parts, and byte by byte. No connection may
 * fail, send what is no frame, or keep memory. If the server does nothing but read, the connection does the same wherever the input is cut.
 * The requests wait for a worker, which does not exist.
 */
class Http2FramesFuzzTest {
    private static final int SEGMENT = 16 * 1024;

    /** So long inputs do not use up the patience with their client. */
    private static final int MOST = 8_000;

    private static TestResources server;
    private static SegmentPool pool;
    private static Http2Protocol protocol;
    private static Reactor reactor;
    private static UnfinishedBodies unfinished;
    private static long connections;

    @BeforeAll
    static void start() throws IOException {
        pool = new SegmentPool(SEGMENT, 4 << 20);
        server = new TestResources(pool, new WireConfig().queue(1000), ConnectionEvents.NONE);
        protocol = Http2Protocol.plain(server.resources());
        reactor =
                new Reactor("fuzzed", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), SEGMENT, Rounds.unwatched());
        reactor.start();
        unfinished = new UnfinishedBodies(reactor, pool, asking -> {});
    }

    @AfterAll
    static void stop() throws Exception {
        reactor.stop();
        reactor.join();
        server.close();
    }

    /** A client that has sent a part of its bytes. */
    private static final class Client extends ForwardingLink {
        private final SimulatedLink socket;
        private final Conversation conversation;
        private ByteBuffer arrived = ByteBuffer.allocate(0);
        private ConnectionClosed closed;

        private Client(SimulatedLink socket) {
            super(socket);
            this.socket = socket;
            socket.reactor = reactor;
            socket.room = Long.MAX_VALUE;
            conversation = protocol.open(this, new AcceptedConnection(++connections, reactor.now(), unfinished));
            signals();
        }

        @Override
        public int read(ByteBuffer target) {
            int count = Math.min(target.remaining(), arrived.remaining());
            target.put(arrived.slice(arrived.position(), count));
            arrived.position(arrived.position() + count);
            return count;
        }

        @Override
        public void wantReadable(boolean wanted) {}

        @Override
        public void wantWritable(boolean wanted) {}

        @Override
        public void shutdownOutput() {}

        @Override
        public boolean isOpen() {
            return closed == null;
        }

        @Override
        public void close(ConnectionClosed cause) {
            if (closed == null) {
                closed = cause;
                conversation.onClosed(cause);
            }
        }

        @Override
        public void contain(Part part) {
            if (isOpen()) {
                try {
                    part.run();
                } catch (IOException e) {
                    close(ConnectionClosed.of(e));
                }
            }
        }

        private void signals() {
            for (int bits = socket.takeSignals(); bits != 0; bits = socket.takeSignals()) {
                int all = bits;
                contain(() -> conversation.onSignals(all));
            }
        }

        void arrive(byte[] bytes, int from, int to) {
            arrived = ByteBuffer.wrap(bytes, from, to - from);
            int before = -1;
            while (isOpen() && arrived.hasRemaining() && arrived.remaining() != before) {
                before = arrived.remaining();
                contain(conversation::onReadable);
                signals();
            }
        }

        /** The frames that the server has sent; those of the connection and of each stream in their order. */
        List<String> sent() {
            ByteBuffer all = ByteBuffer.wrap(socket.taken.toByteArray());
            List<String> frames = new ArrayList<>();
            while (all.hasRemaining()) {
                int first = all.getInt();
                byte[] payload = new byte[first >>> 8];
                int flags = all.get();
                int stream = all.getInt();
                all.get(payload);
                frames.add(stream + " " + (first & 0xFF) + " " + flags + " " + Arrays.toString(payload));
            }
            frames.sort((one, other) -> Integer.compare(number(one), number(other)));
            return frames;
        }

        private static int number(String frame) {
            return Integer.parseInt(frame.substring(0, frame.indexOf(' ')));
        }
    }

    /** What becomes of a connection whose client sends these bytes in parts. */
    private static List<String> send(byte[] bytes, int... cuts) {
        Client client = new Client(new SimulatedLink());
        int from = 0;
        for (int cut : cuts) {
            client.arrive(bytes, from, cut);
            from = cut;
        }
        client.arrive(bytes, from, bytes.length);
        List<String> sent = client.sent();
        client.close(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        assertEquals(0, server.resources().headBudget().used(), "reserved for heads");
        assertEquals(0, pool.inUse(), "bytes in segments");
        assertEquals(0, server.queue.size(), "waiting requests");
        return sent;
    }

    private static void check(byte[] data) {
        byte[] bytes = Arrays.copyOf(Frame.PREFACE, Frame.PREFACE.length + Math.min(MOST, data.length));
        System.arraycopy(data, 0, bytes, Frame.PREFACE.length, bytes.length - Frame.PREFACE.length);
        List<String> whole = send(bytes);
        int cut = Frame.PREFACE.length + (data.length == 0 ? 0 : (data[0] & 0xFF) % data.length);
        List<String> inTwo = send(bytes, Math.min(cut, bytes.length));
        List<String> bytewise = send(bytes, IntStream.range(1, bytes.length).toArray());
        boolean answers = whole.stream().anyMatch(frame -> frame.matches("[0-9]+ (1|3) .*"));
        if (!answers) { // an answer ends its stream sooner or later, so what follows may find it or not
            assertEquals(whole, inTwo);
            assertEquals(whole, bytewise);
        }
        long ends = whole.stream()
                .filter(frame -> frame.startsWith("0 " + Frame.GOAWAY))
                .count();
        assertTrue(ends <= 1, "GOAWAY twice");
    }

    @FuzzTest
    void aConnectionDoesTheSameWhereverItsInputIsCut(byte[] data) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        reactor.execute(() -> {
            try {
                check(data);
                done.complete(null);
            } catch (Throwable failure) {
                done.completeExceptionally(failure);
            }
        });
        try {
            done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
