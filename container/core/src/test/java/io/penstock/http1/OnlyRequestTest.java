package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests clients that send only one request, with {@code Connection: close}. For a short time after the request, the selector does not watch
 * the socket of such a client. The server must still list the connection, detect a reset, and send the whole response.
 */
final class OnlyRequestTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final int LARGE = 8 << 20;

    private final CountDownLatch runs = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);

    private Site blocking() {
        return new Site().on("/a", exchange -> {
            runs.countDown();
            go.await(60, TimeUnit.SECONDS);
            Site.echo(exchange);
        });
    }

    private static void writeLargeBody(Exchange exchange) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, LARGE));
        exchange.response().write(ByteBuffer.allocate(LARGE), true);
    }

    @Test
    void theConnectionIsListedAsRunningDuringTheRequest() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), blocking());
                RawClient client = server.connect()) {
            client.send(GET);
            runs.await();
            assertEquals(1, server.transport.list().counts().get(ConnectionState.RUNNING));
            go.countDown();
            assertEquals(200, client.answer().status());
            await().until(() -> server.transport.list().connections().isEmpty());
        }
    }

    @Test
    void aResetByTheClientDuringTheRequestClosesTheConnection() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), blocking())) {
            RawClient client = server.connect();
            client.send(GET);
            runs.await();
            client.reset();
            assertTrue(server.events.awaitClosed(client).startsWith("client-reset"));
            go.countDown();
        }
    }

    @Test
    void aClientThatReadsSlowlyGetsTheWholeResponse() throws Exception {
        Site site = new Site().on("/a", OnlyRequestTest::writeLargeBody);
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET);
            server.awaitHeld();
            assertEquals(LARGE, client.answer().body().length());
            assertEquals("request-close", server.events.awaitClosed(client));
        }
    }

    @Test
    void aStoppingServerCompletesTheRunningRequest() throws Exception {
        WireServer server = WireServer.with(new WireConfig(), blocking());
        try (RawClient client = server.connect()) {
            client.send(GET);
            runs.await();
            server.transport.closeConnections();
            go.countDown();
            assertEquals("GET /a\n", client.answer().body());
            assertEquals("", client.rest());
        } finally {
            server.close();
        }
    }
}
