package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ServerTiming;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** If the operator has enabled the field Server-Timing, each response of a worker has this field. It contains the times of the request. */
final class ServerTimingTest {
    private static final Pattern VALUE = Pattern.compile(
            "head;dur=([0-9]+\\.[0-9]{3}), body;dur=([0-9]+\\.[0-9]{3}), queue;dur=([0-9]+\\.[0-9]{3}), service;dur=([0-9]+\\.[0-9]{3})");
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private static double[] timing(Answer answer) {
        String value = answer.field("Server-Timing");
        Matcher matcher = VALUE.matcher(value);
        assertTrue(matcher.matches(), value);
        double[] millis = new double[4];
        for (int i = 0; i < millis.length; i++) {
            millis[i] = Double.parseDouble(matcher.group(i + 1));
        }
        return millis;
    }

    @Test
    void theServerTimingFieldContainsTheTimesOfHeadAndBodyAndQueueAndService() throws Exception {
        long pause = TimeUnit.MILLISECONDS.toNanos(30);
        CountDownLatch free = new CountDownLatch(1);
        Site site = new Site()
                .on("/hold", exchange -> {
                    free.await();
                    Site.echo(exchange);
                })
                .on("/busy", exchange -> {
                    long until = System.nanoTime() + pause;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    Site.echo(exchange);
                });
        try (WireServer server = WireServer.with(new WireConfig().workers(1).serverTiming(), site);
                RawClient holder = server.connect();
                RawClient client = server.connect()) {
            server.settle(); // a round of the reactor reads the clock once: no round that began earlier reads these
            // requests
            long began = System.nanoTime();
            holder.send("GET /hold HTTP/1.1\r\nHost: x\r\n\r\n");
            client.send("POST /busy HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
            server.settle();
            client.send("b");
            server.settle();
            free.countDown();
            assertEquals(200, holder.answer().status());
            double[] millis = timing(client.answer());
            double elapsed = (System.nanoTime() - began) / 1e6;
            assertTrue(millis[1] > 0 && millis[2] > 0, () -> Arrays.toString(millis));
            assertTrue(millis[3] >= 30, () -> Arrays.toString(millis));
            assertTrue(millis[0] + millis[1] + millis[2] + millis[3] <= elapsed, () -> Arrays.toString(millis));
        }
    }

    @Test
    void noServerTimingFieldIsSentByDefault() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send(GET);
            assertEquals("", client.answer().field("Server-Timing"));
        }
    }

    @Test
    void aResponseOfTheReactorHasNoServerTimingField() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().serverTiming());
                RawClient client = server.connect()) {
            client.send("GET /refused HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("", client.answer().field("Server-Timing"));
            client.send(GET);
            assertFalse(client.answer().field("Server-Timing").isEmpty());
        }
    }

    @Test
    void theServerTimingFieldsOfTheApplicationAndOfTheServerAreSent() throws Exception {
        Site site = new Site().on("/timed", exchange -> {
            Fields own = new FieldList().add("Server-Timing", "db;dur=5");
            exchange.response().head(new ResponseHead(200, own, 0));
            exchange.response().write(ByteBuffer.allocate(0), true);
        });
        try (WireServer server = WireServer.with(new WireConfig().serverTiming(), site);
                RawClient client = server.connect()) {
            client.send("GET /timed HTTP/1.1\r\nHost: x\r\n\r\n");
            List<String> lines = client.answer().fields().stream()
                    .filter(line -> line.startsWith("Server-Timing: "))
                    .toList();
            assertEquals("Server-Timing: db;dur=5", lines.get(0));
            assertTrue(lines.get(1).startsWith("Server-Timing: head;dur="), lines::toString);
            assertEquals(2, lines.size());
        }
    }

    private static String line(@Nullable ServerTiming timing) {
        ByteBuffer out = ByteBuffer.allocate(200);
        HeadWriter.serverTiming(out, timing);
        return new String(out.array(), 0, out.position(), StandardCharsets.US_ASCII);
    }

    @Test
    void timesAreInMillisecondsWithThreeDecimalPlaces() {
        assertEquals(
                "Server-Timing: head;dur=0.000, body;dur=0.001, queue;dur=12.345, service;dur=5000.010\r\n",
                line(new ServerTiming(1, 1_999, 12_345_678, 5_000_010_000L)));
    }

    @Test
    void theTimesOfBodyAndQueueAndServiceAreOmittedIfTheyAreZero() {
        assertEquals(
                "Server-Timing: head;dur=0.105, service;dur=0.020\r\n", line(new ServerTiming(105_000, 0, 0, 20_000)));
        assertEquals("", line(null));
    }
}
