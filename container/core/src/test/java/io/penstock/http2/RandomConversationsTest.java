package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.TestResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.RawEcho;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http2.Http2Client.Received;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Reactor;
import io.penstock.time.ManualClock;
import io.penstock.work.Job;
import io.penstock.work.PlayedWorker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Conversations that are made by chance from a seed: a client that obeys the rules, and then, in most of them, up to four mistakes in its
 * frames. The bytes arrive in parts. Between them, requests run and the client takes responses, also by chance. Whatever happens, no
 * exception escapes, the server answers or ends the connection, it sends nothing that the protocol forbids, it does not work much for few
 * bytes, and nothing stays reserved when the connection has ended. A client that makes no mistake gets all its responses.
 *
 * <p>All of a conversation runs on the reactor, also the requests. So a seed always does the same, except where responses go to disk. A
 * failure names its seed: {@code -Dpenstock.conversations.first=SEED -Dpenstock.conversations=1} runs it alone, and {@code
 * -Dpenstock.conversations=1000000} runs more than the usual number.
 */
final class RandomConversationsTest {
    private static final long COUNT = Long.getLong("penstock.conversations", 2_000);
    private static final long FIRST = Long.getLong("penstock.conversations.first", 0);

    private static final int SEGMENT = 16 * 1024;
    private static final int BIG = 40_000;
    private static final int ENOUGH = 1 << 20;
    private static final long PROBE = 0x70656e73746f636bL;
    private static final int BATCH = 20;

    // What a conversation may cost at most. Most cost a hundredth of it.
    private static final long MAX_CPU_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final int MAX_WRITES_FOR_A_BYTE = 2;

    private static final String[] PATHS = {
        "/",
        "/hello",
        "/big",
        "/file",
        "/trailers",
        "/hints",
        "/aborted",
        "/none",
        "/stream/early",
        "/refused",
        "/limited",
        "/long"
    };
    private static final int[] INCREMENTS = {1, 63, 64, 5_000, 65_535};
    private static final int[] ROOMS = {0, 1, 9, 100, 5_000, Integer.MAX_VALUE};

    @TempDir
    static Path folder;

    /** The clock of the reactor, which stands still during a conversation. */
    private static final ManualClock CLOCK = new ManualClock();

    /** The connections since the clock has gone on. */
    private static final List<FedConnection> CLIENTS = new ArrayList<>();

    private static final Queue<Throwable> FAILURES = new ConcurrentLinkedQueue<>();
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static TestResources server;
    private static SegmentPool pool;
    private static Http2Protocol protocol;
    private static Reactor reactor;
    private static UnfinishedBodies unfinished;
    private static Path file;
    private static long connections;

    private static volatile long running;

    @BeforeAll
    static void start() throws IOException {
        file = Files.write(folder.resolve("file"), new byte[BIG]);
        pool = new SegmentPool(SEGMENT, 8 << 20);
        ConnectionEvents events = new ConnectionEvents() {
            @Override
            public void failed(String connection, Throwable cause) {
                FAILURES.add(cause);
            }
        };
        server = new TestResources(pool, new WireConfig().queue(1000).maxStreaming(100), events, site());
        protocol = Http2Protocol.plain(server.resources());
        reactor = new Reactor("fed", CLOCK, events, new Counters(), SEGMENT, Rounds.unwatched());
        reactor.start();
        unfinished = new UnfinishedBodies(reactor, pool, asking -> {});
    }

    @AfterAll
    static void stop() throws Exception {
        reactor.stop();
        reactor.join();
        server.close();
    }

