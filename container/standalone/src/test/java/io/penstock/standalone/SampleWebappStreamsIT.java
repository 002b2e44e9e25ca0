package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests long-running responses of the sample web application. The tests request more of these responses at the same time than the server
 * has workers.
 */
class SampleWebappStreamsIT {
    private static final int MANY = 12 * SampleServer.WORKERS;
    private static final Pattern TICK = Pattern.compile("data: \\{\"time\":\"([0-9TZ:-]+)\",\"watchers\":([0-9]+)\\}");

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    private static SampleServer server;

    @BeforeAll
    static void startServer() throws Exception {
        server = SampleServer.start();
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    @Test
    void theClockSendsTheTimeAgainAndAgain() throws Exception {
        HttpResponse<InputStream> response = get("/clock");
        assertEquals("text/event-stream", contentTypeWithoutParameters(response));
        try (BufferedReader events = reader(response)) {
            Instant time = nextTick(events).time();
            for (int i = 0; i < 2; i++) {
                // The clock sends the time each second, without fractions. On a busy machine, an event can be late.
                Instant next = nextTick(events).time();
                assertTrue(!next.isBefore(time), () -> next + " was sent after an earlier time");
                time = next;
            }
        }
    }

    @Test
    void anotherRequestIsServedWhileManyClientsReceiveTheClock() throws Exception {
        List<BufferedReader> watchers = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                watchers.add(reader(get("/clock")));
            }
            BufferedReader last = watchers.get(MANY - 1);
            Tick tick = nextTick(last);
            while (tick.watchers() < MANY) {
                tick = nextTick(last);
            }
            assertEquals(200, get("/hello").statusCode());
        } finally {
            for (BufferedReader watcher : watchers) {
                watcher.close();
            }
        }
    }

    @Test
    void theNumberOfWatchersDecreasesWhenAClientDisconnects() throws Exception {
        try (BufferedReader staying = reader(get("/clock"))) {
            BufferedReader going = reader(get("/clock"));
            int together = 0;
            while (together < 2) {
                together = nextTick(staying).watchers();
            }
            going.close();
            int left = together;
            while (left >= together) {
                left = nextTick(staying).watchers();
            }
        }
    }

    @Test
    void theSlowTextIsCompleteAndHasPausesBetweenTheParagraphs() throws Exception {
        long start = System.nanoTime();
        String text = body(get("/slow-text?paragraphs=20&pause=10"));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        String[] paragraphs = text.split("\n\n", -1);
        assertEquals(21, paragraphs.length);
        for (int i = 0; i < 20; i++) {
            assertTrue(paragraphs[i].stripLeading().startsWith(i + 1 + "  "), paragraphs[i]);
        }
        assertTrue(took.compareTo(Duration.ofMillis(190)) >= 0, () -> "duration of the slow text: " + took);
    }

    @Test
    void anotherRequestIsServedWhileManySlowTextsAreSent() throws Exception {
        List<HttpResponse<InputStream>> texts = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            texts.add(get("/slow-text?paragraphs=10&pause=100"));
        }
        assertEquals(200, get("/hello").statusCode());
        for (HttpResponse<InputStream> text : texts) {
            assertEquals(11, body(text).split("\n\n", -1).length);
        }
    }

    /** One client resets its connection while a thread of the application still writes the text for this client. */
    @Test
    void aResetByAClientDoesNotAffectTheTextOfAnotherClient() throws Exception {
        for (int i = 0; i < 60; i++) {
            resetConnectionDuringSlowText();
            assertEquals(5, body(get("/slow-text?paragraphs=4&pause=10")).split("\n\n", -1).length);
        }
    }

    private static void resetConnectionDuringSlowText() throws IOException {
        URI url = URI.create(server.url() + "/slow-text?paragraphs=500&pause=10");
        try (Socket client = new Socket(url.getHost(), url.getPort())) {
            String request = "GET " + url.getPath() + "?" + url.getQuery() + " HTTP/1.1\r\nHost: here\r\n\r\n";
            client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            assertEquals(2000, client.getInputStream().readNBytes(2000).length);
            client.setSoLinger(true, 0);
        }
    }

    @Test
    void aRequestBodyOfUnknownLengthIsEchoed() throws Exception {
        byte[] body = "drop after drop ".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + "/echo-body"))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(body)))
                .build();
        HttpResponse<String> response = CLIENT.send(request, BodyHandlers.ofString(StandardCharsets.US_ASCII));
        assertEquals(200, response.statusCode());
        assertEquals(new String(body, StandardCharsets.US_ASCII), response.body());
    }

    private record Tick(Instant time, int watchers) {}

    private static Tick nextTick(BufferedReader events) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            Matcher tick = TICK.matcher(line);
            if (tick.matches()) {
                return new Tick(Instant.parse(tick.group(1)), Integer.parseInt(tick.group(2)));
            }
        }
        throw new IOException("the stream of clock events has ended");
    }

    private static HttpResponse<InputStream> get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.url() + path))
                .timeout(PATIENCE)
                .build();
        return CLIENT.send(request, BodyHandlers.ofInputStream());
    }

    private static String body(HttpResponse<InputStream> response) throws IOException {
        try (InputStream body = response.body()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static BufferedReader reader(HttpResponse<InputStream> response) {
        return new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
    }

    private static String contentTypeWithoutParameters(HttpResponse<?> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        return type.replaceFirst(";.*", "");
    }
}
