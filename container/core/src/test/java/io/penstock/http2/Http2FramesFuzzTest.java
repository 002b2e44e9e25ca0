package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.TestResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Fuzz test for the frames of a client. Each input follows the preface, and arrives whole, in two parts, and byte by byte. No connection may
 * fail, send what is no frame, or keep memory. If the server does nothing but read, the connection does the same wherever the input is cut.
 * The requests wait for a worker, which does not exist. The normal build makes inputs from seeds: {@code -Dpenstock.fuzz.seeds=1000000} makes
 * more than usual, {@code -Dpenstock.fuzz.first=SEED -Dpenstock.fuzz.seeds=1} repeats one.
 */
class Http2FramesFuzzTest {
    private static final long SEEDS = Long.getLong("penstock.fuzz.seeds", 500);
    private static final long FIRST = Long.getLong("penstock.fuzz.first", 0);
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

    /** What becomes of a connection whose client sends these bytes in parts. */
    private static List<String> send(byte[] bytes, int... cuts) {
        FedConnection client =
                new FedConnection(protocol, reactor, new AcceptedConnection(++connections, reactor.now(), unfinished));
        client.socket().room = Long.MAX_VALUE;
        int from = 0;
        for (int cut : cuts) {
            client.arrive(bytes, from, cut);
            from = cut;
        }
        client.arrive(bytes, from, bytes.length);
        List<String> sent = frames(client);
        client.close(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        assertEquals(0, server.resources().headBudget().used(), "reserved for heads");
        assertEquals(0, pool.inUse(), "bytes in segments");
        assertEquals(0, server.queue.size(), "waiting requests");
        return sent;
    }

    /** The frames that the server has sent; those of the connection and of each stream in their order. */
    private static List<String> frames(FedConnection client) {
        List<Http2Client.Received> sent = client.sent();
        int bytes = sent.stream()
                .mapToInt(frame -> Frame.HEADER + frame.payload().length)
                .sum();
        assertEquals(client.socket().count(), bytes, "bytes that are no frame");
        return sent.stream()
                .sorted(Comparator.comparingInt(Http2Client.Received::stream))
                .map(frame -> frame.stream() + " " + frame.type() + " " + frame.flags() + " "
                        + Arrays.toString(frame.payload()))
                .toList();
    }

    private static void check(byte[] data) {
        byte[] bytes = Arrays.copyOf(Frame.PREFACE, Frame.PREFACE.length + Math.min(MOST, data.length));
        System.arraycopy(data, 0, bytes, Frame.PREFACE.length, bytes.length - Frame.PREFACE.length);
        List<String> whole = send(bytes);
        int cut = Frame.PREFACE.length + (data.length == 0 ? 0 : (data[0] & 0xFF) % data.length);
        List<String> inTwo = send(bytes, Math.min(cut, bytes.length));
        List<String> bytewise = send(bytes, IntStream.range(1, bytes.length).toArray());
        boolean answers = Stream.of(whole, inTwo, bytewise)
                .flatMap(List::stream)
                .anyMatch(frame -> frame.matches("[0-9]+ (1|3) .*"));
        if (!answers) { // an answer ends its stream sooner or later, so what follows may find it or not
            assertEquals(whole, inTwo);
            assertEquals(whole, bytewise);
        }
        long ends = whole.stream()
                .filter(frame -> frame.startsWith("0 " + Frame.GOAWAY))
                .count();
        assertTrue(ends <= 1, "GOAWAY twice");
    }

    /** The frames are those of {@link RandomConversationsTest}, with up to four mistakes. */
    @Test
    void conversationsThatAreMadeByChanceAreTheSameWhereverTheyAreCut() throws Exception {
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            byte[] bytes = new RandomConversationsTest.Script(new SplittableRandom(seed)).bytes();
            int from = Math.min(bytes.length, Frame.PREFACE.length);
            try {
                aConnectionDoesTheSameWhereverItsInputIsCut(Arrays.copyOfRange(bytes, from, bytes.length));
            } catch (Exception | AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
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
