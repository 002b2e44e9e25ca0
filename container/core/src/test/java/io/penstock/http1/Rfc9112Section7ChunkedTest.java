package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.exchange.Exchange;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the chunked transfer coding in requests and in responses (RFC 9112 section 7.1). */
final class Rfc9112Section7ChunkedTest {
    private static final String HEAD = "POST /t HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final String BODY =
            "5;name=value;flag ; q=\"a;\\\"b\"\r\nhello\r\n1\r\n \r\n00A\r\n0123456789\r\n0;last\r\nX-Sum: 42\r\nX-Two:  b \r\n\r\n";

    private static Site withTrailers() {
        return new Site().on("/t", exchange -> {
            String body = new String(Site.readAll(exchange), StandardCharsets.ISO_8859_1);
            Fields trailers = exchange.body().trailers();
            Site.text(
                    exchange,
                    body + "|" + trailers.first("X-Sum") + "|" + trailers.first("x-two") + "|" + trailers.size());
        });
    }

    @Test
    void chunksAndExtensionsAndTrailersAreReadForEachSplitOfTheInput() throws Exception {
        String all = HEAD + BODY;
        try (WireServer server = WireServer.with(new WireConfig(), withTrailers());
                RawClient client = server.connect()) {
            client.send(all);
            assertEquals("hello 0123456789|42|b|2", client.answer().body());
            for (int cut = 1; cut < all.length(); cut++) {
                client.send(all.substring(0, cut));
                server.settle();
                client.send(all.substring(cut));
                assertEquals("hello 0123456789|42|b|2", client.answer().body(), "the input is cut at byte " + cut);
            }
        }
    }

    @Test
    void chunksThatArriveByteByByteAreRead() throws Exception {
        String all = HEAD + BODY;
        try (WireServer server = WireServer.with(new WireConfig(), withTrailers());
                RawClient client = server.connect()) {
            for (int i = 0; i < all.length(); i++) {
                client.send(all.substring(i, i + 1));
                server.settle();
            }
            assertEquals("hello 0123456789|42|b|2", client.answer().body());
        }
    }

    @Test
    void aMalformedChunkedBodyIsAnsweredWithStatus400AndTheConnectionEnds() throws Exception {
        List<String> bodies = List.of(
                "x\r\n",
                "5\r\nhelloXX",
                "5 \r\nhello\r\n0\r\n\r\n".replace("5 ", " 5"),
                "-1\r\n",
                "1\nh\r\n0\r\n\r\n",
                "FFFFFFFFFFFFFFFFF\r\n",
                "5;=x\r\nhello\r\n0\r\n\r\n",
                "0\r\nno colon\r\n\r\n",
                "0\r\nContent-Length: 5\r\n\r\n");
        try (WireServer server = WireServer.echo()) {
            for (String body : bodies) {
                for (int cut = 0; cut < body.length(); cut++) {
                    try (RawClient client = server.connect()) {
                        client.send(HEAD + body.substring(0, cut));
                        server.settle();
                        client.send(body.substring(cut));
                        Answer answer = client.answer();
                        assertEquals(400, answer.status(), body);
                        assertEquals("close", answer.field("Connection"));
                        assertEquals("", client.rest());
                    }
                }
            }
        }
    }

    @Test
    void aResponseOfUnknownLengthIsChunkedAndHasTrailers() throws Exception {
        Site site = new Site().on("/out", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            write(exchange, "one ");
            exchange.response().flush();
            exchange.response().write(ByteBuffer.wrap("two ".getBytes(StandardCharsets.US_ASCII)), false);
            write(exchange, "three");
            exchange.response().finish(new FieldList().add("X-Sum", "7"));
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /out HTTP/1.1\r\nHost: x\r\n\r\n");
                Answer answer = client.answer();
                assertEquals("chunked", answer.field("Transfer-Encoding"));
                assertFalse(answer.has("Content-Length"));
                assertEquals("one two three", answer.body());
                assertEquals(List.of("X-Sum: 7"), answer.trailers());
            }
        }
    }

    @Test
    void theLastWriteOfTheApplicationEndsTheChunkedBody() throws Exception {
        Site site = new Site()
                .on("/segments", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    write(exchange, "a");
                    Segment last = exchange.response().segment();
                    last.buffer().put((byte) 'b').flip();
                    exchange.response().write(last, true);
                })
                .on("/buffers", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    exchange.response().flush();
                    exchange.response().write(ByteBuffer.wrap(new byte[] {'a', 'b'}), true);
                })
                .on("/empty-last", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    write(exchange, "ab");
                    exchange.response().write(ByteBuffer.allocate(0), true);
                });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            for (String path : List.of("/segments", "/buffers", "/empty-last")) {
                client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("ab", client.answer().body(), path);
            }
        }
    }

    @Test
    void anHttp10ClientGetsABodyThatEndsWithTheConnection() throws Exception {
        Site site = new Site().on("/out", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            write(exchange, "one ");
            write(exchange, "two");
            exchange.response().finish(new FieldList().add("X-Sum", "7"));
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /out HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            Answer answer = client.answer();
            assertFalse(answer.has("Transfer-Encoding"));
            assertFalse(answer.has("Content-Length"));
            assertEquals("close", answer.field("Connection"));
            assertEquals("one two", answer.body());
        }
    }

    private static void write(Exchange exchange, String text) throws IOException {
        Segment segment = exchange.response().segment();
        segment.buffer().put(text.getBytes(StandardCharsets.US_ASCII)).flip();
        exchange.response().write(segment, false);
    }
}
