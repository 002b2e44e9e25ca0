package io.penstock.server;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.metrics.Gauge;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the dump of a running server shows connections, workers and gauges. */
final class ServerDumpTest {
    private final CountDownLatch leave = new CountDownLatch(1);
    private final Site site = new Site()
            .on("/wait", exchange -> {
                waitInTheApplication();
                Site.echo(exchange);
            })
            .on("/large", exchange -> Site.text(exchange, "x".repeat(1 << 20)));

    private void waitInTheApplication() throws InterruptedException {
        leave.await();
    }

    /** Waits until a line of the dump matches the pattern. */
    private static void awaitLine(WireServer server, String pattern) {
        await().until(() -> server.transport.dump().lines().anyMatch(line -> line.matches(pattern)));
    }

    /**
     * Waits for a dump that starts with {@code firstLine}. On a busy machine, a reactor (a selector thread) may not reply in time. The dump
     * then lacks the connections of this reactor.
     */
    private static String awaitDump(WireServer server, String firstLine) {
        return await().until(server.transport::dump, dump -> dump.startsWith(firstLine));
    }

    private static long level(WireServer server, Gauge gauge) {
        return server.transport.gauges().value(gauge);
    }

    private static void awaitLevel(WireServer server, Gauge gauge, long value) {
        await().until(() -> level(server, gauge) == value);
    }

