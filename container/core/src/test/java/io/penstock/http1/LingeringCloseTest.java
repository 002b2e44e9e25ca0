package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A client that is still sending reads why it was refused, instead of a reset (RFC 9112 section 9.6). */
final class LingeringCloseTest {
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

    private static void assertRefused(int status, RawClient client, byte[] stillComing) throws IOException {
        client.send(stillComing);
        Answer answer = client.answer();
        assertEquals(status, answer.status());
        assertEquals("close", answer.field("Connection"));
        assertEquals("", client.rest());
    }

    @Test
    void bodyOverTheLimit() throws Exception {
        assertRefused(413, "POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
    }

    @Test
    void chunkedBodyOverTheLimit() throws Exception {
        assertRefused(413, "POST /limited HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\n");
    }

    @Test
    void malformedHead() throws Exception {
        assertRefused(400, "POST /a HTTP/1.1\r\nHost : x\r\nContent-Length: 2000000\r\n\r\n");
    }

    @Test
    void malformedChunk() throws Exception {
        assertRefused(400, "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n");
    }

    @Test
    void requestLineWithoutEnd() throws Exception {
        assertRefused(414, "GET /");
    }

    @Test
    void fieldsWithoutEnd() throws Exception {
        assertRefused(431, "GET / HTTP/1.1\r\nHost: x\r\nX: ");
    }

    @Test
    void refusalByAdmission() throws Exception {
        assertRefused(404, "POST /refused HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
    }
}