    private static Site site() {
        Site site = new Site() {
            @Override
            public void handle(Exchange exchange) throws Exception {
                boolean waits = exchange.isUpgradable() && !exchange.route().equals("/tunnel")
                        || exchange.route().toString().startsWith("/stream");
                if (waits) { // the reactor must not wait for a body
                    Site.text(exchange, "early");
                } else {
                    super.handle(exchange);
                }
            }
        };
        return site.on("/hello", exchange -> Site.text(exchange, "Hello"))
                .on("/big", exchange -> Site.text(exchange, "x".repeat(BIG)))
                .on("/file", RandomConversationsTest::sendFile)
                .on("/none", exchange -> {
                    exchange.response().head(new ResponseHead(204, Fields.EMPTY, -1));
                    exchange.response().finish(Fields.EMPTY);
                })
                .on("/long", exchange -> {
                    exchange.response()
                            .head(new ResponseHead(200, new FieldList().add("x-long", "y".repeat(20_000)), -1));
                    exchange.response().finish(Fields.EMPTY);
                })
                .on("/trailers", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    exchange.response().write(ByteBuffer.wrap(new byte[100]), false);
                    exchange.response().finish(new FieldList().add("x-trailer", "1"));
                })
                .on("/hints", exchange -> {
                    exchange.response().informational(103, new FieldList().add("link", "</a>"));
                    Site.text(exchange, "hints");
                })
                .on("/aborted", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, 1_000));
                    exchange.response().write(ByteBuffer.wrap(new byte[10]), false);
                    exchange.response().abort(new IOException("aborted"));
                })
                .on("/tunnel", RawEcho.switching());
    }

    private static void sendFile(Exchange exchange) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, BIG));
        exchange.response().write(FileChannel.open(file), 0, BIG, true);
    }

    // ---- what a client sends

    /** The frames of a client, as a list, so that mistakes can change them. */
    static final class Script {
        private final SplittableRandom random;
        private final List<byte[]> frames = new ArrayList<>();

        /** The frames of bodies that have not been sent yet, by their streams. */
        private final TreeMap<Integer, ArrayDeque<byte[]>> bodies = new TreeMap<>();

        private final BitSet reset = new BitSet();
        private int next = 1;
        private int tableSize = 4_096;
        private int mistakes;

        Script(SplittableRandom random) {
            this.random = random;
            frames.add(settings());
            if (random.nextInt(8) > 0) {
                frames.add(Frame.settingsAck());
            }
            for (int left = random.nextInt(1, 8); left > 0 || !bodies.isEmpty(); ) {
                int what = random.nextInt(10);
                if (what < 4 && left > 0) {
                    request();
                    left--;
                } else if (what < 8 && !bodies.isEmpty()) {
                    int stream = any(List.copyOf(bodies.keySet()));
                    frames.add(bodies.get(stream).poll());
                    bodies.values().removeIf(ArrayDeque::isEmpty);
                } else {
                    control();
                }
            }
            if (random.nextInt(4) > 0) {
                for (mistakes = random.nextInt(1, 5); mistakes > 0; mistakes--) {
                    mistake();
                }
                mistakes = 1;
            }
        }

        boolean isValid() {
            return mistakes == 0;
        }

        byte[] bytes() {
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            byte[] preface = Frame.PREFACE.clone();
            if (!isValid() && random.nextInt(50) == 0) {
                preface[random.nextInt(preface.length)] ^= (byte) 1;
            }
            all.writeBytes(preface);
            frames.forEach(all::writeBytes);
            byte[] bytes = all.toByteArray();
            return !isValid() && random.nextInt(10) == 0
                    ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 1))
                    : bytes;
        }

        private <T> T any(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        private int any(int[] of) {
            return of[random.nextInt(of.length)];
        }

        private byte[] noise(int length) {
            byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++) {
                bytes[i] = (byte) random.nextInt();
            }
            return bytes;
        }

        private static byte[] frame(int type, int flags, int stream, byte[] payload) {
            ByteBuffer frame = ByteBuffer.allocate(Frame.HEADER + payload.length);
            return Frame.header(frame, payload.length, type, flags, stream)
                    .put(payload)
                    .array();
        }

        private byte[] settings() {
            int[] all = new int[2 * random.nextInt(4)];
            for (int i = 0; i < all.length; i += 2) {
                all[i] = random.nextInt(1, 10);
                all[i + 1] = switch (all[i]) {
                    case Frame.HEADER_TABLE_SIZE -> any(new int[] {0, 100, 4_096, 1 << 16});
                    case Frame.INITIAL_WINDOW_SIZE -> any(new int[] {0, 1, 1_000, 65_535, ENOUGH});
                    case Frame.MAX_FRAME_SIZE -> any(new int[] {Frame.MAX_PAYLOAD, ENOUGH});
                    case Frame.MAX_CONCURRENT_STREAMS, Frame.MAX_HEADER_LIST_SIZE -> random.nextInt() >>> 1;
                    default -> random.nextInt(2);
                };
            }
            return Frame.settings(all);
        }

        private void control() {
            int used = random.nextInt(next) | 1;
            boolean begun = used < next;
            byte[] frame =
                    switch (random.nextInt(begun ? 9 : 5)) {
                        case 0 -> Frame.ping(random.nextLong(), random.nextInt(2));
                        case 1 -> settings();
                        case 2 -> frame(42, random.nextInt(256), random.nextInt(3), noise(random.nextInt(50)));
                        case 3 -> Frame.windowUpdate(0, any(INCREMENTS));
                        case 4 -> random.nextInt(4) > 0 ? Frame.settingsAck() : Frame.goAway(0, ErrorCode.NO_ERROR);
                        case 5 -> Frame.windowUpdate(used, any(INCREMENTS));
                        case 6 -> frame(Frame.PRIORITY, 0, used, new byte[5]);
                        case 7 ->
                            frame(
                                    Frame.PRIORITY_UPDATE,
                                    0,
                                    0,
                                    ByteBuffer.allocate(7)
                                            .putInt(used)
                                            .put(("u=" + random.nextInt(9)).getBytes(StandardCharsets.US_ASCII))
                                            .array());
                        default -> {
                            reset.set(used);
                            bodies.remove(used);
                            yield Frame.reset(used, ErrorCode.CANCEL);
                        }
                    };
            frames.add(frame);
        }

        private void request() {
            int stream = next;
            next += 2;
            boolean tunnel = random.nextInt(10) == 0;
            int parts = tunnel || random.nextInt(3) == 0 ? random.nextInt(5) : -1;
            List<byte[]> body = new ArrayList<>();
            int length = 0;
            for (int i = 0; i < parts; i++) {
                int some = random.nextInt(4) == 0 ? 0 : random.nextInt(3_000);
                length += some;
                body.add(noise(some));
            }
            List<String> fields = new ArrayList<>(List.of(
                    ":method",
                    tunnel ? "CONNECT" : parts >= 0 ? "POST" : random.nextInt(5) == 0 ? "HEAD" : "GET",
                    ":scheme",
                    "http",
                    ":authority",
                    "localhost",
                    ":path",
                    tunnel ? "/tunnel" : PATHS[random.nextInt(PATHS.length)]));
            if (tunnel) {
                fields.addAll(List.of(":protocol", "websocket"));
            } else if (parts >= 0 && random.nextBoolean()) {
                fields.addAll(List.of("content-length", Integer.toString(length)));
            }
            boolean trailers = parts >= 0 && !tunnel && random.nextInt(4) == 0;
            for (int left = random.nextInt(4); left > 0; left--) {
                fields.addAll(
                        switch (random.nextInt(6)) {
                            case 0 -> List.of("priority", "u=" + random.nextInt(9) + ", i");
                            case 1 -> List.of("x-long", "v".repeat(random.nextInt(1_000)));
                            case 2 -> List.of("cookie", "a=" + left);
                            case 3 -> List.of("te", "trailers");
                            case 4 -> List.of("expect", "100-continue");
                            default -> List.of("x-" + left, "");
                        });
            }
            head(stream, parts < 0, fields.toArray(String[]::new));
            ArrayDeque<byte[]> rest = new ArrayDeque<>();
            for (int i = 0; i < parts; i++) {
                rest.add(data(stream, body.get(i), i == parts - 1 && !trailers));
            }
            if (parts == 0 && !trailers) {
                rest.add(data(stream, new byte[0], true));
            }
            if (trailers) {
                int flags = Frame.END_HEADERS | Frame.END_STREAM;
                rest.add(frame(Frame.HEADERS, flags, stream, Http2Client.block("x-trailer", "1")));
            }
            if (!rest.isEmpty()) {
                bodies.put(stream, rest);
            }
        }

        private byte[] data(int stream, byte[] bytes, boolean ends) {
            int flags = ends ? Frame.END_STREAM : 0;
            if (random.nextInt(4) > 0) {
                return frame(Frame.DATA, flags, stream, bytes);
            }
            int padding = random.nextInt(256);
            byte[] padded = ByteBuffer.allocate(1 + bytes.length + padding)
                    .put((byte) padding)
                    .put(bytes)
                    .array();
            return frame(Frame.DATA, flags | Frame.PADDED, stream, padded);
        }

        /** A head in one frame or in several, with all that a block and a frame may have. */
        private void head(int stream, boolean ends, String... fields) {
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            if (random.nextInt(8) == 0) {
                tableSize = random.nextBoolean() ? 0 : 4_096;
                block.writeBytes(tableSize == 0 ? new byte[] {0x20} : new byte[] {0x3f, (byte) 0xe1, 0x1f});
            }
            block.writeBytes(Http2Client.block(fields));
            if (random.nextInt(3) == 0) { // a field that becomes an entry of the table
                block.writeBytes(new byte[] {0x40, 1, 'x', 1, (byte) ('a' + random.nextInt(26))});
                if (tableSize > 0) {
                    block.write(0x80 | StaticTable.SIZE + 1);
                }
            }
            ByteBuffer all = ByteBuffer.wrap(block.toByteArray());
            int pieces = random.nextInt(4) == 0 ? random.nextInt(2, 6) : 1;
            for (int i = 0; i < pieces; i++) {
                byte[] piece = new byte[i == pieces - 1 ? all.remaining() : random.nextInt(all.remaining() + 1)];
                all.get(piece);
                int flags = i == pieces - 1 ? Frame.END_HEADERS : 0;
                if (i > 0) {
                    frames.add(frame(Frame.CONTINUATION, flags, stream, piece));
                    continue;
                }
                flags |= ends ? Frame.END_STREAM : 0;
                ByteBuffer first = ByteBuffer.allocate(300 + piece.length);
                int padding = random.nextInt(6) == 0 ? random.nextInt(256) : -1;
                if (padding >= 0) {
                    flags |= Frame.PADDED;
                    first.put((byte) padding);
                }
                if (random.nextInt(6) == 0) {
                    flags |= Frame.WITH_PRIORITY;
                    first.putInt(0).put((byte) 15);
                }
                first.put(piece).put(new byte[Math.max(0, padding)]);
                frames.add(frame(Frame.HEADERS, flags, stream, Arrays.copyOf(first.array(), first.position())));
            }
        }

        private void mistake() {
            int at = random.nextInt(frames.size());
            byte[] frame = frames.get(at).clone();
            ByteBuffer header = ByteBuffer.wrap(frame);
            switch (random.nextInt(11)) {
                case 0 -> {
                    if (frames.size() > 1) {
                        frames.remove(at);
                    }
                }
                case 1 -> frames.add(random.nextInt(frames.size() + 1), frame);
                case 2 -> {
                    int other = random.nextInt(frames.size());
                    frames.set(at, frames.get(other));
                    frames.set(other, frame);
                }
                case 3 -> {
                    if (frame.length >= Frame.HEADER) {
                        frame[random.nextInt(3, Frame.HEADER)] ^= (byte) (1 << random.nextInt(8));
                        frames.set(at, frame);
                    }
                }
                case 4 -> {
                    if (frame.length >= Frame.HEADER) {
                        int length = any(new int[] {0, 1, 3, 4, 5, 8, 100, 16_384, 16_385, 0xFFFFFF});
                        header.putInt(0, length << 8 | frame[3] & 0xFF);
                        frames.set(at, frame);
                    }
                }
                case 5 -> {
                    if (frame.length > Frame.HEADER) {
                        frame[random.nextInt(Frame.HEADER, frame.length)] = (byte) random.nextInt();
                        frames.set(at, frame);
                    }
                }
                case 6 -> frames.set(at, Arrays.copyOf(frame, random.nextInt(frame.length + 1)));
                case 7 -> frames.add(at, frame(type(), random.nextInt(64), stream(), noise(length())));
                case 8 -> {
                    if (frame.length >= Frame.HEADER) {
                        header.putInt(5, stream());
                        frames.set(at, frame);
                    }
                }
                case 9 -> frames.add(at, noise(random.nextInt(30)));
                default -> { // something within a head
                    int flags = random.nextInt(2) * Frame.END_HEADERS;
                    frames.add(at, frame(Frame.CONTINUATION, flags, stream(), noise(random.nextInt(20))));
                }
            }
        }

        private int type() {
            return random.nextInt(8) == 0 ? random.nextInt(256) : random.nextInt(Frame.PRIORITY_UPDATE + 1);
        }

        private int stream() {
            return switch (random.nextInt(5)) {
                case 0 -> 0;
                case 1 -> next;
                case 2 -> random.nextInt();
                default -> random.nextInt(next + 1);
            };
        }

        private int length() {
            return random.nextInt(3) == 0 ? any(new int[] {0, 4, 5, 8, 6}) : random.nextInt(40);
        }
    }

    /** Whether the bytes end between two frames. Then the server owes an answer to the next frame. */
    private static boolean endsBetweenFrames(byte[] bytes) {
        int at = Frame.PREFACE.length;
        while (at <= bytes.length - Frame.HEADER) {
            at += Frame.HEADER + (ByteBuffer.wrap(bytes).getInt(at) >>> 8);
        }
        return at == bytes.length;
    }

    // ---- what the server does

    private static boolean runOne() {
        Job job = PlayedWorker.takeIfAny(server.queue);
        if (job == null) {
            return false;
        }
        try {
            job.run();
        } finally {
            PlayedWorker.end(server.queue, job);
        }
        return true;
    }

    /** Everything runs that can run. */
    private static void settle(FedConnection client) {
        boolean more = true;
        while (more) {
            more = client.attend();
            more |= runOne();
            client.takeBytes();
            client.readRest();
        }
    }

    private static void converse(byte[] bytes, boolean valid, BitSet reset, SplittableRandom random) {
        FedConnection client =
                new FedConnection(protocol, reactor, new AcceptedConnection(++connections, reactor.now(), unfinished));
        client.socket().room = random.nextBoolean() ? Integer.MAX_VALUE : 0;
        long cpu = THREADS.getCurrentThreadCpuTime();
        boolean bytewise = random.nextInt(20) == 0;
        for (int from = 0; from < bytes.length; ) {
            int part = bytewise ? 1 : random.nextInt(1, bytes.length - from + 1);
            client.arrive(bytes, from, from + part);
            from += part;
            if (bytewise && random.nextInt(100) > 0) {
                continue;
            }
            for (int jobs = random.nextInt(4); jobs > 0 && runOne(); jobs--) {
                client.attend();
            }
            if (random.nextInt(3) == 0) {
                client.socket().room = ROOMS[random.nextInt(ROOMS.length)];
                client.takeBytes();
            }
        }
        boolean leaves = random.nextInt(4) == 0;
        if (!leaves) {
            client.socket().room = Integer.MAX_VALUE;
            settle(client);
            if (endsBetweenFrames(bytes)) {
                byte[] last = last(client, valid);
                client.arrive(last, 0, last.length);
                settle(client);
                checkAnswers(client, bytes, valid, reset);
            }
        }
        long writes = client.socket().writes.size();
        int frames = check(client, bytes);
        client.close(new ConnectionClosed(CloseCause.CLIENT_CLOSED));
        settle(client);
        assertTrue(writes <= 100 + MAX_WRITES_FOR_A_BYTE * (bytes.length + frames), () -> writes + " writes");
        assertTrue(THREADS.getCurrentThreadCpuTime() - cpu < MAX_CPU_NANOS, "too much time");
        assertNull(client.escaped());
        assertEquals(List.of(), List.copyOf(FAILURES));
        assertNothingHeld();
        CLIENTS.add(client);
    }

    /** The last frames of a client: it takes all responses, and asks whether the server is there. */
    private static byte[] last(FedConnection client, boolean valid) {
        ByteArrayOutputStream last = new ByteArrayOutputStream();
        if (valid) {
            last.writeBytes(Frame.windowUpdate(0, ENOUGH));
            client.sent().stream()
                    .filter(frame -> frame.type() == Frame.HEADERS)
                    .mapToInt(Received::stream)
                    .distinct()
                    .forEach(stream -> last.writeBytes(Frame.windowUpdate(stream, ENOUGH)));
        }
        last.writeBytes(Frame.ping(PROBE, 0));
        return last.toByteArray();
    }

    private static void checkAnswers(FedConnection client, byte[] bytes, boolean valid, BitSet reset) {
        List<Received> sent = client.sent();
        boolean answers = sent.stream()
                .anyMatch(frame -> frame.type() == Frame.PING
                        && frame.flags() == Frame.ACK
                        && ByteBuffer.wrap(frame.payload()).getLong() == PROBE);
        boolean ends = !client.isOpen() || sent.stream().anyMatch(frame -> frame.type() == Frame.GOAWAY);
        assertTrue(answers || ends, "neither an answer nor an end");
        if (!valid) {
            return;
        }
        assertTrue(answers, "no answer");
        BitSet complete = new BitSet();
        sent.stream()
                .filter(frame -> frame.endsStream()
                        || frame.type() == Frame.RST_STREAM && frame.code() == ErrorCode.INTERNAL_ERROR)
                .mapToInt(Received::stream)
                .forEach(complete::set);
        for (int at = Frame.PREFACE.length; at < bytes.length; ) {
            ByteBuffer header = ByteBuffer.wrap(bytes).position(at);
            int stream = header.getInt(at + 5);
            if (header.get(at + 3) == Frame.HEADERS && !reset.get(stream)) {
                assertTrue(complete.get(stream), () -> "no response of stream " + stream);
            }
            at += Frame.HEADER + (header.getInt(at) >>> 8);
        }
    }

    /** What a server must not send, whatever its client does. Returns the number of frames. */
    private static int check(FedConnection client, byte[] bytes) {
        BitSet over = new BitSet();
        int within = 0;
        long data = 0;
        int ends = 0;
        List<Received> sent = client.sent();
        for (Received frame : sent) {
            int stream = frame.stream();
            assertTrue(within == 0 || frame.type() == Frame.CONTINUATION && stream == within, "frame within a head");
            assertTrue(frame.payload().length <= Frame.MAX_PAYLOAD, "long frame");
            if (frame.type() == Frame.HEADERS || frame.type() == Frame.CONTINUATION) {
                within = (frame.flags() & Frame.END_HEADERS) != 0 ? 0 : stream;
            }
            switch (frame.type()) {
                case Frame.DATA, Frame.HEADERS -> {
                    assertTrue(!over.get(stream), () -> "something behind the end of stream " + stream);
                    data += frame.type() == Frame.DATA ? frame.payload().length : 0;
                    over.set(stream, frame.endsStream());
                }
                case Frame.RST_STREAM -> {
                    if (stream > 0) {
                        over.set(stream);
                    }
                }
                case Frame.GOAWAY -> ends++;
                case Frame.CONTINUATION, Frame.PING, Frame.SETTINGS, Frame.WINDOW_UPDATE -> {}
                default -> fail("a frame of the type " + frame.type());
            }
        }
        assertTrue(ends <= 1, "GOAWAY twice");
        if (client.socket().room > 1_000_000 && sent.size() > 0) {
            int whole = sent.stream()
                    .mapToInt(frame -> Frame.HEADER + frame.payload().length)
                    .sum();
            assertEquals(client.socket().count(), whole, "bytes that are no frame");
        }
        long window = Frame.FIRST_WINDOW + ENOUGH;
        for (int at = Frame.PREFACE.length; at <= bytes.length - Frame.HEADER - 4; ) {
            ByteBuffer header = ByteBuffer.wrap(bytes).position(at);
            if (header.get(at + 3) == Frame.WINDOW_UPDATE && (header.getInt(at + 5) & Integer.MAX_VALUE) == 0) {
                window += header.getInt(at + Frame.HEADER) & Integer.MAX_VALUE;
            }
            at += Frame.HEADER + (header.getInt(at) >>> 8);
        }
        long all = data;
        long most = window;
        assertTrue(all <= most, () -> all + " bytes of DATA, and " + most + " permitted");
        return sent.size();
    }

    private static void assertNothingHeld() {
        assertEquals(0, server.resources().headBudget().used(), "reserved for heads");
        assertEquals(0, pool.inUse(), "bytes in segments");
        assertEquals(0, server.queue.size(), "waiting requests");
        assertEquals(0, server.queue.streaming(), "streaming requests");
        assertEquals(0, server.resources().streamFiles().used(), "files of streams");
        assertEquals(0, server.spool.files(), "files on disk");
        assertEquals(0, unfinished.waitingForMemory(), "connections that wait for memory");
    }

    // ---- tests

    /** A day passes. Only the checks of the waits for workers, which come soon, may be called after the end of their connection. */
    private static void checkDeadlines() throws Exception {
        onTheReactor(() -> {
            pass(Duration.ofSeconds(1));
            CLIENTS.forEach(FedConnection::takeCalledAfterClose);
            pass(Duration.ofDays(1));
            for (FedConnection client : CLIENTS) {
                assertFalse(client.takeCalledAfterClose(), "a deadline of a connection that has ended");
            }
            CLIENTS.clear();
        });
    }

    private static void pass(Duration time) {
        CLOCK.pass(time);
        reactor.wheel().advance(CLOCK.nanos());
    }

    private static void onTheReactor(Runnable part) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        reactor.execute(() -> {
            try {
                part.run();
                done.complete(null);
            } catch (Throwable failure) {
                done.completeExceptionally(failure);
            }
        });
        try {
            done.get(1, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionError("seed " + running + ": " + e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("seed " + running + " does not end", e);
        }
    }

    @Test
    void aServerSurvivesEachConversation() throws Exception {
        for (long seed = FIRST; seed < FIRST + COUNT; seed += BATCH) {
            long first = seed;
            long end = Math.min(first + BATCH, FIRST + COUNT);
            onTheReactor(() -> {
                for (long one = first; one < end; one++) {
                    running = one;
                    SplittableRandom random = new SplittableRandom(one);
                    Script script = new Script(random);
                    converse(script.bytes(), script.isValid(), script.reset, random);
                }
            });
            checkDeadlines();
        }
    }

    /** The inputs that the fuzz test keeps, with requests that run. */
    @Test
    void aServerSurvivesTheKeptInputsOfTheFuzzTest() throws Exception {
        Path kept = Path.of("src/test/resources/io/penstock/http2/Http2FramesFuzzTestInputs");
        List<Path> inputs;
        try (Stream<Path> all = Files.walk(kept)) {
            inputs = all.filter(Files::isRegularFile).sorted().toList();
        }
        assertTrue(!inputs.isEmpty());
        for (Path input : inputs) {
            byte[] frames = Files.readAllBytes(input);
            byte[] bytes = ByteBuffer.allocate(Frame.PREFACE.length + frames.length)
                    .put(Frame.PREFACE)
                    .put(frames)
                    .array();
            onTheReactor(() -> {
                for (long seed = 0; seed < 20; seed++) {
                    running = seed;
                    converse(bytes, false, new BitSet(), new SplittableRandom(seed));
                }
            });
            checkDeadlines();
        }
    }
}
