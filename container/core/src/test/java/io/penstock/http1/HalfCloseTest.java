package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A client closes only its output. The client must still receive all responses. Then the connection must end. */
final class HalfCloseTest {

    @Test
    void requestsBeforeTheHalfCloseAreAnsweredAndTheConnectionEnds() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onNewConnections(
                    server,
                    "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\n\r\nGET /c HTTP/1.1\r\nHost: x\r\n\r\n",
                    client -> {
                        client.halfClose();
                        assertEquals("GET /a\n", client.answer().body());
                        assertEquals("GET /b\n", client.answer().body());
                        assertEquals("GET /c\n", client.answer().body());
                        assertEquals("", client.rest());
                    });
        }
    }

    @Test
    void aSlowResponseIsSentAfterTheHalfCloseAndTheConnectionEnds() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").halfClose();
            server.settle(); // the server has noticed the half-close, and the handler still runs
            go.countDown();
            assertEquals("slow", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void aPipelinedRefusalIsSentAfterTheHalfCloseAndTheConnectionEnds() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nGET /refused HTTP/1.1\r\nHost: x\r\n\r\n")
                    .halfClose();
            server.settle();
            go.countDown();
            assertEquals("slow", client.answer().body());
            assertEquals(404, client.answer().status());
            assertEquals("", client.rest());
        }
    }

    @Test
    void aHalfCloseInTheMiddleOfARequestBodyIsAnsweredWith400() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello")
                    .halfClose();
            assertEquals(400, client.answer().status());
            assertEquals("", client.rest());
        }
    }

    @Test
    void aHalfCloseInTheMiddleOfARequestHeadEndsTheConnection() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost").halfClose();
            client.rest();
            server.events.awaitClosed(1);
        }
    }

    @Test
    void aHalfCloseAtAnyOffsetOfARequestEndsTheConnection() throws Exception {
        String head = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n";
        String all = head + "0123456789";
        try (WireServer server = WireServer.echo()) {
            for (int cut = 1; cut < all.length(); cut++) {
                try (RawClient client = server.connect()) {
                    client.send(all.substring(0, cut));
                    server.settle();
                    client.halfClose();
                    if (cut >= head.length()) {
                        assertEquals(400, client.answer().status(), "the status after a half-close at byte " + cut);
                    }
                    client.rest();
                }
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void aLargeResponseIsSentCompletelyAfterAHalfClose() throws Exception {
        byte[] large = new byte[3_000_000];
        Site site = new Site().on("/large", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, large.length));
            exchange.response().write(ByteBuffer.wrap(large), true);
        });
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(8192), site);
                RawClient client = server.connectWithReceiveBuffer(8192)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n").halfClose();
            server.settle();
            assertEquals(large.length, client.answer().body().length());
            assertEquals("", client.rest());
        }
    }

    /** The server has not yet sent the whole first response when the client closes its output in the middle of the second request. */
    @Test
    void anIncompletePipelinedRequestDoesNotTruncateTheEarlierResponse() throws Exception {
        byte[] large = new byte[60_000];
        Site site = new Site().on("/large", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, large.length));
            exchange.response().write(ByteBuffer.wrap(large), true);
        });
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            server.awaitHeld();
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello")
                    .halfClose();
            server.settle();
            assertEquals(large.length, client.answer().body().length());
            assertEquals(400, client.answer().status());
            assertEquals("", client.rest());
        }
    }

    /**
     * The server has not yet sent the whole response when the client closes its output. The connection must end when the response has been
     * sent.
     */
    @Test
    void aHalfCloseDuringAResponseEndsTheConnectionAfterTheResponse() throws Exception {
        byte[] large = new byte[60_000];
        Site site = new Site().on("/large", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, large.length));
            exchange.response().write(ByteBuffer.wrap(large), true);
        });
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            server.awaitHeld();
            client.halfClose();
            server.settle();
            assertEquals(large.length, client.answer().body().length());
            assertEquals("", client.rest());
        }
    }
}
