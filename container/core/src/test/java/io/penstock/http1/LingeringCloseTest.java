package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * If the server refuses a client that is still sending, the client must receive the response and no reset (RFC 9112 section 9.6). So the
 * server lingers. This means that the server reads further bytes after the response, and then closes the connection. After a request with
 * {@code Connection: close}, the server lingers only if the client sends further bytes.
 */
final class LingeringCloseTest {
    private static final String LAST = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final byte[] MORE = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);
    private static final byte[] MEGABYTE = "x".repeat(1 << 20).getBytes(StandardCharsets.US_ASCII);

    private static void assertRefused(int status, String head) throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().bodyLimit(100))) {
            for (int i = 0; i < 10; i++) {
                try (RawClient client = server.connect()) {
                    client.send(head);
                    assertRefused(status, client, MEGABYTE);
                }
            }
            Cuts.onNewConnections(server, head, client -> assertRefused(status, client, MORE));
            server.events.awaitClosed(10 + head.length());
        }
    }

    private static void assertRefused(int status, RawClient client, byte[] furtherBytes) throws IOException {
        client.send(furtherBytes);
        Answer answer = client.answer();
        assertEquals(status, answer.status());
        assertEquals("close", answer.field("Connection"));
        assertEquals("", client.rest());
    }

    @Test
    void aBodyThatExceedsTheLimitIsAnsweredWith413() throws Exception {
        assertRefused(413, "POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
    }

    @Test
    void aChunkedBodyThatExceedsTheLimitIsAnsweredWith413() throws Exception {
        assertRefused(413, "POST /limited HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n");
    }

    @Test
    void aMalformedHeadIsAnsweredWith400() throws Exception {
        assertRefused(400, "POST /a HTTP/1.1\r\nHost : x\r\nContent-Length: 2000000\r\n\r\n");
    }

    @Test
    void aMalformedChunkIsAnsweredWith400() throws Exception {
        assertRefused(400, "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    }

    @Test
    void anEndlessRequestLineIsAnsweredWith414() throws Exception {
        assertRefused(414, "GET /");
    }

    @Test
    void anEndlessFieldIsAnsweredWith431() throws Exception {
        assertRefused(431, "GET / HTTP/1.1\r\nHost: x\r\nX: ");
    }

    @Test
    void aRequestThatTheAdmissionRefusesIsAnsweredWith404() throws Exception {
        assertRefused(404, "POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
    }

    @Test
    void theServerDoesNotLingerAfterARequestWithConnectionClose() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().linger(600_000));
                RawClient client = server.connect()) {
            client.send(LAST);
            assertEquals(200, client.answer().status());
            assertEquals("request-close", server.events.awaitClosed(client)); // although the client is still connected
            assertEquals("", client.rest());
        }
    }

    @Test
    void theServerDoesNotLingerAfterAnHttp10Request() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().linger(600_000));
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello");
            assertEquals("POST /a\nhello", client.answer().body());
            assertEquals("request-close", server.events.awaitClosed(client));
            assertEquals("", client.rest());
        }
    }

    @Test
    void aClientGetsTheResponseEvenIfItSendsBytesAfterItsLastRequest() throws Exception {
        try (WireServer server = WireServer.echo();
                RawClient client = server.connect()) {
            client.send(LAST + "x".repeat(1 << 20));
            assertEquals(200, client.answer().status());
            assertEquals("", client.rest());
        }
    }

    @Test
    void aClientGetsTheResponseEvenIfItSendsBytesWhileItsLastRequestRuns() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/a", exchange -> {
            runs.countDown();
            go.await();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(LAST);
            runs.await();
            client.send("\r\n");
            go.countDown();
            assertEquals(200, client.answer().status());
            client.send(MORE);
            assertEquals("", client.rest());
        }
    }
}
