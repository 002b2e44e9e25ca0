package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.Answer;
import io.penstock.http1.RawClient;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The server calls the application with a time limit. If a call exceeds the limit, the server interrupts the call. If the call still does
 * not end, the server gives up the call: the client gets a response from the server, and the connection is closed. Other clients are not
 * affected.
 */
final class ServiceDeadlineTest {
    private static final int TIME = 200;
    private static final String GET_A = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private final CountDownLatch go = new CountDownLatch(1);
    private final Semaphore inside = new Semaphore(0);
    private final BlockingQueue<Object> seen = new LinkedBlockingQueue<>();

    private static WireConfig config() {
        return new WireConfig().timeByHand().workers(2).serviceTimeout(TIME);
    }

    /** Waits until the application has been called, and then advances the clock by the time limit of the call. */
    private void exceedTimeLimit(WireServer server) throws IOException, InterruptedException {
        assertTrue(inside.tryAcquire(60, TimeUnit.SECONDS));
        server.pass(Duration.ofMillis(TIME));
    }

    /**
     * Waits until the application has been called, and then advances the clock by twice the time limit, so that the server gives up the
     * call.
     */
    private void exceedTimeLimitTwice(WireServer server) throws IOException, InterruptedException {
        exceedTimeLimit(server);
        assertEquals(0, server.counters.value(Counter.SERVICE_CALLS_GIVEN_UP));
        server.pass(Duration.ofMillis(TIME));
        assertEquals(1, server.counters.value(Counter.SERVICE_CALLS_GIVEN_UP));
    }

    /** Waits until {@link #go} is counted down, and ignores interrupts. Records the number of interrupts in {@link #seen}. */
    private void hang() {
        int interrupts = 0;
        inside.release();
        while (true) {
            try {
                go.await();
                seen.add(interrupts + " interrupts");
                return;
            } catch (InterruptedException e) {
                interrupts++;
            }
        }
    }

