package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which events of a request the server reports to a listener, and in which order. */
final class EventsOrderTest {
    private static final long PATIENCE_SECONDS = 60;

    private final FollowedEvents events = new FollowedEvents();

    private WireServer server(WireConfig config, Site site) throws IOException {
        return new WireServer(config, site, events);
    }

    private void assertEvents(String id, String... expected) {
        events.summary(id);
        assertEquals(List.of(expected), events.of(id));
    }

    /** Returns a site with the path {@code /wait}. The handler of this path responds when the latch has been counted down. */
    private static Site waitingFor(CountDownLatch leave) {
        return new Site().on("/wait", exchange -> {
            leave.await();
            Site.echo(exchange);
        });
    }

    @Test
    void theEventsOfARequestWithoutABodyAreReportedInOrder() throws Exception {
        Instant before = Instant.now();
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("GET /a?q=1 HTTP/1.1\r\nHost: x\r\nUser-Agent: me\r\nConnection: close\r\n\r\n");
            int bytes = client.rest().getBytes(StandardCharsets.ISO_8859_1).length;
            assertEvents("c1-1", "head GET /a?q=1 HTTP/1.1", "queued", "taken", "responding 200", "ended ANSWERED 200");
            RequestSummary summary = events.summary("c1-1");
            assertEquals(bytes, summary.volume().sent());
            assertEquals(0, summary.volume().received());
            assertEquals(Optional.of("me"), summary.request().fields().first("user-agent"));
            assertEquals(Optional.empty(), summary.request().fields().first("referer"));
            assertEquals("/a", summary.request().path());
            assertEquals("", summary.reason());
            RequestSummary.Times times = summary.times();
            assertTrue(!times.began().isBefore(before.minusMillis(50)), () -> before + " " + times);
            assertTrue(times.began().isBefore(Instant.now()), times::toString);
            assertTrue(times.total() > 0 && times.total() < TimeUnit.MINUTES.toNanos(1), times::toString);
            assertTrue(
                    times.head() >= 0 && times.queue() >= 0 && times.service() > 0 && times.drain() >= 0,
                    times::toString);
            assertEquals(0, times.body(), "nanoseconds for the body of a request without a body");
        }
    }

    @Test
    void noRequestEventsAreSentToAListenerThatDoesNotFollowRequests() throws Exception {
        List<Request> reported = new CopyOnWriteArrayList<>();
        RecordedEvents recorded = new RecordedEvents() {
            @Override
            public void headArrived(Request request) {
                reported.add(request);
            }
        };
        try (WireServer server =
                        new WireServer(new WireConfig().toConfig(), new Site(), Duration.ofSeconds(10), recorded);
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /refused HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, client.answer().status());
            assertEquals(404, client.answer().status());
            assertEquals(List.of("404 admission"), recorded.refused());
            assertEquals(List.of(), reported);
        }
    }

    @Test
    void aListenerGetsOnlyTheEventsOfRequestsThatBeginWhileItFollowsRequests() throws Exception {
        AtomicBoolean follows = new AtomicBoolean();
        List<String> reported = new CopyOnWriteArrayList<>();
        RecordedEvents switchable = new RecordedEvents() {
            @Override
            public boolean followsRequests() {
                return true;
            }

            @Override
            public boolean followsNow() {
                return follows.get();
            }

            @Override
            public void headArrived(Request request) {
                reported.add(request.target());
            }
        };
        try (WireServer server =
                        new WireServer(new WireConfig().toConfig(), new Site(), Duration.ofSeconds(10), switchable);
                RawClient client = server.connect()) {
            for (String target : List.of("/1", "/2", "/3")) {
                follows.set(target.equals("/2"));
                client.send("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(200, client.answer().status());
            }
            assertEquals(List.of("/2"), reported);
        }
    }

    @Test
    void theEventsOfARequestWithABodyAreReportedInOrder() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
            events.awaitEvent("c1-1", "head POST /a HTTP/1.1");
            client.send("cde");
            assertEquals(200, client.answer().status());
            assertEvents(
                    "c1-1",
                    "head POST /a HTTP/1.1",
                    "body 5",
                    "queued",
                    "taken",
                    "responding 200",
                    "ended ANSWERED 200");
            assertEquals(5, events.summary("c1-1").volume().received());
        }
    }

    @Test
    void aWorkerStartsAStreamingRequestBeforeTheBodyIsComplete() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
            events.awaitEvent("c1-1", "taken");
            client.send("cde");
            assertEquals(200, client.answer().status());
            assertEvents(
                    "c1-1",
                    "head POST /stream HTTP/1.1",
                    "queued",
                    "taken",
                    "body 5",
                    "responding 200",
                    "ended ANSWERED 200");
        }
    }

    @Test
    void eachRequestOfAPersistentConnectionHasSeparateEvents() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            for (int i = 1; i <= 3; i++) {
                client.send("GET /" + i + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(200, client.answer().status());
                assertEvents(
                        "c1-" + i,
                        "head GET /" + i + " HTTP/1.1",
                        "queued",
                        "taken",
                        "responding 200",
                        "ended ANSWERED 200");
            }
            assertEquals(3, events.requests());
        }
    }

    @Test
    void eachPipelinedRequestHasSeparateEvents() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /22 HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "GET /refused HTTP/1.1\r\nHost: x\r\n\r\nGET /444 HTTP/1.1\r\nHost: x\r\n\r\n");
            for (int i = 1; i <= 4; i++) {
                client.answer();
            }
            for (String id : List.of("c1-1", "c1-2", "c1-4")) {
                events.summary(id);
                assertEquals(
                        List.of("queued", "taken", "responding 200", "ended ANSWERED 200"),
                        events.of(id).subList(1, 5));
            }
            assertEvents("c1-3", "head GET /refused HTTP/1.1", "responding 404", "ended REFUSED 404");
            // Each summary must count only the bytes of one response, even if one write sent several responses.
            assertEquals(
                    events.summary("c1-1").volume().sent() + 1,
                    events.summary("c1-2").volume().sent());
            assertEquals(
                    events.summary("c1-1").volume().sent() + 2,
                    events.summary("c1-4").volume().sent());
        }
    }

    @Test
    void aRequestIsReportedAsRefusedIfTheAdmissionRefusesIt() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("GET /refused HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            int bytes = client.rest().length();
            assertEvents("c1-1", "head GET /refused HTTP/1.1", "responding 404", "ended REFUSED 404");
            assertEquals("admission", events.summary("c1-1").reason());
            assertEquals(bytes, events.summary("c1-1").volume().sent());
            assertEquals(List.of("404 admission"), events.refused());
        }
    }

    @Test
    void aRequestIsReportedAsRefusedIfTheQueueIsFull() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        Site site = waitingFor(leave);
        try (WireServer server = server(new WireConfig().workers(1).queue(0), site);
                RawClient first = server.connect()) {
            server.awaitIdleWorkers();
            first.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            events.awaitEvent("c1-1", "taken");
            try (RawClient second = server.connect()) {
                second.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(503, second.answer().status());
                assertEvents("c2-1", "head GET /b HTTP/1.1", "queued", "responding 503", "ended REFUSED 503");
                assertEquals("queue", events.summary("c2-1").reason());
            }
            leave.countDown();
            assertEquals(200, first.answer().status());
        }
    }

    @Test
    void aRequestIsReportedAsRefusedIfItWaitsTooLongForAWorker() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        Site site = waitingFor(leave);
        try (WireServer server = server(new WireConfig().timeByHand().workers(1).queueAge(50), site);
                RawClient first = server.connect()) {
            first.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            events.awaitEvent("c1-1", "taken");
            try (RawClient second = server.connect()) {
                second.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
                server.pass(Duration.ofMillis(70));
                assertEquals(503, second.answer().status());
                assertEvents("c2-1", "head GET /b HTTP/1.1", "queued", "responding 503", "ended REFUSED 503");
                RequestSummary summary = events.summary("c2-1");
                assertEquals("queue-age", summary.reason());
                assertEquals(TimeUnit.MILLISECONDS.toNanos(70), summary.times().queue());
                assertEquals(0, summary.times().service());
            }
            leave.countDown();
            assertEquals(200, first.answer().status());
        }
    }

    @Test
    void aQueuedRequestIsReportedAsGoneIfItsClientDisconnects() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        Site site = waitingFor(leave);
        try (WireServer server = server(new WireConfig().workers(1), site);
                RawClient first = server.connect()) {
            first.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            events.awaitEvent("c1-1", "taken");
            try (RawClient second = server.connect()) {
                second.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
                events.awaitEvent("c2-1", "queued");
                second.reset();
            }
            assertEvents("c2-1", "head GET /b HTTP/1.1", "queued", "gone", "ended GONE 0");
            leave.countDown();
            assertEquals(200, first.answer().status());
        }
    }

    @Test
    void theReadablePartsOfAMalformedHeadAreReported() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site())) {
            try (RawClient client = server.connect()) {
                client.send("GET /a HTTP/1.1\r\nno colon\r\n\r\n");
                assertEquals(400, client.answer().status());
            }
            assertEvents("c1-1", "head GET /a HTTP/1.1", "responding 400", "ended REFUSED 400");
            try (RawClient client = server.connect()) {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(200, client.answer().status());
                client.send("(nonsense)\r\n\r\n");
                assertEquals(400, client.answer().status());
            }
            assertEvents("c2-2", "head   ", "responding 400", "ended REFUSED 400");
        }
    }

    @Test
    void aRequestIsReportedAsRefusedIfItsHeadArrivesTooSlowly() throws Exception {
        Duration longer = Duration.ofMillis(120);
        try (WireServer server = server(new WireConfig().timeByHand().headTimeout(100), new Site());
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n");
            server.pass(longer);
            assertEquals(408, client.answer().status());
            assertEvents("c1-1", "head GET /slow HTTP/1.1", "responding 408", "ended REFUSED 408");
            assertEquals("head-timeout", events.summary("c1-1").reason());
            RequestSummary.Times times = events.summary("c1-1").times();
            assertEquals(longer.toNanos(), times.head());
            assertEquals(0, times.body());
            assertEquals(List.of("head-timeout"), events.timedOut());
        }
    }

    @Test
    void aRequestIsReportedAsRefusedIfItsBodyStalls() throws Exception {
        Duration before = Duration.ofMillis(30);
        Duration longer = Duration.ofMillis(120);
        try (WireServer server = server(new WireConfig().timeByHand().bodyStall(100), new Site());
                RawClient client = server.connect()) {
            client.send("POST /slow HTTP/1.1\r\nHost: x\r\n");
            server.pass(before);
            client.send("Content-Length: 5\r\n\r\nab");
            server.pass(longer);
            assertEquals(408, client.answer().status());
            assertEvents("c1-1", "head POST /slow HTTP/1.1", "responding 408", "ended REFUSED 408");
            assertEquals("body-stall-timeout", events.summary("c1-1").reason());
            assertEquals(2, events.summary("c1-1").volume().received());
            RequestSummary.Times times = events.summary("c1-1").times();
            assertEquals(before.toNanos(), times.head());
            assertEquals(longer.toNanos(), times.body());
            assertEquals(times.head() + times.body(), times.arrival());
            assertEquals(List.of("body-stall-timeout"), events.timedOut());
        }
    }

    @Test
    void aRequestIsReportedAsAbortedIfItsHandlerFails() throws Exception {
        Site site = new Site().on("/fail", exchange -> {
            throw new IllegalStateException("on purpose");
        });
        try (WireServer server = server(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /fail HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("", client.rest());
            assertEvents("c1-1", "head GET /fail HTTP/1.1", "queued", "taken", "ended ABORTED 0");
            assertTrue(events.summary("c1-1").reason().contains("on purpose"));
        }
    }

    @Test
    void aWriteOfARequestBodyToDiskIsReported() throws Exception {
        int size = 300_000;
        try (WireServer server = server(new WireConfig(), new Site());
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + size + "\r\n\r\n");
            client.send("x".repeat(size));
            assertEquals(200, client.answer().status());
            RequestSummary summary = events.summary("c1-1");
            assertEquals(
                    List.of(
                            "head POST /a HTTP/1.1",
                            "spilled REQUEST",
                            "body " + size,
                            "queued",
                            "taken",
                            "responding 200"),
                    events.of("c1-1").stream()
                            .filter(moment -> !moment.startsWith("ended") && !moment.equals("spilled RESPONSE"))
                            .distinct()
                            .toList());
            assertEquals(size, summary.volume().received());
            assertEquals(size, summary.volume().requestOnDisk());
        }
    }

    @Test
    void aWriteOfAResponseToDiskIsReported() throws Exception {
        int size = 1 << 20;
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(size)));
        try (WireServer server = server(new WireConfig().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            events.awaitEvent("c1-1", "spilled RESPONSE");
            int bytes = client.rest().length();
            RequestSummary summary = events.summary("c1-1");
            assertEquals(Outcome.ANSWERED, summary.outcome());
            assertEquals(bytes, summary.volume().sent());
            assertTrue(summary.volume().responseOnDisk() > 0, summary::toString);
            assertTrue(summary.times().drain() > 0, summary::toString);
        }
    }

    @Test
    void anAsynchronousRequestIsReportedAsEndedAfterItsResponse() throws Exception {
        BlockingQueue<Exchange> kept = new LinkedBlockingQueue<>();
        Site site = new Site().on("/later", kept::add);
        try (WireServer server = server(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /later HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = kept.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            assertEquals(List.of("head GET /later HTTP/1.1", "queued", "taken"), events.of("c1-1"));
            exchange.resume(() -> {
                try {
                    Site.text(exchange, "at last");
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertEquals("at last", client.answer().body());
            assertEvents("c1-1", "head GET /later HTTP/1.1", "queued", "taken", "responding 200", "ended ANSWERED 200");
        }
    }

    @Test
    void aDisconnectIsReportedIfTheHandlerIsStillRunning() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        Site site = waitingFor(leave);
        try (WireServer server = server(new WireConfig(), site)) {
            try (RawClient client = server.connect()) {
                client.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
                events.awaitEvent("c1-1", "taken");
                client.reset();
            }
            events.awaitEvent("c1-1", "gone");
            leave.countDown();
            assertEquals(Outcome.GONE, events.summary("c1-1").outcome());
            assertEquals(
                    List.of("head GET /wait HTTP/1.1", "queued", "taken", "gone"),
                    events.of("c1-1").subList(0, 4));
        }
    }

    @Test
    void aDisconnectInTheMiddleOfARequestBodyIsReported() throws Exception {
        try (WireServer server = server(new WireConfig(), new Site())) {
            try (RawClient client = server.connect()) {
                client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab");
                events.awaitEvent("c1-1", "head POST /a HTTP/1.1");
                client.reset();
            }
            assertEvents("c1-1", "head POST /a HTTP/1.1", "gone", "ended GONE 0");
        }
    }

    /** The application has written the response, but the client has not read the response. The request ends when the client disconnects. */
    @Test
    void aDisconnectIsReportedIfTheClientHasNotReadTheWholeResponse() throws Exception {
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(1 << 20)));
        try (WireServer server = server(new WireConfig().sendBuffer(4096), site)) {
            try (RawClient client = server.connectWithReceiveBuffer(4096)) {
                client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
                events.awaitEvent("c1-1", "spilled RESPONSE");
                client.reset();
            }
            RequestSummary summary = events.summary("c1-1");
            assertEquals(Outcome.GONE, summary.outcome());
            assertEquals(200, summary.status());
            assertTrue(summary.volume().sent() < 1 << 20, summary::toString);
        }
    }

    /** The file is shorter than the declared length, so the server cannot send the whole response. The client is still connected. */
    @Test
    void aResponseIsReportedAsAbortedIfItsFileIsTooShort(@TempDir Path folder) throws Exception {
        Path file = Files.write(folder.resolve("file"), new byte[10]);
        Site site = new Site().on("/file", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 20));
            exchange.response().write(FileChannel.open(file, StandardOpenOption.READ), 0, 20, true);
        });
        try (WireServer server = server(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(Outcome.ABORTED, events.summary("c1-1").outcome());
        }
    }

    @Test
    void aWaitingPipelinedRequestIsReportedWithTheCloseCauseOfItsConnection() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        try (WireServer server = server(new WireConfig(), waitingFor(leave));
                RawClient client = server.connect()) {
            client.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            events.awaitEvent("c1-1", "taken");
            server.settle();
            client.reset();
            assertTrue(
                    events.summary("c1-2").reason().startsWith("client-reset"),
                    events.summary("c1-2").reason());
            leave.countDown();
        }
    }
}
