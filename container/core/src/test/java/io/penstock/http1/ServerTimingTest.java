package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Clients are told where the time of their requests went, if the operator wants it. */
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
    void eachStageUntilTheHeadOfTheResponse() throws Exception {
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
    void nothingIsToldUnlessTheOperatorWantsIt() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send(GET);
            assertEquals("", client.answer().field("Server-Timing"));
        }
    }

    @Test
    void whatNoWorkerAnsweredSaysNothing() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().serverTiming());
                RawClient client = server.connect()) {
            client.send("GET /refused HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("", client.answer().field("Server-Timing"));
            client.send(GET);
            timing(client.answer());
        }
    }

    @Test
    void whatTheApplicationSaysStands() {
        Fields given = new FieldList().add("Server-Timing", "db;dur=5").add("X-Other", "1");
        ResponseHead timed = ServerTiming.added(new ResponseHead(200, given, 7), 1, 1_999, 12_345_678, 5_000_000_000L);
        assertEquals("db;dur=5", timed.fields().value(0));
        assertEquals("X-Other", timed.fields().name(1));
        assertEquals(
                "head;dur=0.000, body;dur=0.001, queue;dur=12.345, service;dur=5000.000",
                timed.fields().value(2));
        assertEquals(3, timed.fields().size());
        assertEquals(7, timed.contentLength());
        assertFalse(given.size() == 3, "the application's own fields are left alone");
    }
}
