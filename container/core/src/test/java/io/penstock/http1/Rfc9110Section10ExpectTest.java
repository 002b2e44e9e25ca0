package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;

/** Tests {@code Expect: 100-continue} (RFC 9110 section 10.1.1). */
final class Rfc9110Section10ExpectTest {
    private static final String EXPECTING = " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\n";

    @Test
    void theReactorSends100ContinueEvenIfNoWorkerIsFree() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/block", exchange -> {
            go.await();
            Site.text(exchange, "done");
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient blocker = server.connect();
                RawClient client = server.connect()) {
            blocker.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n"); // occupies the only worker
            server.settle();
            client.send("POST /a" + EXPECTING);
            assertEquals("HTTP/1.1 100 Continue", client.answer().statusLine());
            client.send("hello");
            go.countDown();
            assertEquals("POST /a\nhello", client.answer().body());
            assertEquals("done", blocker.answer().body());
        }
    }

    @Test
    void aRequestHeadThatArrivesInTwoPartsGetsExactlyOne100Continue() throws Exception {
        String head = "POST /a" + EXPECTING;
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            for (int cut = 1; cut < head.length(); cut++) {
                client.send(head.substring(0, cut));
                server.settle();
                client.send(head.substring(cut));
                assertEquals(100, client.answer().status());
                client.send("hello");
                assertEquals("POST /a\nhello", client.answer().body());
            }
        }
    }

    @Test
    void no100ContinueIsSentIfPartOfTheBodyHasArrived() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            String head = "POST /a" + EXPECTING;
            String message = head + "hello";
            for (int cut : Cuts.everyOffsetOf(message)) {
                // Without this wait, the request with the previous cut could still run. Then the server would send the
                // 100 (Continue) later.
                server.awaitRest();
                Cuts.send(server, client, message, cut);
                // With this cut, the head arrives without any byte of the body. With all other cuts, the server sends
                // no 100 (Continue).
                if (cut == head.length()) {
                    assertEquals(100, client.answer().status());
                }
                assertEquals("POST /a\nhello", client.answer().body(), "the input is cut at byte " + cut);
            }
        }
    }

    /**
     * The body of the second request arrives before the response to the first request. Then a 100 (Continue) has no purpose, and the
     * server must not send it.
     */
    @Test
    void no100ContinueIsSentIfTheBodyArrivesBeforeTheEarlierResponseIsSent() throws Exception {
        Semaphore go = new Semaphore(0);
        Site site = new Site().on("/slow", exchange -> {
            go.acquire();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            String message = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /a" + EXPECTING + "hello";
            for (int cut : Cuts.everyOffsetOf(message)) {
                Cuts.send(server, client, message, cut);
                server.settle();
                go.release();
                assertEquals("slow", client.answer().body());
                assertEquals("POST /a\nhello", client.answer().body(), "the input is cut at byte " + cut);
                server.settle();
            }
            client.send("GET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals("GET /b\n", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void the100ContinueOfAPipelinedRequestIsSentAfterTheEarlierResponse() throws Exception {
        Semaphore go = new Semaphore(0);
        Site site = new Site().on("/slow", exchange -> {
            go.acquire();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            String message = "GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /a" + EXPECTING;
            Cuts.onOneConnection(server, message, client -> {
                server.settle();
                go.release();
                assertEquals("slow", client.answer().body());
                assertEquals(100, client.answer().status());
                client.send("hello");
                assertEquals("POST /a\nhello", client.answer().body());
            });
        }
    }

    @Test
    void the100ContinueIsSentWhenAStreamingHandlerStartsToReadTheBody() throws Exception {
        Semaphore go = new Semaphore(0);
        Semaphore dispatched = new Semaphore(0);
        Site site = new Site().on("/stream", exchange -> {
            dispatched.release();
            go.acquire();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onOneConnection(server, "POST /stream" + EXPECTING, client -> {
                dispatched.acquire();
                go.release();
                assertEquals(100, client.answer().status());
                client.send("hello");
                assertEquals("POST /stream\nhello", client.answer().body());
            });
        }
    }

    @Test
    void no100ContinueIsSentIfAStreamingHandlerDoesNotReadTheBody() throws Exception {
        Site site = new Site().on("/stream", exchange -> Site.text(exchange, "no, thanks"));
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onNewConnections(server, "POST /stream" + EXPECTING, client -> {
                Answer answer = client.answer();
                assertEquals(200, answer.status());
                assertEquals("close", answer.field("Connection"));
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void no100ContinueIsSentForARefusedRequest() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onNewConnections(server, "POST /refused" + EXPECTING, client -> {
                assertEquals(404, client.answer().status());
                assertEquals("", client.rest());
            });
            String tooLarge = "POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n";
            Cuts.onNewConnections(server, tooLarge, client -> {
                assertEquals(413, client.answer().status());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void aRequestWithAnUnknownExpectationIsAnsweredWithStatus417() throws Exception {
        try (WireServer server = WireServer.echo()) {
            String request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: miracles\r\n\r\n";
            Cuts.onNewConnections(server, request, client -> {
                Answer answer = client.answer();
                assertEquals(417, answer.status());
                assertEquals("close", answer.field("Connection"));
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void no100ContinueIsSentForARequestWithoutABody() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onOneConnection(
                    server,
                    "GET /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
                    client -> assertEquals("GET /a\n", client.answer().body()));
        }
    }

    @Test
    void theExpectationOfAnHttp10ClientIsIgnored() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onNewConnections(
                    server,
                    "POST /a HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
                    client -> assertEquals("POST /a\nhello", client.answer().body()));
        }
    }
}
