package io.penstock.http2;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Request;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Exchange;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.http1.FollowedEvents;
import io.penstock.http1.Http1Protocol;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.http2.Http2Client.Answer;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ForwardingLink;
import io.penstock.reactor.Link;
import io.penstock.reactor.Reactor;
import io.penstock.server.Listener;
import io.penstock.work.Mapping;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong between a stream, its worker and its connection: ends in an unusual order, floods, and the end of the server. */
final class Http2FaultsTest {
    private static final int BIG = 300_000;
    private static final int HUGE = 4_000_000;
    private static final int LONG = 3_000;
    private static final int LONG_FIELD = 8_000;
    private static final int MANY_HINTS = 200_000;

    private FollowedEvents events = new FollowedEvents();
    private final Semaphore inside = new Semaphore(0);
    private final Semaphore mayReturn = new Semaphore(0);
    private final AtomicBoolean watches = new AtomicBoolean();
    private final AtomicBoolean readable = new AtomicBoolean(true);
    private final AtomicInteger writes = new AtomicInteger(); // to the first connection
    private final AtomicInteger flushes = new AtomicInteger(); // of the first connection, by the reactor
    private final Queue<FileChannel> opened = new ConcurrentLinkedQueue<>();
    private Thread stopping;
    private WireServer server;

    @TempDir
    Path files;

    @AfterEach
    void stop() throws Exception {
        mayReturn.release(1000);
        if (stopping != null) {
            stopping.join();
        }
        server.close();
    }

    /** All requests have the same mapping, but those of one path. */
    private static final class MappedSite extends Site {
        private final Mapping mapping = new Mapping("site");

        @Override
        public Verdict admit(RequestHead head) {
            if (head.target().path().equals("/long-refusal")) {
                return new Answered(404, Fields.EMPTY, "x".repeat(LONG), "refused");
            }
            return super.admit(head) instanceof Admitted all && !all.route().equals("/another-mapping")
                    ? new Admitted(
                            all.route(),
                            all.mode(),
                            all.bodyLimit(),
                            all.history(),
                            all.bulkhead(),
                            all.held(),
                            mapping)
                    : super.admit(head);
        }
    }

    private void start(WireConfig config) throws Exception {
        start(config, Long.MAX_VALUE);
    }

    private void start(WireConfig config, long bodyLimit) throws Exception {
        Site site = new MappedSite()
                .bodyLimit(bodyLimit)
                .on("/hello", exchange -> Site.text(exchange, "Hello"))
                .on("/big", exchange -> Site.text(exchange, "x".repeat(BIG)))
                .on("/stream/big", exchange -> Site.text(exchange, "x".repeat(BIG)))
                .on("/huge", exchange -> Site.text(exchange, "x".repeat(HUGE)))
                .on("/stream/wait", Http2FaultsTest.this::read)
                .on("/stream/part", exchange -> {
                    mayReturn.acquireUninterruptibly();
                    int left = Integer.parseInt(
                            String.valueOf(exchange.head().fields().first("x-part")));
                    byte[] part = new byte[left];
                    while (left > 0) {
                        left -= exchange.body().read(part, 0, left);
                    }
                    inside.release();
                    mayReturn.acquireUninterruptibly();
                    Site.text(exchange, "read");
                })
                .on("/fields", exchange -> {
                    Fields fields = new FieldList().add("x-long", "y".repeat(LONG_FIELD));
                    exchange.response().head(new ResponseHead(200, fields, 0));
                    exchange.response().finish(Fields.EMPTY);
                })
                .on("/at-once", exchange -> {
                    exchange.response().head(new ResponseHead(200, new FieldList(), 2));
                    Segment whole = exchange.response().segment();
                    whole.buffer().put(new byte[] {'o', 'k'}).flip();
                    exchange.response().write(whole, true);
                })
                .on("/short-file", exchange -> {
                    exchange.response().head(new ResponseHead(200, new FieldList(), 100));
                    exchange.response()
                            .write(FileChannel.open(Files.writeString(files.resolve("short"), "short")), 0, 100, true);
                })
                .on("/copy", exchange -> {
                    FileChannel file =
                            FileChannel.open(Files.writeString(files.resolve(exchange.id()), "x".repeat(BIG)));
                    opened.add(file);
                    exchange.response().head(new ResponseHead(200, new FieldList(), BIG));
                    exchange.response().write(file, 0, BIG, true);
                })
                .on("/file", exchange -> {
                    exchange.response().head(new ResponseHead(200, new FieldList(), 5));
                    exchange.response()
                            .write(FileChannel.open(Files.writeString(files.resolve("whole"), "whole")), 0, 5, true);
                })
                .on("/big-and-wait", exchange -> {
                    Site.text(exchange, "x".repeat(BIG));
                    inside.release();
                    try {
                        mayReturn.acquire();
                    } catch (InterruptedException cut) {
                        inside.release();
                    }
                })
                .on("/hints", exchange -> {
                    Fields hint = new FieldList().add("link", "</style.css>");
                    for (int i = 0; i < MANY_HINTS; i++) {
                        exchange.response().earlyHints(hint);
                    }
                    inside.release();
                    Site.text(exchange, "hinted");
                })
                .on("/another-mapping", this::waitInside)
                .on("/wait", this::waitInside);
        server = new WireServer(
                config.overSockets(),
                site,
                events,
                none -> List.of(new Listener(
                        new BindAddress.Network("127.0.0.1", 0),
                        (resources, tls) -> (socket, opening) -> new PriorKnowledge().open(watched(socket), opening),
                        List.of(Http2Protocol::plain, Http1Protocol::new))));
    }

    /** Notes what the server does with the first connection. */
    private Link watched(Link socket) {
        if (!watches.compareAndSet(false, true)) {
            return socket;
        }
        return new ForwardingLink(socket) {
            @Override
            public void wantReadable(boolean wanted) {
                readable.set(wanted);
                super.wantReadable(wanted);
            }

            @Override
            public void wantWritable(boolean wanted) {
                flushes.incrementAndGet();
                super.wantWritable(wanted);
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
                writes.incrementAndGet();
                return super.write(sources, offset, length);
            }

            @Override
            public long write(ByteBuffer source) throws IOException {
                writes.incrementAndGet();
                return super.write(source);
            }
        };
    }

    private void waitInside(Exchange exchange) throws IOException {
        inside.release();
        mayReturn.acquireUninterruptibly();
        Site.text(exchange, "waited");
    }

    private void read(Exchange exchange) throws IOException {
        mayReturn.acquireUninterruptibly();
        exchange.body().read(new byte[10], 0, 10);
        inside.release();
        Site.text(exchange, "read");
    }

    private Http2Client connect(int... settings) throws Exception {
        return Http2Client.connect(server.port(), settings);
    }