    @Test
    void theDumpShowsTheStateOfEachConnection() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).sendBuffer(4096), site);
                RawClient idle = server.connect()) {
            idle.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, idle.answer().status());
            awaitLine(server, "  c1 +idle .* 0 +0 +0 +0 +");
            try (RawClient draining = server.connectWithReceiveBuffer(4096);
                    RawClient head = server.connect();
                    RawClient body = server.connect();
                    RawClient running = server.connect();
                    RawClient queued = server.connect()) {
                draining.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
                awaitLine(server, "  c2 +draining .* 0 +0 +\\d+ +[1-9]\\d* +");
                head.send("GET /a HTTP/1.1\r\nHost");
                awaitLine(server, "  c3 +head .*");
                body.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
                awaitLine(server, "  c4 +body .* 3 +0 +0 +0 +c4-1 POST /a");
                running.send("GET /wait?secret HTTP/1.1\r\nHost: x\r\n\r\n");
                awaitLine(server, "  c5 +running .* 0 +0 +0 +0 +c5-1 GET /wait");
                queued.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
                awaitLine(server, "  c6 +queued .* c6-1 GET /b");
                awaitLine(server, "1 of 1 workers busy, 1 waiting, 1 started");
                String dump = awaitDump(server, "6 connections:\n");
                assertTrue(dump.contains("1 of 1 workers busy, 1 waiting, 1 started\n  worker-1 for "), dump);
                assertTrue(dump.contains(" s: c5-1 GET /wait\n"), dump);
                assertTrue(dump.contains(ServerDumpTest.class.getName() + ".waitInTheApplication("), dump);
                assertFalse(dump.contains("secret"), dump);
                leave.countDown();
                assertEquals(200, running.answer().status());
                assertEquals(200, queued.answer().status());
                assertEquals(1 << 20, draining.answer().body().length());
            }
        }
    }

    @Test
    void theDumpShowsAllRequestsOfAConnection() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient client = server.connect()) {
            client.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\nGET /b?secret HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
            String others = "and c1-2 GET /b\n             and c1-3 POST /c\n";
            String dump = await().until(server.transport::dump, text -> text.contains(others));
            assertTrue(dump.contains("  c1-1 GET /wait\n             " + others), dump);
            leave.countDown();
            client.send("defghi");
            for (String line : List.of("GET /wait", "GET /b", "POST /c")) {
                assertTrue(client.answer().body().startsWith(line));
            }
        }
    }

    @Test
    void theDumpAndTheGaugesShowARequestBodyOnDisk() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 300001\r\n\r\n" + "x".repeat(300_000));
            awaitLine(server, "  c1 +body .* \\d+ +[1-9]\\d* +0 +0 +c1-1 POST /a");
            assertTrue(level(server, Gauge.SPOOL_BYTES) > 0);
            awaitLevel(server, Gauge.SPOOL_FILES_OPEN, 1);
            client.send("x");
            assertEquals(200, client.answer().status());
            awaitLevel(server, Gauge.SPOOL_BYTES, 0);
            awaitLevel(server, Gauge.SPOOL_FILES_OPEN, 0);
            awaitLine(server, "  c1 +idle .* 0 +0 +0 +0 +");
        }
    }

    @Test
    void theGaugesShowTheConnectionsAndTheWorkersAndTheBufferedBytes() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient running = server.connect();
                RawClient queued = server.connect();
                RawClient body = server.connect()) {
            running.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitLevel(server, Gauge.WORKERS_BUSY, 1);
            queued.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
            body.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
            awaitLevel(server, Gauge.QUEUED, 1);
            awaitLevel(server, Gauge.CONNECTIONS_BODY, 1);
            awaitLevel(server, Gauge.CONNECTIONS_RUNNING, 1);
            awaitLevel(server, Gauge.CONNECTIONS_QUEUED, 1);
            assertEquals(3, level(server, Gauge.CONNECTIONS));
            assertEquals(1, level(server, Gauge.WORKERS));
            assertEquals(0, level(server, Gauge.WORKERS_STREAMING));
            assertEquals(server.transport.pool().inUse(), level(server, Gauge.PIPE_BYTES));
            assertTrue(level(server, Gauge.PIPE_BYTES) > 0);
            assertTrue(level(server, Gauge.PIPE_BUDGET) > level(server, Gauge.PIPE_BYTES));
            assertEquals(0, level(server, Gauge.BODIES_STARVING));
            leave.countDown();
            assertEquals(200, running.answer().status());
            assertEquals(200, queued.answer().status());
            awaitLevel(server, Gauge.WORKERS_BUSY, 0);
        }
    }

    /** A worker serves two pipelined requests of a client. The dump must show the time of the current request only. */
    @Test
    void theTimeOfAPipelinedRequestDoesNotIncludeThePreviousRequest() throws Exception {
        Duration first = Duration.ofMillis(700);
        CountDownLatch leaveFirst = new CountDownLatch(1);
        site.on("/first", exchange -> {
            leaveFirst.await();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient client = server.connect()) {
            client.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> secondsOf(server, "c1-1 GET /first") >= first.toMillis() / 1e3);
            long left = System.nanoTime();
            leaveFirst.countDown();
            await().until(() -> {
                double shown = secondsOf(server, "c1-2 GET /wait");
                // The dump rounds the time to tenths of a second.
                double most = (System.nanoTime() - left) / 1e9 + 0.1;
                return shown >= 0 && shown <= most;
            });
            leave.countDown();
            assertEquals(200, client.answer().status());
            assertEquals(200, client.answer().status());
        }
    }

    /** Returns the seconds that the worker has spent on the request, as shown in the dump; -1 if the worker does not run this request. */
    private static double secondsOf(WireServer server, String request) {
        Matcher line =
                Pattern.compile("worker-1 for ([0-9.]+) s: " + request + "\n").matcher(server.transport.dump());
        return line.find() ? Double.parseDouble(line.group(1)) : -1;
    }

    @Test
    void aWorkerIsCountedAsStreamingWhileItReadsAnIncompleteRequestBody() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
            awaitLevel(server, Gauge.WORKERS_STREAMING, 1);
            client.send("b");
            assertEquals(200, client.answer().status());
            awaitLevel(server, Gauge.WORKERS_STREAMING, 0);
        }
    }

    @Test
    void aBlockedReactorDoesNotBlockTheDump() throws Exception {
        CountDownLatch stuck = new CountDownLatch(1);
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void opened(String connection, SocketAddress remote) {
                super.opened(connection, remote);
                try {
                    stuck.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
        try (WireServer server = new WireServer(new WireConfig().toConfig(), site, PATIENCE, events)) {
            try (RawClient client = server.connect()) {
                events.awaitOpened(1);
                String dump;
                try {
                    dump = assertTimeoutPreemptively(PATIENCE, server.transport::dump);
                } finally {
                    // Otherwise the server could not be closed.
                    stuck.countDown();
                }
                assertTrue(dump.contains("  reactor-1 did not answer in time: its connections are missing\n"), dump);
                assertTrue(dump.contains("0 of 4 workers busy"), dump);
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(200, client.answer().status());
            }
        }
    }

    @Test
    void dumpsUnderLoadDoNotAffectRequests() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            List<FutureTask<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                FutureTask<Integer> client = new FutureTask<>(() -> load(server, enough));
                clients.add(client);
                Thread thread = new Thread(client, "client-" + i);
                thread.setDaemon(true);
                thread.start();
            }
            try {
                for (int i = 0; i < 100; i++) {
                    assertTrue(server.transport.dump().contains(" workers busy"));
                }
            } finally {
                enough.set(true);
            }
            for (FutureTask<Integer> client : clients) {
                assertTrue(client.get(PATIENCE.toSeconds(), TimeUnit.SECONDS) > 0);
            }
            assertEquals(List.of(), server.events.failed());
        }
    }

    private static int load(WireServer server, AtomicBoolean enough) throws IOException {
        int answered = 0;
        while (!enough.get()) {
            try (RawClient client = server.connect()) {
                client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc"
                        + "GET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                assertEquals(200, client.answer().status());
                assertEquals(200, client.answer().status());
                answered++;
            }
        }
        return answered;
    }

    @Test
    void aLongPathIsTruncatedInTheDump() throws Exception {
        String path = "/" + "y".repeat(4000);
        site.on(path, exchange -> {
            waitInTheApplication();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitLine(server, "  c1 +running .* c1-1 GET /y{1,200}\\.\\.\\.");
            leave.countDown();
            assertEquals(200, client.answer().status());
        }
    }
}
