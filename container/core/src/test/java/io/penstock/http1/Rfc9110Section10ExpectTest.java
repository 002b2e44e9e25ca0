package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Expect: 100-continue (RFC 9110 section 10.1.1). */
final class Rfc9110Section10ExpectTest {
    private static final String EXPECTING = " HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\n";

    @Test
    void bodyThatIsAdmittedIsAskedForByTheReactor() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/block", exchange -> {
            go.await();
            Site.text(exchange, "done");
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient blocker = server.connect();
                RawClient client = server.connect()) {
            blocker.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n"); // no worker is left
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
    void headCutAtEveryOffsetIsAnsweredByOneContinue() throws Exception {
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
    void bodyThatCameAlongIsNotAskedFor() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("POST /a" + EXPECTING + "hello");
            assertEquals("POST /a\nhello", client.answer().body());
            client.send("POST /a" + EXPECTING + "h");
            server.settle();
            client.send("ello");
            assertEquals("POST /a\nhello", client.answer().body());
        }
    }

    /**
     * The second request's body comes while its Continue still waits for the first response: afterwards there is nothing to ask for,
     * least of all behind its own response.
     */
    @Test
    void bodyThatCameWhileAnEarlierResponseRanIsNotAskedForAfterwards() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /a" + EXPECTING);
            server.settle();
            client.send("hello");
            server.settle();
            go.countDown();
            assertEquals("slow", client.answer().body());
            assertEquals("POST /a\nhello", client.answer().body());
            server.settle();
            client.send("GET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals("GET /b\n", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void continueWaitsForTheEarlierResponse() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /a" + EXPECTING);
            server.settle();
            go.countDown();
            assertEquals("slow", client.answer().body());
            assertEquals(100, client.answer().status());
            client.send("hello");
            assertEquals("POST /a\nhello", client.answer().body());
        }
    }

    @Test
    void streamingRequestAsksForItsBodyOnTheFirstRead() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch dispatched = new CountDownLatch(1);
        Site site = new Site().on("/stream", exchange -> {
            dispatched.countDown();
            go.await();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("POST /stream" + EXPECTING);
            dispatched.await();
            go.countDown();
            assertEquals(100, client.answer().status());
            client.send("hello");
            assertEquals("POST /stream\nhello", client.answer().body());
        }
    }

    @Test
    void streamingRequestThatDoesNotReadDoesNotAskAndCloses() throws Exception {
        Site site = new Site().on("/stream", exchange -> Site.text(exchange, "no, thanks"));
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("POST /stream" + EXPECTING);
            Answer answer = client.answer();
            assertEquals(200, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
        }
    }

    @Test
    void refusedBodyIsNotAskedFor() throws Exception {
        try (WireServer server = WireServer.echo()) {
            try (RawClient client = server.connect()) {
                client.send("POST /refused" + EXPECTING);
                assertEquals(404, client.answer().status());
                assertEquals("", client.rest());
            }
            try (RawClient client = server.connect()) {
                client.send("POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\nExpect: 100-continue\r\n\r\n");
                assertEquals(413, client.answer().status());
                assertEquals("", client.rest());
            }
        }
    }

    @Test
    void otherExpectationIsAnswered417() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: miracles\r\n\r\n");
            Answer answer = client.answer();
            assertEquals(417, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
        }
    }

    @Test
    void requestWithoutABodyIsNotAskedForOne() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n");
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    @Test
    void olderClientsExpectationIsIgnored() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.0\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            server.settle();
            client.send("hello");
            assertEquals("POST /a\nhello", client.answer().body());
        }
    }
}