    @Test
    void eachRequestEndsInTheEventsOnce() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            assertEquals("ok", client.answer(client.get("/at-once")).text());
            await().until(() -> events.of("c1-1").contains("ended ANSWERED 200"));
            client.roundTrip(); // the connection forgets streams that are over when it has something to do
            await().until(() -> server.transport.heldByHeads() == 0);
        }
    }

    @Test
    void aRequestThatIsResetByItsHeadEndsInTheEvents() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(client.get("/hello", "content-length", "3")).reset);
            await().until(() -> events.of("c1-1").stream().anyMatch(event -> event.startsWith("ended ")));
        }
    }

    /** Before, the bytes of the last write were missing if they came from the pipe. */
    @Test
    void theBytesOfAResponseAreCountedToItsEnd() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 1000)) {
            int big = client.get("/big");
            client.await(Frame.DATA, big);
            client.enlarge(0, BIG);
            client.enlarge(big, BIG);
            assertEquals(BIG, client.answer(big).body.size());
            int refused = client.get("/long-refusal");
            client.enlarge(refused, LONG);
            client.answer(refused);
            client.answer(client.get("/at-once"));
            assertEquals(BIG, events.summary("c1-1").volume().sent());
            assertEquals(LONG, events.summary("c1-3").volume().sent());
            assertEquals(2, events.summary("c1-5").volume().sent());
        }
    }

    // ---- bodies

    @Test
    void whatIsOnItsWayToAStreamThatTheServerHasResetIsIgnored() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int stream = client.post("/refused");
            client.await(Frame.RST_STREAM, stream);
            client.data(stream, "late", false);
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, Http2Client.block("x-late", "1"));
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            assertEquals(ErrorCode.NO_ERROR, client.of(stream).reset, "the first and only reset");
        }
    }

    /** A client that is far away can begin many streams before it knows of the reset. */
    @Test
    void trailersOfAStreamThatWasResetDoNotEndTheConnectionAfterManyOtherStreams() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int stream = client.post("/refused");
            client.await(Frame.RST_STREAM, stream);
            for (int i = 0; i < 100; i++) {
                client.answer(client.get("/hello"));
            }
            client.data(stream, "late", false);
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, Http2Client.block("x-late", "1"));
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            assertEquals(ErrorCode.NO_ERROR, client.of(stream).reset, "the first and only reset");
        }
    }

    @Test
    void whatIsOnItsWayToAnEarlyStreamThatIsResetLateIsIgnored() throws Exception {
        start(new WireConfig(), 10);
        try (Http2Client client = connect()) {
            int stream = client.post("/hello");
            for (int i = 0; i < 100; i++) {
                client.answer(client.get("/hello"));
            }
            client.data(stream, "longer than the limit", false);
            assertEquals(413, client.answer(stream).status());
            client.await(Frame.RST_STREAM, stream);
            client.data(stream, "late", false);
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, Http2Client.block("x-late", "1"));
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            assertEquals(ErrorCode.NO_ERROR, client.of(stream).reset, "the first and only reset");
        }
    }

    @Test
    void headersOfAnEarlierStreamEndTheConnectionIfNoneWasReset() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            for (int i = 0; i < 100; i++) {
                client.answer(client.get("/hello"));
            }
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, 1, Http2Client.block("x-late", "1"));
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.awaitClose());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"too long", "ended"})
    void aBodyThatNobodyReadsAnyMoreDoesNotChangeTheResponse(String body) throws Exception {
        start(new WireConfig(), 10);
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 1000)) {
            int stream = client.post("/stream/big");
            client.roundTrip();
            server.awaitRest(); // the servlet has returned; its response waits for the client
            client.data(stream, "longer than the limit", body.equals("ended"));
            client.enlarge(0, BIG);
            client.enlarge(stream, BIG);
            Answer answer = client.answer(stream);
            assertEquals(1, answer.heads.size());
            assertEquals(200, answer.status());
            assertEquals(BIG, answer.body.size());
            assertTrue(answer.ended);
            assertEquals("Hello", client.answer(client.get("/hello")).text());
        }
    }

    @Test
    void aClientMayUseTheUsualWindowUntilItKnowsTheSmallerOneOfTheServer() throws Exception {
        start(new WireConfig().pipes(16 * 1024, 4096));
        try (Http2Client client = Http2Client.unacknowledged(server.port())) {
            int stream = client.post("/echo");
            for (int i = 0; i < 3; i++) {
                client.data(stream, new byte[16_384], false);
            }
            client.data(stream, new byte[10_000], true);
            client.enlarge(0, BIG);
            client.enlarge(stream, BIG);
            Answer answer = client.answer(stream);
            assertNull(answer.reset);
            assertEquals("POST /echo\n".length() + 3 * 16_384 + 10_000, answer.body.size());
        }
    }

    @Test
    void theServerPermitsNoMoreThanItsPipeHolds() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int stream = client.post("/stream/part", "x-part", Integer.toString(3 * 16_384));
            for (int i = 0; i < 3; i++) {
                client.data(stream, new byte[16_384], false);
            }
            int last = Frame.FIRST_WINDOW - 3 * 16_384;
            client.send(Frame.header(ByteBuffer.allocate(Frame.HEADER), last, Frame.DATA, 0, stream)
                    .array());
            server.settle();
            mayReturn.release(); // the servlet reads what has arrived of the body
            inside.acquire();
            server.settle();
            client.send(new byte[last]);
            client.roundTrip();
            int window = client.others().stream()
                    .filter(frame -> frame.type() == Frame.WINDOW_UPDATE && frame.stream() == stream)
                    .mapToInt(Http2Client.Received::number)
                    .sum();
            assertTrue(window > 0, "window");
            for (int sent = 0; sent < window; sent += 10_000) {
                client.data(stream, new byte[Math.min(10_000, window - sent)], false);
            }
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            assertNull(client.of(stream).reset);
        }
    }

    /** Begins an upload of 1 MB, and sends as much of it as the first window permits. */
    private static int beginUpload(Http2Client client) throws IOException {
        int stream = client.post("/hello", "content-length", "1000000");
        for (int left = Frame.FIRST_WINDOW; left > 0; left -= 16_384) {
            client.data(stream, new byte[Math.min(left, 16_384)], false);
        }
        return stream;
    }

    /** How many of the streams have got a window beyond their first one. */
    private static long enlarged(Http2Client client, Collection<Integer> streams) throws IOException {
        client.roundTrip();
        client.roundTrip(); // what the server did for other streams has arrived
        return streams.stream()
                .filter(stream -> client.others().stream()
                        .anyMatch(frame -> frame.type() == Frame.WINDOW_UPDATE && frame.stream() == stream))
                .count();
    }

    @Test
    void aFewLargeBodiesArriveAtATimeAndTheOthersAfterThem() throws Exception {
        start(new WireConfig().timeByHand());
        try (Http2Client client = connect()) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                streams.add(beginUpload(client));
            }
            assertEquals(4, enlarged(client, streams));
            for (int left = 1_000_000 - Frame.FIRST_WINDOW; left > 0; left -= 16_384) {
                client.data(streams.get(0), new byte[Math.min(left, 16_384)], left <= 16_384);
            }
            assertEquals("Hello", client.answer(streams.get(0)).text());
            assertEquals(5, enlarged(client, streams), "one is complete");
            client.reset(streams.get(1));
            assertEquals(6, enlarged(client, streams), "the client has reset one");
            client.reset(streams.get(6)); // which waits
            server.pass(Duration.ofMillis(10));
            assertEquals(7, enlarged(client, streams), "those that go on are slow");
        }
    }

    /** Sends a body of this length. Returns the largest window that the server has permitted. */
    private static int upload(Http2Client client, int length) throws IOException {
        int stream = client.post("/hello", "content-length", Integer.toString(length));
        int window = Frame.FIRST_WINDOW;
        int widest = 0;
        for (int sent = 0; sent < length; ) {
            client.roundTrip();
            window += client.takeWindow(stream);
            widest = Math.max(widest, window);
            while (window > 0 && sent < length) {
                int part = Math.min(10_000, Math.min(window, length - sent));
                sent += part;
                window -= part;
                client.data(stream, new byte[part], sent == length);
            }
        }
        assertEquals("Hello", client.answer(stream).text());
        return widest;
    }

    /** Otherwise, a client 50 ms away could send only 1.3 MB a second. */
    @Test
    void theWindowOfALargeUploadGrows() throws Exception {
        start(new WireConfig().budget(64 << 20));
        try (Http2Client client = connect()) {
            for (int i = 0; i < 6; i++) { // at most four at a time
                int widest = upload(client, 8_000_000);
                assertTrue(widest > Http2Stream.MAX_WIDE / 2, () -> "a window of " + widest);
            }
        }
    }

    @Test
    void anUploadGoesOnIfMemoryBecomesShortAfterItsWindowHasGrown() throws Exception {
        start(new WireConfig().budget(64 << 20));
        int length = 8_000_000;
        List<Segment> taken = new ArrayList<>();
        try (Http2Client client = connect()) {
            int stream = client.post("/hello", "content-length", Integer.toString(length));
            int window = Frame.FIRST_WINDOW;
            for (int sent = 0; sent < length; ) {
                if (window == 0) {
                    window = client.await(Frame.WINDOW_UPDATE, stream).number();
                    if (window >= Http2Stream.MAX_WIDE / 2 && taken.isEmpty()) {
                        takeMemory(taken);
                    }
                }
                int part = Math.min(10_000, Math.min(window, length - sent));
                sent += part;
                window -= part;
                client.data(stream, new byte[part], sent == length);
            }
            assertEquals("Hello", client.answer(stream).text());
            assertFalse(taken.isEmpty(), "the window has not grown");
        } finally {
            taken.forEach(Segment::release);
        }
    }

    /** Takes so much memory that it is not plentiful, also if the server gives some back. */
    private void takeMemory(List<Segment> taken) {
        SegmentPool pool = server.transport.pool();
        for (int more = 0; more < 200; more += pool.isPlentiful() ? 0 : 1) {
            taken.add(Objects.requireNonNull(pool.tryAcquire()));
        }
    }

    /** Otherwise it would wait until others give memory back, which may wait for it. */
    @Test
    void aWorkerThatWaitsForBytesGetsThemAlthoughMemoryIsUsedUp() throws Exception {
        start(shortOfMemory());
        List<Segment> taken = new ArrayList<>();
        try (Http2Client client = connect()) {
            int stream = client.post("/stream/wait");
            client.roundTrip();
            for (Segment one = server.transport.pool().tryAcquire();
                    one != null;
                    one = server.transport.pool().tryAcquire()) {
                taken.add(one);
            }
            client.data(stream, new byte[100], true);
            server.settle();
            mayReturn.release();
            assertEquals("read", client.answer(stream).text());
        } finally {
            taken.forEach(Segment::release);
        }
    }

    /** Fifteen segments for bodies, and one in reserve. */
    private static WireConfig shortOfMemory() {
        return new WireConfig()
                .workers(8)
                .maxStreaming(8)
                .pipes(64 * 1024, 16 * 1024)
                .budget(256 * 1024);
    }

    private void useUpMemory(Http2Client client) throws IOException {
        for (int i = 0; i < 4; i++) {
            int length = i == 3 ? 49_000 : 65_000;
            int full = client.post("/stream/part", "x-part", Integer.toString(length));
            for (int sent = 0; sent < length; sent += 13_000) {
                client.data(full, new byte[Math.min(13_000, length - sent)], false);
            }
        }
        client.roundTrip();
    }

    @Test
    void framesBehindBytesThatWaitForMemoryAreReadInTheirOrder() throws Exception {
        start(shortOfMemory());
        for (int round = 0; round < 10; round++) {
            try (Http2Client client = connect()) {
                useUpMemory(client);
                int waits = client.post("/stream/wait");
                client.roundTrip();
                ByteArrayOutputStream together = new ByteArrayOutputStream();
                together.writeBytes(frame(Frame.DATA, 0, waits, new byte[100]));
                List<Integer> streams = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    int stream = client.nextStream();
                    streams.add(stream);
                    together.writeBytes(frame(
                            Frame.HEADERS,
                            Frame.END_HEADERS | Frame.END_STREAM,
                            stream,
                            Http2Client.head("GET", "/" + stream)));
                }
                client.send(together.toByteArray());
                server.settle();
                mayReturn.release(100);
                for (int stream : streams) {
                    assertEquals("GET /" + stream + "\n", client.answer(stream).text());
                }
                server.awaitRest();
                mayReturn.drainPermits();
            }
        }
    }

    /** Only one of them gets the segment in reserve for the bytes that wait. */
    @Test
    void noConnectionIsClosedWhoseBytesWaitForMemory() throws Exception {
        start(shortOfMemory());
        List<Http2Client> clients = new ArrayList<>();
        try (Http2Client first = connect()) {
            useUpMemory(first);
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                Http2Client client = connect();
                clients.add(client);
                streams.add(client.post("/stream/wait"));
                client.roundTrip();
                client.data(streams.get(i), new byte[100], true);
                client.send(Frame.ping(42, 0));
            }
            server.settle();
            mayReturn.release(100);
            for (int i = 0; i < 3; i++) {
                assertEquals("read", clients.get(i).answer(streams.get(i)).text());
                assertEquals(
                        "Hello",
                        clients.get(i).answer(clients.get(i).get("/hello")).text());
            }
        } finally {
            for (Http2Client client : clients) {
                client.close();
            }
        }
    }

    @Test
    void aMistakeBehindBytesThatWaitForMemoryEndsTheConnectionOnce() throws Exception {
        start(shortOfMemory());
        try (Http2Client client = connect();
                Http2Client other = connect()) {
            useUpMemory(other);
            int waits = client.post("/stream/wait");
            client.roundTrip();
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            together.writeBytes(frame(Frame.DATA, 0, waits, new byte[100]));
            together.writeBytes(Frame.windowUpdate(0, 0));
            client.send(together.toByteArray());
            server.settle();
            mayReturn.release(100);
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.awaitClose());
            server.settle();
            assertTrue(events.failed().stream().allMatch(IOException.class::isInstance), events.failed()::toString);
        }
    }

    private static byte[] frame(int type, int flags, int stream, byte[] payload) {
        return Frame.header(ByteBuffer.allocate(Frame.HEADER + payload.length), payload.length, type, flags, stream)
                .put(payload)
                .array();
    }

    // ---- time

    /** Until the servlet reads, the client waits for the 100 (Continue). Then it must send. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientThatWaitsForTheServletIsNotLate(boolean sends) throws Exception {
        start(new WireConfig().timeByHand().bodyStall(5_000));
        try (Http2Client client = connect()) {
            int stream = client.post("/stream/wait", "expect", "100-continue");
            client.roundTrip();
            server.pass(Duration.ofSeconds(6));
            server.pass(Duration.ofSeconds(6));
            mayReturn.release();
            client.await(Frame.HEADERS, stream);
            assertEquals(100, client.of(stream).status());
            if (sends) {
                client.data(stream, "abc", true);
                assertEquals("read", client.answer(stream).text());
            } else {
                server.passUntilTimeout(Duration.ofSeconds(3), Key.BODY_STALL_TIMEOUT.id());
                assertEquals(ErrorCode.CANCEL, client.answer(stream).reset);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClientMustAcknowledgeTheSettingsInTime(boolean acknowledges) throws Exception {
        start(new WireConfig().timeByHand().handshakeTimeout(5_000));
        try (Http2Client client = Http2Client.unacknowledged(server.port())) {
            int stream = client.get("/wait");
            inside.acquire();
            server.pass(Duration.ofSeconds(4));
            if (acknowledges) {
                client.send(Frame.settingsAck());
            }
            server.pass(Duration.ofSeconds(2));
            if (acknowledges) {
                mayReturn.release();
                assertEquals("waited", client.answer(stream).text());
            } else {
                assertEquals(ErrorCode.SETTINGS_TIMEOUT, client.awaitClose());
                assertEquals(List.of(Key.HANDSHAKE_TIMEOUT.id()), events.timedOut());
            }
        }
    }

    /** Otherwise a client that never acknowledges them could have any number of streams (CVE-2025-53506). */
    @Test
    void theLimitOfStreamsHoldsBeforeTheClientKnowsIt() throws Exception {
        start(new WireConfig().workers(2).queue(1000));
        try (Http2Client client = Http2Client.unacknowledged(server.port())) {
            for (int i = 0; i < 100; i++) {
                client.post("/echo");
            }
            assertEquals(ErrorCode.REFUSED_STREAM, client.answer(client.get("/hello")).reset);
        }
    }

    @Test
    void theBytesOfStreamsThatAreOverAreGivenBack() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            client.roundTrip();
            long before = server.transport.pool().inUse();
            int over = client.post("/refused");
            client.await(Frame.RST_STREAM, over);
            int reset = client.post("/echo");
            client.reset(reset);
            for (int i = 0; i < 100; i++) { // more than the window of the connection
                client.data(i % 2 == 0 ? over : reset, new byte[16_384], false);
            }
            client.roundTrip();
            assertEquals(before, server.transport.pool().inUse());
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            assertTrue(client.takeWindow(0) > 2_000_000, "the window of the connection");
        }
    }

    @Test
    void theFurtherPartsOfAHeadDoNotGiveItMoreTimeAlthoughAStreamIsOpen() throws Exception {
        start(new WireConfig().timeByHand().headTimeout(5_000));
        try (Http2Client client = connect()) {
            client.get("/wait");
            inside.acquire();
            int slow = client.nextStream();
            client.frame(Frame.HEADERS, Frame.END_STREAM, slow, Http2Client.head("GET", "/hello"));
            for (int i = 0; i < 2; i++) {
                server.pass(Duration.ofSeconds(3));
                client.frame(Frame.CONTINUATION, 0, slow, Http2Client.block("x", "y"));
            }
            assertEquals(ErrorCode.NO_ERROR, client.awaitClose());
            assertEquals(List.of(Key.HEAD_TIMEOUT.id()), events.timedOut());
        }
    }

    /** Otherwise a client could keep what its other streams hold by a slow head behind each other one. */
    @Test
    void aHeadThatDoesNotGoOnDoesNotStopTheTimeOfOtherStreams() throws Exception {
        start(new WireConfig().timeByHand().writeStall(4_000));
        try (Http2Client client = connect()) {
            int big = client.get("/big");
            client.roundTrip();
            server.awaitRest();
            client.frame(Frame.HEADERS, Frame.END_STREAM, client.nextStream(), Http2Client.head("GET", "/hello"));
            for (int i = 0; i < 7; i++) {
                server.pass(Duration.ofSeconds(1));
            }
            assertEquals(ErrorCode.CANCEL, client.answer(big).reset);
        }
    }

    @Test
    void aHeadMayArriveForLongerThanAConnectionMayBeIdle() throws Exception {
        start(new WireConfig().timeByHand().keepAlive(5_000));
        try (Http2Client client = connect()) {
            client.answer(client.get("/hello"));
            server.pass(Duration.ofSeconds(4));
            int slow = client.nextStream();
            client.frame(Frame.HEADERS, Frame.END_STREAM, slow, Http2Client.head("GET", "/hello"));
            server.pass(Duration.ofSeconds(4));
            client.frame(Frame.CONTINUATION, Frame.END_HEADERS, slow, new byte[0]);
            assertEquals("Hello", client.answer(slow).text());
        }
    }

    @Test
    void aClientThatReadsNothingCannotKeepItsConnectionByFurtherRequests() throws Exception {
        start(new WireConfig().timeByHand().writeStall(4_000).sendBuffer(4096));
        try (Http2Client client = Http2Client.slow(server.port(), Frame.INITIAL_WINDOW_SIZE, Frame.MAX_WINDOW)) {
            client.enlarge(0, Frame.MAX_WINDOW - Frame.FIRST_WINDOW);
            client.get("/huge");
            server.awaitHeld();
            try {
                for (int i = 0; i < 20; i++) {
                    int next = client.get("/huge");
                    client.reset(next - 2); // so one is always open
                    server.pass(Duration.ofSeconds(1));
                }
            } catch (IOException closed) {
                return; // as it should be
            }
            assertEquals(0, server.transport.connections().open().count());
        }
    }

    @Test
    void streamsThatAreResetLeaveTheQueues() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int big = client.get("/big");
            while (client.of(big).body.size() < Frame.FIRST_WINDOW) {
                client.read();
            }
            for (int i = 0; i < 50; i++) {
                int stream = client.get("/big");
                client.await(Frame.HEADERS, stream);
                client.reset(stream);
            }
            client.roundTrip();
            server.awaitRest();
            Queue<Integer> waiting = new ConcurrentLinkedQueue<>();
            server.transport.reactors().get(0).forEachHandler(handler -> {
                if (handler instanceof Http2Connection connection) {
                    waiting.add(connection.output().waiting());
                }
            });
            await().until(() -> !waiting.isEmpty());
            assertEquals(List.of(1), List.copyOf(waiting));
        }
    }

    @Test
    void aClientWhoseControlFramesWaitIsNotRead() throws Exception {
        start(new WireConfig().sendBuffer(4096));
        try (Http2Client client = Http2Client.slow(server.port(), Frame.INITIAL_WINDOW_SIZE, Frame.MAX_WINDOW)) {
            client.enlarge(0, Frame.MAX_WINDOW - Frame.FIRST_WINDOW);
            client.get("/huge");
            server.awaitHeld();
            server.awaitRest();
            for (int i = 0; i < 2_000; i++) {
                client.send(Frame.ping(i, 0));
            }
            await().until(() -> !readable.get());
        }
    }

    /** A hint is dropped while an earlier one waits. */
    @Test
    void aClientThatDoesNotReadGetsFewOfManyHints() throws Exception {
        start(new WireConfig().sendBuffer(4096));
        try (Http2Client client = Http2Client.slow(server.port(), Frame.INITIAL_WINDOW_SIZE, Frame.MAX_WINDOW)) {
            client.enlarge(0, Frame.MAX_WINDOW - Frame.FIRST_WINDOW);
            client.get("/huge");
            server.awaitHeld();
            server.awaitRest();
            int hinted = client.get("/hints");
            inside.acquire();
            Answer answer = client.answer(hinted);
            assertEquals("hinted", answer.text());
            assertEquals("200", answer.heads.get(answer.heads.size() - 1).get(":status"));
            assertTrue(answer.heads.size() <= 3, () -> answer.heads.size() + " heads");
        }
    }

    @Test
    void openStreamsAreCountedAndThoseThatWaitForTheirWindow() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int waits = client.get("/wait");
            inside.acquire();
            int big = client.get("/big");
            await().until(() -> server.transport.census(0).blocked() == 1);
            assertEquals(2, server.transport.census(0).streams());
            client.enlarge(0, BIG);
            client.enlarge(big, BIG);
            assertEquals(BIG, client.answer(big).body.size());
            mayReturn.release();
            client.answer(waits);
            await().until(() -> server.transport.census(0).streams() == 0);
        }
    }

    // ---- responses that leave together

    /** After many quick requests, the server expects further ones to be quick, too. */
    private static void makeQuick(Http2Client client) throws IOException {
        for (int i = 0; i < 64; i++) {
            assertEquals("Hello", client.answer(client.get("/hello")).text());
        }
    }

    @Test
    void quickResponsesOfSeveralStreamsLeaveInOneWrite() throws Exception {
        start(new WireConfig().workers(1).timeByHand());
        try (Http2Client client = connect()) {
            makeQuick(client);
            int first = client.get("/wait");
            inside.acquire();
            int last = 0;
            for (int i = 0; i < 16; i++) {
                last = client.get("/at-once");
            }
            client.roundTrip();
            int before = writes.get();
            mayReturn.release();
            assertEquals("ok", client.answer(last).text());
            assertEquals("waited", client.answer(first).text());
            // The reactor may still be at the answer to the PING, and send the first response with it.
            assertTrue(writes.get() - before <= 2, () -> (writes.get() - before) + " writes for 17 responses");
        }
    }

    @Test
    void aQuickResponseDoesNotWaitForASlowOneBehindIt() throws Exception {
        start(new WireConfig().workers(1).timeByHand());
        try (Http2Client client = connect()) {
            makeQuick(client);
            int first = client.get("/wait");
            inside.acquire();
            int quick = client.get("/hello");
            int slow = client.get("/wait");
            client.roundTrip();
            mayReturn.release();
            inside.acquire(); // the worker has begun with the slow one
            server.pass(Duration.ofMillis(40));
            assertEquals("Hello", client.answer(quick).text());
            mayReturn.release();
            assertEquals("waited", client.answer(slow).text());
            assertEquals("waited", client.answer(first).text());
        }
    }

    /** Requests of another mapping keep the only worker busy, so that the reactor does not expect that something is left. */
    @Test
    void aResponseThatIsLeftLateDoesNotWaitForASlowOneBehindIt() throws Exception {
        start(new WireConfig().workers(1).timeByHand());
        try (Http2Client client = connect();
                Http2Client other = connect()) {
            makeQuick(client);
            int elsewhere = other.get("/another-mapping");
            inside.acquire();
            int first = client.get("/hello");
            int second = client.get("/hello");
            int slow = client.get("/wait");
            client.roundTrip();
            server.pass(Duration.ofMillis(40));
            mayReturn.release();
            inside.acquire(); // the worker has begun with the slow one
            server.pass(Duration.ofMillis(40));
            assertEquals("Hello", client.answer(first).text());
            assertEquals("Hello", client.answer(second).text());
            mayReturn.release();
            assertEquals("waited", client.answer(slow).text());
            assertEquals("waited", other.answer(elsewhere).text());
        }
    }

    /** Before, it looked every 20 ms for responses that workers have left. */
    @Test
    void theReactorRestsWhileSeveralStreamsAreOpen() throws Exception {
        start(new WireConfig().timeByHand());
        try (Http2Client client = connect()) {
            int first = client.get("/wait");
            int second = client.get("/wait");
            inside.acquire(2);
            server.pass(Duration.ofMillis(40));
            int before = flushes.get();
            for (int i = 0; i < 10; i++) {
                server.pass(Duration.ofMillis(40));
            }
            assertEquals(before, flushes.get());
            mayReturn.release(2);
            assertEquals("waited", client.answer(first).text());
            assertEquals("waited", client.answer(second).text());
        }
    }

    /** The time does not pass in this test. */
    @Test
    void aResponseDoesNotWaitForTheRequestOfAnotherConnection() throws Exception {
        start(new WireConfig().workers(1).timeByHand());
        try (Http2Client client = connect();
                Http2Client other = connect()) {
            makeQuick(client);
            other.get("/wait");
            inside.acquire();
            int quick = client.get("/hello");
            client.roundTrip();
            other.get("/wait");
            other.roundTrip();
            client.get("/hello");
            client.roundTrip();
            mayReturn.release();
            assertEquals("Hello", client.answer(quick).text());
            inside.acquire(); // the worker is in the call of the other connection
        }
    }

    // ---- mistakes and floods

    @ParameterizedTest
    @ValueSource(strings = {"malformed heads", "streams that are refused", "long settings"})
    void aFloodThatOnlyTheServerAnswersIsReadSlowly(String kind) throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            if (kind.equals("streams that are refused")) {
                for (int i = 0; i < 100; i++) {
                    client.post("/echo");
                }
            }
            int frames = kind.equals("long settings") ? 20 : 600;
            for (int i = 0; i < frames; i++) {
                switch (kind) {
                    case "malformed heads" -> client.get("/hello", "connection", "close");
                    case "streams that are refused" -> client.get("/hello");
                    default ->
                        client.send(Frame.settings(IntStream.range(0, 500)
                                .map(at -> at % 2 == 0 ? Frame.INITIAL_WINDOW_SIZE : 1000 + at)
                                .toArray()));
                }
                if (i % 50 == 49) {
                    client.roundTrip();
                }
            }
            client.roundTrip();
            assertTrue(server.counters.value(Counter.FLOOD_PAUSES) > 0, "pauses");
        }
    }

    @Test
    void aChangeOfTheInitialWindowCostsAsMuchAsTheClientHasStreams() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            for (int i = 0; i < 90; i++) {
                client.post("/echo");
            }
            for (int i = 0; i < 60; i++) {
                client.send(Frame.settings(Frame.INITIAL_WINDOW_SIZE, 1000 + i));
            }
            client.roundTrip();
            assertTrue(server.counters.value(Counter.FLOOD_PAUSES) > 0, "pauses");
        }
    }

    /** A thousand SETTINGS have room in one buffer. */
    @Test
    void theRestOfAFloodThatHasArrivedWaitsToo() throws Exception {
        start(new WireConfig().timeByHand());
        try (Http2Client client = connect()) {
            for (int i = 0; i < 90; i++) {
                client.post("/echo");
            }
            client.roundTrip();
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            for (int i = 0; i < 600; i++) {
                together.writeBytes(Frame.settings(Frame.INITIAL_WINDOW_SIZE, 1000 + i));
            }
            client.send(together.toByteArray());
            server.pass(Duration.ofSeconds(3));
            assertTrue(server.counters.value(Counter.FLOOD_PAUSES) > 1, "all have been read at once");
        }
    }

    /** Before, they were sent when the whole rest had been read, or something else happened. */
    @Test
    void answersToFramesThatAreReadAfterAPauseAreSentAlthoughTheNextPauseBegins() throws Exception {
        start(new WireConfig().timeByHand());
        try (Http2Client client = connect()) {
            int streams = 90;
            for (int i = 0; i < streams; i++) {
                client.post("/echo");
            }
            client.roundTrip();
            Patience patience = new Patience(0);
            patience.isLostBy(2, 0); // the SETTINGS and the PING
            int acknowledged = 0;
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            for (boolean isLost = false; !isLost; acknowledged++) {
                isLost = patience.isLostBy(2 + streams, 0);
            }
            for (int i = 0; i < 10 * acknowledged; i++) {
                together.writeBytes(Frame.settings(Frame.INITIAL_WINDOW_SIZE, 1000 + i));
            }
            client.send(together.toByteArray());
            for (int i = 0; i < acknowledged; i++) {
                client.await(Frame.SETTINGS, 0);
            }
            server.pass(Duration.ofMillis(200));
            client.await(Frame.SETTINGS, 0);
        }
    }

    /** Before, the request was complete only when the client sent something else. */
    @Test
    void anEmptyFrameThatEndsABodyAndUsesUpThePatienceIsCompletedAfterThePause() throws Exception {
        start(new WireConfig().timeByHand());
        try (Http2Client client = connect()) {
            int stream = client.post("/echo");
            client.roundTrip();
            Patience patience = new Patience(0);
            int free = -3; // the SETTINGS, and two PING
            while (!patience.isLostBy(1, 0)) {
                free++;
            }
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            for (int i = 0; i < free; i++) {
                together.writeBytes(Frame.windowUpdate(0, 1));
            }
            client.send(together.toByteArray());
            client.roundTrip();
            assertEquals(0, server.counters.value(Counter.FLOOD_PAUSES));
            client.data(stream, "", true);
            server.settle();
            assertEquals(1, server.counters.value(Counter.FLOOD_PAUSES));
            server.pass(Duration.ofSeconds(1));
            assertEquals("POST /echo\n", client.answer(stream).text());
        }
    }

    /** Before, the reactor tried for ever to send the file, for which there was no window, and the head did not leave. */
    @Test
    void theHeadOfAFileNeedsNoWindow() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 0)) {
            int stream = client.get("/file");
            client.await(Frame.HEADERS, stream);
            client.roundTrip();
            client.enlarge(stream, 3);
            client.enlarge(stream, 2);
            assertEquals("whole", client.answer(stream).text());
        }
    }

    @Test
    void aFileThatBecomesShorterEndsOnlyItsStream() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int waits = client.get("/wait");
            inside.acquire();
            assertEquals(ErrorCode.INTERNAL_ERROR, client.answer(client.get("/short-file")).reset);
            mayReturn.release();
            assertEquals("waited", client.answer(waits).text());
        }
    }

    @Test
    void aClientThatMakesTheTableOfTheServerSmallerGetsItsUpdate() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.HEADER_TABLE_SIZE, 0)) {
            assertEquals(0x20, client.await(Frame.HEADERS, client.get("/hello")).payload()[0]);
            int next = client.get("/hello");
            assertEquals(0x88, client.await(Frame.HEADERS, next).payload()[0] & 0xFF);
            assertEquals("Hello", client.answer(next).text());
        }
    }

    /** As a client whose library sends SETTINGS of its own. Before, such a client got no update, and had to end the connection. */
    @Test
    void aClientThatMakesTheTableSmallerTwiceBeforeAResponseGetsItsUpdate() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.HEADER_TABLE_SIZE, 1000)) {
            client.send(Frame.settings(Frame.HEADER_TABLE_SIZE, 0));
            assertEquals(0x20, client.await(Frame.HEADERS, client.get("/hello")).payload()[0]);
            assertEquals(0x88, client.await(Frame.HEADERS, client.get("/hello")).payload()[0] & 0xFF);
        }
    }

    // ---- memory

    @Test
    void aPartOfAFrameCountsInTheBudgetOfHeads() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            client.send(Frame.header(ByteBuffer.allocate(Frame.HEADER + 1), 16_000, Frame.HEADERS, 0, 1)
                    .array());
            await().until(() -> server.transport.heldByHeads() >= 16_000);
        }
        await().until(() -> server.transport.heldByHeads() == 0);
    }

    @Test
    void aFrameWhoseRestDoesNotComeEndsTheConnectionAlthoughAStreamIsOpen() throws Exception {
        start(new WireConfig().timeByHand().headTimeout(5_000));
        try (Http2Client client = connect()) {
            client.get("/wait");
            inside.acquire();
            client.send(Frame.header(ByteBuffer.allocate(Frame.HEADER + 100), 200, Frame.HEADERS, 0, 3)
                    .array());
            await().until(() -> server.transport.heldByHeads() > 0);
            server.pass(Duration.ofSeconds(6));
            assertEquals(ErrorCode.NO_ERROR, client.awaitClose());
            assertTrue(events.timedOut().contains(Key.HEAD_TIMEOUT.id()));
        }
    }

    /** A fifth of the budget is for requests that were sent ahead. While half of the budget is free, streams are not taken for such. */
    @Test
    void theStreamsOfOneClientMayUseHalfOfTheBudgetOfHeads() throws Exception {
        start(new WireConfig().workers(2).queue(100).headBudget(400_000));
        try (Http2Client client = connect()) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 90; i++) {
                streams.add(client.get("/wait"));
            }
            client.roundTrip();
            mayReturn.release(90);
            for (int stream : streams) {
                assertEquals("waited", client.answer(stream).text());
            }
        }
    }

    @Test
    void aStreamCountsInTheBudgetOfHeadsUntilItsClientHasTakenTheResponse() throws Exception {
        start(new WireConfig().headBudget(64 << 10));
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 0)) {
            long buffers = server.transport.pool().inUse();
            List<Integer> waiting = new ArrayList<>();
            for (int i = 0; i < 90; i++) {
                int stream = client.get(i % 2 == 0 ? "/refused" : "/hello");
                client.roundTrip();
                server.awaitRest();
                if (client.of(stream).reset == null) {
                    waiting.add(stream);
                } else {
                    assertEquals(ErrorCode.REFUSED_STREAM, client.of(stream).reset);
                }
            }
            assertTrue(waiting.size() > 20 && waiting.size() < 78, waiting.size() + " streams");
            assertTrue(server.transport.heldByHeads() > 50_000);
            assertTrue(server.counters.value(Counter.HEAD_BUDGET_EXCEEDED) > 0);
            for (int stream : waiting) {
                client.enlarge(stream, 1000);
                assertEquals(
                        client.answer(stream).status() == 404 ? "404 Not Found\n" : "Hello",
                        client.answer(stream).text());
            }
            server.awaitRest();
            client.roundTrip();
            assertEquals(buffers, server.transport.pool().inUse());
            await().until(() -> server.transport.heldByHeads() == 0);
        }
    }

    /** The heads of responses are in no pipe. Before, they were in no budget while the client did not read. */
    @Test
    void headsThatWaitForClientsThatDoNotReadStayWithinTheBudget() throws Exception {
        long budget = 512 << 10;
        start(new WireConfig().sendBuffer(4096).headBudget(budget));
        List<Http2Client> clients = new ArrayList<>();
        try (Http2Client honest = connect()) {
            for (int i = 0; i < 5; i++) {
                Http2Client client = Http2Client.slow(server.port());
                clients.add(client);
                client.get("/big"); // fills the socket
            }
            server.awaitHeld();
            for (Http2Client client : clients) {
                for (int i = 0; i < 20; i++) {
                    client.get("/fields");
                }
            }
            await().until(() -> server.counters.value(Counter.HEAD_BUDGET_EXCEEDED) > 0);
            server.awaitRest();
            long held = server.transport.heldByHeads();
            assertTrue(held > budget / 10 && held <= budget, held + " bytes");
            assertEquals("Hello", honest.answer(honest.get("/hello")).text());
            int whole = 0;
            int cut = 0;
            for (Http2Client client : clients) {
                client.enlarge(0, 1 << 16); // for the body of a 503, if the queue was full
                for (int stream = 3; stream < 3 + 40; stream += 2) {
                    Answer answer = client.answer(stream);
                    whole += answer.ended ? 1 : 0;
                    // A request that finds no room for its own head is refused.
                    cut += answer.reset == ErrorCode.ENHANCE_YOUR_CALM || answer.reset == ErrorCode.REFUSED_STREAM
                            ? 1
                            : 0;
                }
            }
            assertEquals(5 * 20, whole + cut);
            assertTrue(whole >= 10 && cut >= 10, whole + " whole, " + cut + " cut");
        } finally {
            for (Http2Client client : clients) {
                client.close();
            }
        }
        server.awaitNothingHeld();
    }

    @Test
    void anAnswerWithoutAWorkerHoldsNoBufferWhileItWaitsForItsWindow() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 0)) {
            client.roundTrip();
            long before = server.transport.pool().inUse();
            for (int i = 0; i < 50; i++) {
                client.get("/refused");
            }
            client.roundTrip();
            assertEquals(before, server.transport.pool().inUse());
        }
    }

    @Test
    void anAnswerWithoutAWorkerCountsInTheBudgetOfHeadsWhileItWaitsForItsWindow() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 0)) {
            for (int i = 0; i < 50; i++) {
                client.get("/long-refusal");
            }
            client.roundTrip();
            assertTrue(server.transport.heldByHeads() >= 50 * LONG, () -> server.transport.heldByHeads() + " bytes");
        }
        await().until(() -> server.transport.heldByHeads() == 0);
    }

    /** A connection may have one file, as in HTTP/1.1, and all together may have {@code max-connections} more. */
    @Test
    void clientsThatPermitNoBytesCannotUseUpTheDescriptors() throws Exception {
        start(new WireConfig().workers(8).maxStreaming(2).maxConnections(3, ConnectionsPolicy.REFUSE));
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 0);
                Http2Client other = connect(Frame.INITIAL_WINDOW_SIZE, 0)) {
            List<Integer> streams = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                streams.add(client.get("/big"));
                streams.add(client.get("/copy"));
            }
            await().until(() -> server.counters.value(Counter.RESPONSES_CUT) > 0
                    && server.transport.queue().size() == 0);
            int big = other.get("/big");
            await().until(() -> server.transport.queue().size() == 0);
            other.enlarge(0, BIG);
            other.enlarge(big, BIG);
            assertEquals(BIG, other.answer(big).body.size());
            // Two workers wait for the client, as streaming ones do, and hold the files that they read.
            await().until(() -> server.transport.spool().files()
                            + opened.stream().filter(FileChannel::isOpen).count()
                    <= 1 + 3 + 2);
            client.enlarge(0, Frame.MAX_WINDOW - Frame.FIRST_WINDOW);
            int whole = 0;
            for (int stream : streams) {
                client.enlarge(stream, BIG);
            }
            for (int stream : streams) {
                whole += client.answer(stream).body.size() == BIG ? 1 : 0;
            }
            assertTrue(whole >= 1 + 3 + 2, whole + " whole");
        }
        await().until(() -> opened.stream().noneMatch(FileChannel::isOpen));
        server.awaitNothingHeld();
    }

    @Test
    void trailersCountInTheBudgetOfHeads() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int stream = client.post("/wait");
            client.data(stream, "x", false);
            client.roundTrip();
            long before = server.transport.heldByHeads();
            client.frame(
                    Frame.HEADERS,
                    Frame.END_HEADERS | Frame.END_STREAM,
                    stream,
                    Http2Client.block("x-long", "v".repeat(4_000)));
            inside.acquire();
            assertTrue(server.transport.heldByHeads() >= before + 4_000);
            mayReturn.release();
            assertEquals("waited", client.answer(stream).text());
            server.awaitRest();
            client.roundTrip();
            await().until(() -> server.transport.heldByHeads() == 0);
        }
    }

    /** Before, the workers of the other streams were not woken, and the end of the connection was not reported. */
    @Test
    void eachStreamEndsWithItsConnectionEvenIfTheEndOfOneFails() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        events = new FollowedEvents() {
            @Override
            public void gone(Request request, String cause) {
                super.gone(request, cause);
                if (failed.compareAndSet(false, true)) {
                    throw new IllegalStateException("on purpose");
                }
            }
        };
        start(new WireConfig().workers(2).maxStreaming(2));
        try (Http2Client client = connect()) {
            client.post("/stream/wait");
            client.post("/stream/wait");
            client.roundTrip();
            mayReturn.release(2);
        }
        events.awaitClosed(1);
        server.awaitRest();
        assertTrue(failed.get());
    }

    // ---- the end of the server

    private void stopWithin(Duration patience) {
        stopping = new Thread(() -> {
            try {
                server.transport.stop(patience);
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        stopping.start();
    }

    /** Before, the server closed at once, although frames of the client may be unread: such a close can destroy the GOAWAY on its way. */
    @Test
    void theServerWaitsForTheCloseOfAClientThatIsRefused() throws Exception {
        start(new WireConfig().maxConnections(1, ConnectionsPolicy.REFUSE).timeByHand());
        try (Http2Client first = connect()) {
            first.roundTrip();
            try (Http2Client refused = connect()) {
                assertEquals(ErrorCode.ENHANCE_YOUR_CALM, refused.awaitClose());
                for (Reactor reactor : server.transport.reactors()) {
                    CompletableFuture<Void> turn = new CompletableFuture<>();
                    reactor.execute(() -> turn.complete(null));
                    turn.join();
                }
                assertEquals(1, server.transport.connections().refused());
            }
            await().until(() -> server.transport.connections().refused() == 0);
        }
    }

    @Test
    void aClientThatIsRefusedAndDoesNotCloseIsClosedAfterTheLingerTime() throws Exception {
        start(new WireConfig().maxConnections(1, ConnectionsPolicy.REFUSE).linger(50));
        try (Http2Client first = connect()) {
            first.roundTrip();
            try (Http2Client refused = connect()) {
                assertEquals(ErrorCode.ENHANCE_YOUR_CALM, refused.awaitClose());
                events.awaitTimeout("linger-timeout");
                await().until(() -> server.transport.connections().refused() == 0);
            }
        }
    }

    /** Before, the memory of its payload was given back twice. */
    @Test
    void theLastFrameOfAnEndingConnectionMayArriveInPieces() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            byte[] reset = Frame.reset(client.post("/echo"), ErrorCode.CANCEL);
            client.send(Arrays.copyOf(reset, reset.length - 1));
            server.settle();
            stopWithin(Duration.ofMinutes(1));
            awaitLastGoAway(client);
            client.send(Arrays.copyOfRange(reset, reset.length - 1, reset.length));
            client.awaitEnd();
            stopping.join();
            assertEquals(0, server.transport.heldByHeads());
        }
    }

    /** Before, an entry for the dynamic table counted after the end of its connection. */
    @Test
    void framesBehindTheEndOfAConnectionAreNotRead() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int stream = client.post("/echo");
            server.settle();
            stopWithin(Duration.ofMinutes(1));
            awaitLastGoAway(client);
            byte[] entry = {0x40, 1, 'a', 1, 'b'};
            ByteBuffer both = ByteBuffer.allocate(100).put(Frame.reset(stream, ErrorCode.CANCEL));
            int flags = Frame.END_HEADERS | Frame.END_STREAM;
            Frame.header(both, entry.length, Frame.HEADERS, flags, stream + 2).put(entry);
            client.send(Arrays.copyOf(both.array(), both.position()));
            client.awaitEnd();
            stopping.join();
            assertEquals(0, server.transport.heldByHeads());
        }
    }

    private static int awaitLastGoAway(Http2Client client) throws IOException {
        int said = client.await(Frame.GOAWAY, 0).number();
        while (said == Frame.MAX_STREAM_ID) {
            said = client.await(Frame.GOAWAY, 0).number();
        }
        return said;
    }

    @Test
    void theLastStreamOfAGoAwayDoesNotGrow() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect()) {
            int stream = client.get("/wait");
            inside.acquire();
            stopWithin(Duration.ofMinutes(1));
            assertEquals(stream, awaitLastGoAway(client));
            assertEquals(ErrorCode.REFUSED_STREAM, client.answer(client.get("/hello")).reset);
            mayReturn.release();
            assertEquals("waited", client.answer(stream).text());
            assertEquals(stream, client.await(Frame.GOAWAY, 0).number());
            client.awaitEnd();
        }
    }

    @Test
    void aStoppingServerEndsTheConnectionWithTheLastByteOfASlowResponse() throws Exception {
        start(new WireConfig().timeByHand());
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 1000)) {
            int big = client.get("/big");
            client.roundTrip();
            server.awaitRest();
            stopWithin(Duration.ofMinutes(10));
            int said = client.await(Frame.GOAWAY, 0).number();
            while (said == Frame.MAX_STREAM_ID) {
                said = client.await(Frame.GOAWAY, 0).number();
            }
            client.enlarge(big, BIG);
            client.enlarge(0, BIG);
            assertEquals(BIG, client.answer(big).body.size());
            client.awaitEnd();
        }
    }

    /** What a client sends while it receives must not destroy the rest of the response, which the operating system still sends. */
    @Test
    void aStoppingServerWaitsForTheCloseOfAClientThatStillReceives() throws Exception {
        start(new WireConfig());
        try (Http2Client client = Http2Client.slow(server.port(), Frame.INITIAL_WINDOW_SIZE, BIG)) {
            client.enlarge(0, BIG);
            int big = client.get("/big");
            client.await(Frame.HEADERS, big);
            await().until(() -> server.transport.census(0).streams() == 0);
            stopWithin(Duration.ofMinutes(10));
            await().until(() -> server.transport.connections().open().count() == 0
                    || server.transport.census(0).counts().get(ConnectionState.CLOSING) == 1);
            client.enlarge(0, 1);
            assertEquals(BIG, client.answer(big).body.size());
            client.awaitEnd();
        }
    }

    @Test
    void aResponseThatIsCompleteIsNotCut() throws Exception {
        start(new WireConfig());
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 1000)) {
            int big = client.get("/big-and-wait");
            inside.acquire();
            stopWithin(Duration.ofMillis(10));
            inside.acquire(); // the servlet has been interrupted, since its request is cut
            client.enlarge(0, BIG);
            client.enlarge(big, BIG);
            assertEquals(BIG, client.answer(big).body.size());
        }
    }
}
