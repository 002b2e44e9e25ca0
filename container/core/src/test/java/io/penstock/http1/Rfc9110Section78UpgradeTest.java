package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.exchange.RawConnection;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests upgrades to another protocol (RFC 9110 section 7.8). A handler declines an upgrade if it sends an ordinary response. */
final class Rfc9110Section78UpgradeTest {
    private final BlockingQueue<RawEcho> echoes = new LinkedBlockingQueue<>();
    private final Site site = new Site().on("/up", RawEcho.switching(this::echo));

    private RawEcho echo(Exchange exchange) {
        RawEcho echo = new RawEcho(exchange);
        echoes.add(echo);
        return echo;
    }

    private RawEcho nextEcho() throws InterruptedException {
        RawEcho echo = echoes.poll(60, TimeUnit.SECONDS);
        assertTrue(echo != null, "no connection was upgraded");
        return echo;
    }

    private static void assertCalls(RawEcho echo, String... calls) throws InterruptedException {
        for (String expected : calls) {
            assertEquals(expected, echo.calls.poll(60, TimeUnit.SECONDS));
        }
    }

    private static void assertSwitched(Answer answer) {
        assertEquals("HTTP/1.1 101 Switching Protocols", answer.statusLine());
        assertEquals("Upgrade", answer.field("Connection"));
        assertEquals("echo", answer.field("Upgrade"));
        assertFalse(answer.has("Content-Length"));
        assertFalse(answer.has("Transfer-Encoding"));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    // ---- bytes

    @Test
    void bytesAfterTheRequestHeadBelongToTheNewProtocolForEachSplitOfTheInput() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onNewConnections(server, RawEcho.REQUEST + "GET / HTTP/1.1\r\n\r\n", client -> {
                assertSwitched(client.answer());
                assertEquals("GET / HTTP/1.1\r\n\r\n", text(client.exactly(18)));
                client.send("more");
                assertEquals("more", text(client.exactly(4)));
            });
        }
    }

    @Test
    void theRequestBodyDoesNotBelongToTheNewProtocol() throws Exception {
        Site reading = new Site().on("/up", exchange -> {
            assertEquals("hello", text(Site.readAll(exchange)));
            RawEcho.switching(this::echo).handle(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig(), reading)) {
            String request =
                    RawEcho.REQUEST.replace("GET", "POST").replace("\r\n\r\n", "\r\nContent-Length: 5\r\n\r\n");
            Cuts.onNewConnections(server, request + "helloraw", client -> {
                assertSwitched(client.answer());
                assertEquals("raw", text(client.exactly(3)));
            });
        }
    }

    @Test
    void bytesBeyondTheCapacityOfTheInputBufferAreNotLost() throws Exception {
        String much = "0123456789".repeat(100_000);
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            Thread sender = new Thread(() -> {
                try {
                    client.send(RawEcho.REQUEST + much);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            sender.start();
            assertSwitched(client.answer());
            assertEquals(much, text(client.exactly(much.length())));
            sender.join();
        }
    }

    @Test
    void theResponseToAPipelinedUpgradeIsSentAfterTheEarlierResponse() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n" + RawEcho.REQUEST + "raw");
            assertEquals("GET /a\n", client.answer().body());
            assertSwitched(client.answer());
            assertEquals("raw", text(client.exactly(3)));
        }
    }

    // ---- requests that do not upgrade the connection

    @Test
    void theNextRequestIsServedAfterTheHandlerHasDeclinedAnUpgrade() throws Exception {
        String get = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n\r\n";
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onOneConnection(server, get + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nb", client -> {
                assertEquals("GET /a\n", client.answer().body());
                assertEquals("POST /b\nb", client.answer().body());
            });
        }
    }

    @Test
    void aHalfClosedClientGetsTheResponseToADeclinedUpgradeAndTheConnectionEnds() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST.replace("/up", "/a")).halfClose();
            assertEquals("GET /a\n", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void theConnectionEndsIfTheResponseToADeclinedUpgradeHasConnectionClose() throws Exception {
        Site closing = new Site().on("/up", exchange -> {
            exchange.response().head(new ResponseHead(200, new FieldList().add("Connection", "close"), 2));
            exchange.response().write(ByteBuffer.wrap("ok".getBytes(StandardCharsets.ISO_8859_1)), true);
        });
        try (WireServer server = WireServer.with(new WireConfig(), closing)) {
            try (RawClient client = server.connect()) {
                client.send(RawEcho.REQUEST);
                assertEquals("ok", client.answer().body());
                assertEquals("", client.rest());
            }
            server.events.awaitClosed(1);
        }
    }

    @Test
    void anUpgradeRequiresTheUpgradeFieldAndTheConnectionOptionAndHttp11() throws Exception {
        Site reporting = new Site().on("/upgradable", exchange -> Site.text(exchange, "" + exchange.isUpgradable()));
        try (WireServer server = WireServer.with(new WireConfig(), reporting);
                RawClient client = server.connect();
                RawClient old = server.connect()) {
            client.send("GET /upgradable HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n");
            assertEquals("true", client.answer().body());
            client.send("GET /upgradable HTTP/1.1\r\nHost: x\r\nUpgrade: a\r\n\r\n");
            assertEquals("false", client.answer().body());
            client.send("GET /upgradable HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\n\r\n");
            assertEquals("false", client.answer().body());
            old.send("GET /upgradable HTTP/1.0\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: a\r\n\r\n");
            assertEquals("false", old.answer().body());
        }
    }

    @Test
    void theNextRequestIsServedAfterAnUpgradeRequestIsRefusedWith404() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST.replace("/up", "/refused") + "GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(404, client.answer().status());
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    @Test
    void theConnectionEndsAfterAResponseWithStatus101IfNoUpgradeHandlerIsSet() throws Exception {
        Site site101 = new Site().on("/up", exchange -> {
            exchange.response().head(new ResponseHead(101, new FieldList().add("Upgrade", "echo"), -1));
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site101);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST + "raw");
            assertSwitched(client.answer());
            assertEquals("", client.rest());
        }
    }

    @Test
    void theFieldUpgradeIsSentWithItsConnectionOptionAlsoWithoutAnUpgrade() throws Exception {
        Site required = new Site().on("/up", exchange -> {
            exchange.response().head(new ResponseHead(426, new FieldList().add("Upgrade", "echo"), 0));
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig(), required);
                RawClient client = server.connect()) {
            client.send("GET /up HTTP/1.1\r\nHost: x\r\n\r\n");
            Answer answer = client.answer();
            assertEquals("HTTP/1.1 426 Upgrade Required", answer.statusLine());
            assertEquals("echo", answer.field("Upgrade"));
            assertEquals("Upgrade", answer.field("Connection"));
        }
    }

    // ---- the end of an upgraded connection

    @Test
    void aHalfClosedClientGetsTheLastBytesAndTheUpgradeEnds() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST + "last words").halfClose();
            assertSwitched(client.answer());
            assertEquals("last words", client.rest());
            assertCalls(nextEcho(), "begun", "end", "ended");
        }
    }

    @Test
    void aResetByTheClientEndsTheUpgradeExactlyOnce() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertSwitched(client.answer());
            RawEcho echo = nextEcho();
            assertCalls(echo, "begun");
            client.reset();
            assertCalls(echo, "failed", "ended");
            assertEquals(0, echo.calls.size());
        }
    }

    @Test
    void theEndOfTheOutputIsSentAfterAllBytesAndTheInputStaysOpen() throws Exception {
        BlockingQueue<String> read = new LinkedBlockingQueue<>();
        Site half = new Site().on("/up", RawEcho.switching(exchange -> new RawEcho(exchange) {
            @Override
            public void begin(RawConnection connection) {
                try {
                    connection.output().write(ByteBuffer.wrap(new byte[300_000]), false);
                    connection.output().finish(Fields.EMPTY);
                    byte[] buffer = new byte[100];
                    for (int n = 0; n >= 0; n = connection.input().read(buffer, 0, 100)) {
                        read.add(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                    }
                    read.add("end");
                } catch (IOException e) {
                    read.add(e.toString());
                }
            }
        }));
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), half);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertSwitched(client.answer());
            assertEquals(300_000, client.rest().length());
            client.send("still heard");
            List<String> all = new ArrayList<>();
            await().until(() -> {
                read.drainTo(all);
                return String.join("", all).equals("still heard");
            });
            client.halfClose();
            assertEquals("end", read.poll(60, TimeUnit.SECONDS));
            server.events.awaitClosed(1);
        }
    }

    @Test
    void anExceptionInTheUpgradeHandlerEndsTheConnection() throws Exception {
        Site failing = new Site().on("/up", RawEcho.switching(exchange -> new RawEcho(exchange) {
            @Override
            public void begin(RawConnection connection) {
                throw new IllegalStateException("on purpose");
            }
        }));
        try (WireServer server = WireServer.with(new WireConfig(), failing);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            server.events.awaitFailed(1);
            server.events.awaitClosed(1);
        }
    }

    // ---- the upgrade in the dump and in the events

    @Test
    void theUpgradeIsReportedInTheDumpAndInTheEvents() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertSwitched(client.answer());
            await().until(() -> server.transport
                    .dump()
                    .lines()
                    .anyMatch(line -> line.matches("  c1 +upgraded .* c1-1 GET /up upgraded to echo")));
            await().until(() -> server.events.upgraded().equals(List.of("c1 echo")));
        }
    }
}
