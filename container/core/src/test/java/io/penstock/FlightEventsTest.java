package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.flight.Flight;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the events that the server writes into a recording of Java Flight Recorder. */
class FlightEventsTest {
    private static final String REQUEST = "io.penstock.Request";
    private static final String STALL = "io.penstock.Stall";

    @TempDir
    Path folder;

    /** Answers with the body of the request. If the request has no query, the servlet first waits until the test opens a latch. */
    private static final class Answering extends HttpServlet {
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch leave = new CountDownLatch(1);

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getQueryString() == null) {
                entered.countDown();
                try {
                    leave.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            response.getOutputStream().write(request.getInputStream().readAllBytes());
        }
    }

    private final Answering servlet = new Answering();

    private Penstock.Builder server() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/app", context -> context.servlet("answering", servlet, "/a"));
    }

    private List<RecordedEvent> events(Recording recording, String name) throws IOException {
        Path file = folder.resolve(name + ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    /** Returns whether a worker waits for its client. */
    private static boolean workerWaitsForClient() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().contains("worker-"))
                .filter(thread -> thread.getKey().getState() == Thread.State.WAITING
                        || thread.getKey().getState() == Thread.State.TIMED_WAITING)
                .anyMatch(thread -> Stream.of(thread.getValue())
                        .anyMatch(frame -> frame.getClassName().equals(Answering.class.getName())));
    }

    /** Returns the event of the slowest request. A busy machine can slow down several requests, so there can be several events. */
    private Optional<RecordedEvent> slowest(Recording recording) throws IOException {
        return events(recording, REQUEST).stream()
                .filter(event -> event.getDuration("service").toMillis() >= 50)
                .max(Comparator.comparing(event -> event.getDuration("service")));
    }

    @Test
    void aSlowRequestIsRecordedWithItsQueueAndServiceTimes() throws Exception {
        try (Recording recording = new Recording();
                Penstock server = server().start()) {
            recording.enable(REQUEST).withThreshold(Duration.ofMillis(50));
            recording.start();
            RawExchange.get(server, "/app/a?quick=secret");
            long sent = System.nanoTime();
            Thread releasing = new Thread(() -> {
                await().until(() -> servlet.entered.getCount() == 0);
                // The test expects that the request was in the queue for a shorter time than in the servlet. The
                // request was in the queue for at most the time since it was sent. So the servlet waits for 100 ms
                // more than this time.
                Duration queued = Duration.ofNanos(System.nanoTime() - sent);
                await().pollDelay(queued.plusMillis(100)).until(() -> true);
                servlet.leave.countDown();
            });
            releasing.start();
            RawExchange.get(server, "/app/a");
            RawExchange.get(server, "/app/a?quick=secret");
            releasing.join();
            await().until(() -> slowest(recording).isPresent());
            RecordedEvent event = slowest(recording).orElseThrow();
            assertEquals("/app/a", event.getString("path"));
            assertEquals("GET", event.getString("method"));
            assertEquals("answered", event.getString("outcome"));
            assertEquals(200, event.getInt("status"));
            assertTrue(event.getDuration().toMillis() >= 50, event::toString);
            assertTrue(event.getDuration("service").toMillis() >= 50, event::toString);
            assertTrue(
                    event.getDuration("queue").toMillis()
                            < event.getDuration("service").toMillis(),
                    event::toString);
            assertTrue(event.getString("id").matches("c[0-9]+-1"), event::toString);
            assertTrue(event.getLong("bytesOut") > 0, event::toString);
        }
    }

    @Test
    void theRecordingContainsRefusalsAndTimeoutsAndBodiesWrittenToDisk() throws Exception {
        try (Recording recording = new Recording();
                Penstock server = server().set("head-timeout", "3s")
                        .set("pipe-capacity", "64K")
                        .start()) {
            recording.start();
            RawExchange.get(server, "/elsewhere");
            RawExchange.of(server, "GET /a HTTP/1.1\r\n");
            String body = "x".repeat(300_000);
            RawExchange answer = RawExchange.of(
                    server,
                    "POST /app/a?x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 300000\r\n\r\n" + body);
            assertEquals(200, answer.status());
            await().until(() -> !events(recording, "io.penstock.Spill").isEmpty());
            List<String> refusals = events(recording, "io.penstock.Refusal").stream()
                    .map(event -> event.getInt("status") + " " + event.getString("reason"))
                    .toList();
            assertEquals(List.of("404 admission", "408 head-timeout"), refusals);
            assertEquals(
                    List.of("head-timeout"),
                    events(recording, "io.penstock.Timeout").stream()
                            .map(event -> event.getString("timeout"))
                            .toList());
            RecordedEvent spill = events(recording, "io.penstock.Spill").get(0);
            assertEquals("request", spill.getString("side"));
            assertTrue(spill.getLong("bytes") > 0, spill::toString);
        }
    }

    @Test
    void aStalledRequestIsRecordedWithItsWorkerThread() throws Exception {
        servlet.leave.countDown();
        try (Recording recording = new Recording();
                Penstock server = server().set("streaming-paths", "/app/*").start();
                Socket client = new Socket("127.0.0.1", server.port())) {
            recording.enable(STALL).withThreshold(Duration.ofMillis(50));
            recording.start();
            OutputStream out = client.getOutputStream();
            out.write("POST /app/a HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n1"
                    .getBytes(StandardCharsets.US_ASCII));
            await().until(FlightEventsTest::workerWaitsForClient);
            await().pollDelay(Duration.ofMillis(100)).until(() -> true);
            out.write('2');
            assertTrue(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .endsWith("\r\n\r\n12"));
            await().until(() -> events(recording, STALL).size() == 1);
            RecordedEvent stall = events(recording, STALL).get(0);
            assertEquals("request", stall.getString("side"));
            assertEquals("/app/a", stall.getString("path"));
            assertTrue(stall.getString("id").matches("c[0-9]+-1"), stall::toString);
            assertTrue(stall.getDuration().toMillis() >= 50, stall::toString);
            assertTrue(stall.getThread().getJavaName().startsWith("worker-"), stall::toString);
        }
    }

    @Test
    void requestsAreObservedOnlyDuringARecording() {
        ConnectionEvents flight = Flight.recorder().orElseThrow();
        assertTrue(flight.followsRequests());
        assertFalse(flight.followsNow());
        try (Recording recording = new Recording()) {
            recording.enable(REQUEST);
            assertFalse(flight.followsNow());
            recording.start();
            assertTrue(flight.followsNow());
            recording.stop();
            assertFalse(flight.followsNow());
        }
    }

    @Test
    void flightEventsCanBeTurnedOff() throws Exception {
        servlet.leave.countDown();
        try (Recording recording = new Recording();
                Penstock server = server().set("flight", "off").start()) {
            recording.enable(REQUEST).withoutThreshold();
            recording.start();
            RawExchange.get(server, "/app/a");
            RawExchange.get(server, "/elsewhere");
            assertEquals(List.of(), events(recording, REQUEST));
            assertEquals(List.of(), events(recording, "io.penstock.Refusal"));
        }
    }
}