    /** Sends three bytes of a response of ten bytes, and then waits like {@link #hang}. The remaining bytes are written too late. */
    private void hangInTheMiddle(Exchange exchange) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, 10));
        exchange.response().write(ByteBuffer.wrap(new byte[] {'h', 'e', 'l'}), false);
        exchange.response().flush();
        hang();
        seen.add(assertThrows(IOException.class, () -> exchange.response().write(ByteBuffer.wrap(new byte[7]), true)));
    }

    /** Returns the refused requests, without the requests that {@link WireServer#pass} sends to advance the clock. */
    private static List<String> refused(WireServer server) {
        return server.events.refused().stream()
                .filter(refusal -> !refusal.equals("404 admission"))
                .toList();
    }

    private Object seen() throws InterruptedException {
        Object next = seen.poll(60, TimeUnit.SECONDS);
        assertNotNull(next);
        return next;
    }

    private static void assertAnotherClientIsServed(WireServer server) throws IOException {
        try (RawClient other = server.connect()) {
            other.send(GET_A);
            assertEquals("GET /a\n", other.answer().body());
        }
    }

    @Test
    void anInterruptedCallCanStillSendAResponse() throws Exception {
        Site site = new Site().on("/slow", exchange -> {
            inside.release();
            assertThrows(InterruptedException.class, go::await);
            Site.text(exchange, "in a hurry");
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n" + GET_A);
            exceedTimeLimit(server);
            assertEquals("in a hurry", client.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(List.of("service-timeout"), server.events.timedOut());
            assertEquals(1, server.counters.value(Counter.SERVICE_TIMEOUTS));
            assertEquals(0, server.counters.value(Counter.SERVICE_CALLS_GIVEN_UP));
        }
    }

    @Test
    void theServerSends503AndClosesTheConnectionIfACallHangs() throws Exception {
        Site site = new Site().on("/hang", exchange -> {
            hang();
            seen.add(assertThrows(IOException.class, () -> Site.text(exchange, "too late")));
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("POST /hang HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello" + GET_A);
            exceedTimeLimitTwice(server);
            Answer answer = client.answer();
            assertEquals(503, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            assertEquals(List.of("503 service-timeout"), refused(server));
            assertAnotherClientIsServed(server);
            go.countDown();
            assertEquals("1 interrupts", seen());
            assertTrue(seen() instanceof IOException);
            server.awaitNothingHeld();
            assertEquals(List.of(), server.events.failed());
        }
    }

    /** The socket has not accepted all bytes of the first response. So no byte of the second response has been sent. */
    @Test
    void anUnsentResponseOfAHangingCallIsReplacedBy503() throws Exception {
        String former = "x".repeat(60_000);
        Site site = new Site()
                .on("/former", exchange -> Site.text(exchange, former))
                .on("/hang", this::hangInTheMiddle);
        try (WireServer server = WireServer.with(config().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /former HTTP/1.1\r\nHost: x\r\n\r\nGET /hang HTTP/1.1\r\nHost: x\r\n\r\n");
            exceedTimeLimitTwice(server);
            assertEquals(former, client.answer().body());
            Answer answer = client.answer();
            assertEquals(503, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            assertEquals(List.of("503 service-timeout"), refused(server));
            assertAnotherClientIsServed(server);
            go.countDown();
            assertEquals("1 interrupts", seen());
            assertTrue(seen() instanceof IOException);
            server.awaitNothingHeld();
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void theConnectionIsClosedIfAHangingCallHasSentPartOfItsResponse() throws Exception {
        Site site = new Site().on("/hang", this::hangInTheMiddle);
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("GET /hang HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK", client.line());
            exceedTimeLimitTwice(server);
            String rest = client.rest();
            assertTrue(rest.endsWith("\r\n\r\nhel"), rest);
            assertAnotherClientIsServed(server);
            go.countDown();
            assertEquals("1 interrupts", seen());
            assertTrue(seen() instanceof IOException);
        }
    }

    @Test
    void theConnectionIsResetIfAnHttp10ResponseWithoutALengthIsIncomplete() throws Exception {
        Site site = new Site().on("/hang", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().write(ByteBuffer.wrap(new byte[] {'h', 'e', 'l'}), false);
            exchange.response().flush();
            hang();
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("GET /hang HTTP/1.0\r\nHost: x\r\n\r\n");
            exceedTimeLimitTwice(server);
            assertThrows(IOException.class, client::rest);
            go.countDown();
            seen();
        }
    }

    @Test
    void theConnectionStaysOpenIfAHangingCallHasSentItsWholeResponse() throws Exception {
        Site site = new Site().on("/hang", exchange -> {
            Site.text(exchange, "answered");
            hang();
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("GET /hang HTTP/1.1\r\nHost: x\r\n\r\n" + GET_A);
            assertEquals("answered", client.answer().body());
            exceedTimeLimitTwice(server);
            go.countDown();
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    @Test
    void theTimeLimitAppliesToTasksPassedToExecuteAndToResume() throws Exception {
        BlockingQueue<Exchange> open = new LinkedBlockingQueue<>();
        Site site = new Site().on("/open", open::add);
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = open.poll(60, TimeUnit.SECONDS);
            assertNotNull(exchange);
            exchange.execute(() -> {
                inside.release();
                seen.add(assertThrows(InterruptedException.class, go::await));
            });
            exceedTimeLimit(server);
            seen();
            assertTrue(exchange.isOverdue());
            exchange.resume(this::hang);
            exceedTimeLimitTwice(server);
            assertEquals(503, client.answer().status());
            go.countDown();
            seen();
        }
    }

    /**
     * The server interrupts the worker shortly before the call ends, while the call ends, or shortly after the call has ended. The same
     * worker serves the next request, which must not be interrupted.
     */
    @Test
    void aLateInterruptNeverReachesTheNextRequest() throws Exception {
        int time = 20;
        Site site = new Site()
                .on("/near", exchange -> {
                    long end = System.nanoTime() + Duration.ofMillis(time).toNanos();
                    while (System.nanoTime() < end) {
                        Thread.onSpinWait();
                    }
                    Site.text(exchange, "near");
                })
                .on("/next", exchange -> {
                    boolean clean = true;
                    for (int i = 0; i < 1000; i++) {
                        clean &= !Thread.currentThread().isInterrupted();
                    }
                    boolean own = exchange.isOverdue(); // true if this call itself has exceeded its time limit
                    Site.text(exchange, clean || own ? "clean" : "interrupted");
                });
        try (WireServer server = WireServer.with(new WireConfig().workers(1).serviceTimeout(time), site)) {
            // On a busy machine, the server can give up some calls. It is also possible that no call exceeds its time
            // limit for a while. So the test is repeated.
            int judged = 0;
            while (judged < 60 || server.counters.value(Counter.SERVICE_TIMEOUTS) == 0) {
                try (RawClient client = server.connect();
                        RawClient other = server.connect()) {
                    client.send("GET /near HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
                    other.send("GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
                    for (Answer next : List.of(second(client), other.answer())) {
                        // If the status is not 200, the machine was so busy that the server gave up the call.
                        if (next.status() == 200) {
                            assertEquals("clean", next.body());
                            judged++;
                        }
                    }
                }
            }
        }
    }

    /**
     * Returns the response to the second of two requests. If the first response has an error status, returns the first response. If the
     * connection ends too early, returns a placeholder with status 503.
     */
    private static Answer second(RawClient client) throws IOException {
        try {
            Answer first = client.answer();
            return first.status() == 200 ? client.answer() : first;
        } catch (EOFException e) {
            return new Answer("HTTP/1.1 503 cut off", List.of(), "", List.of());
        }
    }

    /**
     * If the interrupt status of a thread is set, the JDK closes each file channel that the thread uses. The file must arrive nevertheless.
     */
    @ParameterizedTest
    // The value 0 means no time limit: the worker can send the file. With a limit, the reactor sends the file.
    @ValueSource(ints = {0, 60_000})
    void aFileIsSentCompletelyEvenIfTheCallIsInterrupted(int serviceTimeout, @TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[300_000]);
        Site site = new Site().on("/file", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 300_000));
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
            Thread.currentThread().interrupt();
            exchange.response().write(file, 0, 300_000, true);
        });
        try (WireServer server = WireServer.with(config().serviceTimeout(serviceTimeout), site);
                RawClient client = server.connect()) {
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            Answer answer = client.answer();
            assertEquals(200, answer.status());
            assertEquals(300_000, answer.body().length());
        }
    }

    /**
     * The application writes its file after the server has given up the call. The server has already sent a response with status 503. No
     * byte of the file may follow this response.
     */
    @Test
    void aFileIsClosedAndNotSentIfItIsWrittenAfterTheServerHasGivenUpTheCall(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[300_000]);
        Site site = new Site().on("/file", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 300_000));
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
            hang();
            Thread.currentThread().interrupt();
            assertThrows(IOException.class, () -> exchange.response().write(file, 0, 300_000, true));
            seen.add(file.isOpen());
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            exceedTimeLimitTwice(server);
            Answer answer = client.answer();
            assertEquals(503, answer.status());
            assertEquals("503 Service Unavailable\n", answer.body());
            go.countDown();
            assertEquals("1 interrupts", seen());
            assertEquals(false, seen());
            assertEquals("", client.rest());
        }
    }
}
