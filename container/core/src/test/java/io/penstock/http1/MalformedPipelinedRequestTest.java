package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A malformed request follows a valid request. The client must receive the response to the valid request and then an error response. Then
 * the server must close the connection. Other clients must not be affected.
 */
final class MalformedPipelinedRequestTest {
    private static final String GOOD = "GET /good HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String NEXT = "GET /never HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void aMalformedRequestIsRefusedAfterTheFirstResponseEvenIfTheInputIsSplit() throws Exception {
        String all = GOOD + "GET /bad HTTP/1.1\r\nHost : x\r\n\r\n";
        try (WireServer server = WireServer.echo();
                RawClient other = server.connect()) {
            for (int cut = 1; cut < all.length(); cut++) {
                try (RawClient client = server.connect()) {
                    client.send(all.substring(0, cut));
                    server.settle();
                    client.send(all.substring(cut) + NEXT);
                    assertEquals("GET /good\n", client.answer().body());
                    Answer refusal = client.answer();
                    assertEquals(400, refusal.status());
                    assertEquals("close", refusal.field("Connection"));
                    assertEquals("", client.rest());
                }
                other.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("GET /other\n", other.answer().body());
            }
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void eachViolationIsAnsweredWithItsStatusAfterTheFirstResponse() throws Exception {
        CountDownLatch[] go = {new CountDownLatch(1)};
        Site site = new Site().on("/good", exchange -> {
            go[0].await();
            Site.echo(exchange);
        });
        record Case(int status, String request) {}
        List<Case> cases = List.of(
                new Case(400, "GET /\r\n\r\n"),
                new Case(400, "GET / HTTP/1.1\r\n\r\n"),
                new Case(400, "GET / HTTP/1.1\nHost: x\n\n"),
                new Case(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"),
                new Case(400, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n"),
                new Case(413, "POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n"),
                new Case(
                        413,
                        "POST /limited HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nb\r\n12345678901\r\n"),
                new Case(414, "GET /" + "a".repeat(9000) + " HTTP/1.1\r\nHost: x\r\n\r\n"),
                new Case(417, "GET / HTTP/1.1\r\nHost: x\r\nExpect: much\r\n\r\n"),
                new Case(431, "GET / HTTP/1.1\r\nHost: x\r\nX: " + "a".repeat(40_000) + "\r\n\r\n"),
                new Case(431, "GET / HTTP/1.1\r\nHost: x\r\n" + "X: y\r\n".repeat(200) + "\r\n"),
                new Case(501, "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"),
                new Case(505, "GET / HTTP/2.0\r\nHost: x\r\n\r\n"));
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            for (Case one : cases) {
                go[0] = new CountDownLatch(1);
                try (RawClient client = server.connect()) {
                    client.send(GOOD + one.request + NEXT);
                    server.settle();
                    go[0].countDown();
                    assertEquals("GET /good\n", client.answer().body());
                    Answer refusal = client.answer();
                    assertEquals(one.status, refusal.status(), "the status for " + one.request);
                    assertEquals("close", refusal.field("Connection"));
                    assertEquals("", client.rest());
                }
            }
            assertEquals(List.of(), server.events.failed());
        }
    }
}
