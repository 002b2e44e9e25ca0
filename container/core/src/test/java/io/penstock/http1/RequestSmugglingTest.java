package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/**
 * Tests messages that a proxy and this server could read differently (RFC 9112 section 11.2). The server must refuse each message with one
 * response. It must not read the bytes after the message as a request.
 */
final class RequestSmugglingTest {
    private static final String POST = "POST /front HTTP/1.1\r\nHost: x\r\n";
    private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String SMUGGLED = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";

    /**
     * Sends each message, followed by a hidden request. The server must send only one response, with this status, and end the connection.
     */
    private static void assertRefused(int status, List<String> messages) throws Exception {
        Queue<String> served = new ConcurrentLinkedQueue<>();
        Site site = new Site()
                .on("/smuggled", exchange -> {
                    served.add("smuggled");
                    Site.text(exchange, "smuggled");
                })
                .on("/front", exchange -> {
                    Site.readAll(exchange);
                    served.add("front");
                    Site.text(exchange, "front");
                });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            for (String message : messages) {
                for (int cut : List.of(0, message.length() / 2)) {
                    try (RawClient client = server.connect()) {
                        Cuts.send(server, client, message + SMUGGLED, cut);
                        Answer answer = client.answer();
                        assertEquals(status, answer.status(), message);
                        assertEquals("close", answer.field("Connection"), message);
                        assertFalse(answer.body().contains("front"), message);
                        assertEquals("", client.rest(), message);
                    }
                }
            }
            assertEquals(List.of(), List.copyOf(served));
            assertEquals(List.of(), server.events.failed());
        }
    }

    private static List<String> with(String start, String... ends) {
        return List.of(ends).stream().map(end -> start + end).toList();
    }

    // ---- framing

    @Test
    void contentLengthTogetherWithTransferEncodingIsRefused() throws Exception {
        assertRefused(
                400,
                with(
                        POST,
                        "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
                        "transfer-encoding: CHUNKED\r\ncontent-length: 5\r\n\r\n0\r\n\r\n",
                        "Content-Length: 4\r\nTransfer-Encoding: identity\r\n\r\nabcd",
                        "Content-Length: 4\r\nTransfer-Encoding:\r\n\r\nabcd",
                        "Content-Length: 4\r\nX: y\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"));
    }

    @Test
    void invalidAndUnsupportedTransferCodingsAreRefused() throws Exception {
        assertRefused(
                400,
                with(
                        POST,
                        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked,\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: ,chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunke\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: \u000bchunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\u0000\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: ch\u00fcnked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
                        " Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "X: y\r\n\tTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
                        "\u0000Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"));
        assertRefused(
                501,
                with(
                        POST,
                        "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n"));
    }

    @Test
    void transferEncodingInAnHttp10RequestIsRefused() throws Exception {
        assertRefused(
                400,
                with(
                        "POST /front HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
                        "Transfer-Encoding: identity\r\n\r\n"));
    }

    @Test
    void repeatedOrInvalidContentLengthsAreRefused() throws Exception {
        assertRefused(
                400,
                with(
                        POST,
                        "Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd",
                        "Content-Length: 4\r\nContent-Length: 0\r\n\r\nabcd",
                        "Content-Length: 0\r\ncontent-length: 4\r\n\r\nabcd",
                        "Content-Length: 4, 4\r\n\r\nabcd",
                        "Content-Length: 4,0\r\n\r\nabcd",
                        "Content-Length: +4\r\n\r\nabcd",
                        "Content-Length: -4\r\n\r\nabcd",
                        "Content-Length: 0x4\r\n\r\nabcd",
                        "Content-Length: 4.0\r\n\r\nabcd",
                        "Content-Length: 4e0\r\n\r\nabcd",
                        "Content-Length: 4 \u00a0\r\n\r\nabcd",
                        "Content-Length: 1 4\r\n\r\nabcd",
                        "Content-Length: \"4\"\r\n\r\nabcd",
                        "Content-Length:\r\n\r\nabcd",
                        "Content-Length: four\r\n\r\nabcd",
                        "Content-Length: 18446744073709551620\r\n\r\nabcd",
                        "Content-Length : 4\r\n\r\nabcd"));
    }

    // ---- chunks

    @Test
    void invalidChunkSizesAreRefused() throws Exception {
        assertRefused(
                400,
                with(
                        CHUNKED,
                        "0x5\r\nhello\r\n0\r\n\r\n",
                        "-5\r\nhello\r\n0\r\n\r\n",
                        "+5\r\nhello\r\n0\r\n\r\n",
                        " 5\r\nhello\r\n0\r\n\r\n",
                        "5 \r\nhello\r\n0\r\n\r\n",
                        "5\t\r\nhello\r\n0\r\n\r\n",
                        "5_0\r\nhello\r\n0\r\n\r\n",
                        "\r\n5\r\nhello\r\n0\r\n\r\n",
                        "g\r\nhello\r\n0\r\n\r\n",
                        "10000000000000005\r\nhello\r\n0\r\n\r\n",
                        "FFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n",
                        "5\u0000\r\nhello\r\n0\r\n\r\n"));
    }

    @Test
    void invalidChunkExtensionsAreRefused() throws Exception {
        assertRefused(
                400,
                with(
                        CHUNKED,
                        "5;\r\nhello\r\n0\r\n\r\n",
                        "5;a=\r\nhello\r\n0\r\n\r\n",
                        "5;a\nhello\r\n0\r\n\r\n",
                        "5;a\rb\r\nhello\r\n0\r\n\r\n",
                        "5;a=\"b\nc\"\r\nhello\r\n0\r\n\r\n",
                        "5;a=\"b\r\nhello\"\r\nhello\r\n0\r\n\r\n",
                        "5;a=\"b\\\r\nhello\r\n0\r\n\r\n",
                        "5;a=\"b\"c\r\nhello\r\n0\r\n\r\n",
                        "5,a\r\nhello\r\n0\r\n\r\n",
                        "0;a\nGET /smuggled HTTP/1.1\r\n\r\n"));
    }

    @Test
    void chunksThatDoNotEndWithCrLfAreRefused() throws Exception {
        assertRefused(
                400,
                with(
                        CHUNKED,
                        "5\r\nhello0\r\n\r\n",
                        "5\r\nhello\n0\r\n\r\n",
                        "5\r\nhello\r0\r\n\r\n",
                        "5\r\nhelloXX0\r\n\r\n",
                        "5\r\nhello \r\n0\r\n\r\n",
                        "5\nhello\r\n0\r\n\r\n",
                        "5\r\nhello\r\n0\n\r\n",
                        "5\r\nhello\r\n0\r\n\n",
                        "5\r\nhello\r\n0\r\r\n"));
    }

    @Test
    void malformedAndForbiddenTrailerFieldsAreRefused() throws Exception {
        assertRefused(
                400,
                with(
                        CHUNKED + "0\r\n",
                        "Content-Length: 5\r\n\r\n",
                        "Transfer-Encoding: chunked\r\n\r\n",
                        "Host: y\r\n\r\n",
                        "Trailer: a\r\n\r\n",
                        "A : b\r\n\r\n",
                        " A: b\r\n\r\n",
                        "A: b\r\n c\r\n\r\n",
                        "A: b\nC: d\r\n\r\n",
                        "A: b\rC: d\r\n\r\n",
                        "GET /smuggled HTTP/1.1\r\n\r\n"));
    }

    // ---- line ends and white space

    @Test
    void bareCrAndBareLfAreRefusedAtTheEndOfALineAndWithinALine() throws Exception {
        assertRefused(
                400,
                List.of(
                        "GET /front HTTP/1.1\nHost: x\n\n",
                        "GET /front HTTP/1.1\r\nHost: x\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\n\n",
                        "GET /front HTTP/1.1\rHost: x\r\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\nA: b\rContent-Length: 40\r\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\nA: b\nContent-Length: 40\r\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\nA: b\r\r\n\r\n",
                        "\nGET /front HTTP/1.1\r\nHost: x\r\n\r\n"));
    }

    @Test
    void invalidWhiteSpaceInARequestLineOrFieldNameIsRefused() throws Exception {
        assertRefused(
                400,
                List.of(
                        "POST /front HTTP/1.1\r\nHost : x\r\n\r\n",
                        "POST /front HTTP/1.1\r\nHost: x\r\nContent-Length : 5\r\n\r\nhello",
                        "POST /front HTTP/1.1\r\nHost: x\r\nContent-Length\t: 5\r\n\r\nhello",
                        "POST /front HTTP/1.1\r\nHost: x\r\nContent Length: 5\r\n\r\nhello",
                        "POST /front HTTP/1.1\r\nHost: x\r\n: 5\r\n\r\n",
                        "POST  /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "POST /front  HTTP/1.1\r\nHost: x\r\n\r\n",
                        "POST /front HTTP/1.1 \r\nHost: x\r\n\r\n",
                        "POST\t/front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "POST /front\u000bHTTP/1.1\r\nHost: x\r\n\r\n"));
    }

    @Test
    void foldedFieldLinesAreRefused() throws Exception {
        assertRefused(
                400,
                List.of(
                        "GET /front HTTP/1.1\r\n Host: x\r\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\n y\r\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\nA: b\r\n\tc\r\n\r\n",
                        "GET /front HTTP/1.1\r\nHost: x\r\nA: b\r\n \r\n\r\n",
                        POST + "Content-Length:\r\n 5\r\n\r\nhello"));
    }

    @Test
    void messagesThatDoNotBeginWithARequestLineAreRefused() throws Exception {
        assertRefused(
                400,
                List.of(
                        " GET /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\tGET /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\r\n\r\nGET /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\rGET /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\u0000GET /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\u00ef\u00bb\u00bfGET /front HTTP/1.1\r\nHost: x\r\n\r\n",
                        "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003",
                        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
    }

    /**
     * The bytes after the declared end of a body are the next request. These bytes must not be lost, and must not become part of the body.
     */
    @Test
    void bytesAfterTheDeclaredEndOfABodyAreReadAsTheNextRequest() throws Exception {
        Queue<String> bodies = new ConcurrentLinkedQueue<>();
        Site site = new Site().on("/front", exchange -> {
            bodies.add(new String(Site.readAll(exchange), StandardCharsets.ISO_8859_1));
            Site.text(exchange, "front");
        });
        List<String> messages = List.of(
                POST + "Content-Length: 37\r\n\r\n" + "GET /body HTTP/1.1\r\nHost: x\r\nX: 12345",
                CHUNKED + "25;ext=\"0\"\r\n" + "GET /body HTTP/1.1\r\nHost: x\r\nX: 12345"
                        + "\r\n0\r\nT: GET /t\r\n\r\n");
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            for (String message : messages) {
                Cuts.onOneConnection(server, message + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n", client -> {
                    assertEquals("front", client.answer().body());
                    assertEquals("GET /next\n", client.answer().body());
                });
            }
            assertFalse(bodies.isEmpty());
            for (String body : bodies) {
                assertEquals("GET /body HTTP/1.1\r\nHost: x\r\nX: 12345", body);
            }
        }
    }
}
