package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.HttpDate;
import io.penstock.http.ResponseHead;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/**
 * Tests HEAD, responses without a body, Date, and the forms of the request target (RFC 9110 sections 6, 9.3.2, 15; RFC 9112 section 3.2).
 */
final class Rfc9110HeadsTest {
    private static final String NEXT = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void aHeadRequestIsAnsweredWithTheFieldsOfAGetResponseButWithoutABody() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onOneConnection(server, "HEAD /abc HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT, client -> {
                Answer head = client.answerToHead();
                assertEquals(200, head.status());
                assertEquals("text/plain", head.field("Content-Type"));
                assertEquals("10", head.field("Content-Length"));
                assertEquals("GET /next\n", client.answer().body());
            });
        }
    }

    @Test
    void aHeadRequestForAResponseOfUnknownLengthGetsNoBody() throws Exception {
        Site site = new Site().on("/out", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            for (int i = 0; i < 10; i++) {
                exchange.response().write(ByteBuffer.wrap(new byte[100]), false);
            }
            exchange.response().finish(new FieldList().add("X-Sum", "7"));
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onOneConnection(server, "HEAD /out HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT, client -> {
                assertEquals(200, client.answerToHead().status());
                assertEquals("GET /next\n", client.answer().body());
            });
        }
    }

    @Test
    void aRefusalOfAHeadRequestHasNoBody() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onOneConnection(server, "HEAD /refused HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT, client -> {
                assertEquals(404, client.answerToHead().status());
                assertEquals("GET /next\n", client.answer().body());
            });
        }
    }

    @Test
    void responsesWithStatus204Or304HaveNoBody() throws Exception {
        Site site = new Site()
                .on("/204", exchange -> {
                    exchange.response().head(new ResponseHead(204, Fields.EMPTY, -1));
                    exchange.response().write(ByteBuffer.wrap(new byte[100]), true);
                })
                .on("/304", exchange -> {
                    exchange.response().head(new ResponseHead(304, Fields.EMPTY, 1234));
                    exchange.response().finish(Fields.EMPTY);
                });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            String message = "GET /204 HTTP/1.1\r\nHost: x\r\n\r\nGET /304 HTTP/1.1\r\nHost: x\r\n\r\n" + NEXT;
            Cuts.onOneConnection(server, message, client -> {
                Answer noContent = client.answer();
                assertEquals(204, noContent.status());
                assertFalse(noContent.has("Content-Length"));
                assertFalse(noContent.has("Transfer-Encoding"));
                Answer notModified = client.answer();
                assertEquals(304, notModified.status());
                assertEquals("1234", notModified.field("Content-Length"));
                assertEquals("GET /next\n", client.answer().body());
            });
        }
    }

    /**
     * A 205 response has no body. Without a length, a client would still wait for a body. So the length must be zero (RFC 9110 section
     * 15.3.6).
     */
    @Test
    void aResponseWithStatus205HasContentLengthZero() throws Exception {
        Site site = new Site()
                .on("/declared", exchange -> {
                    exchange.response().head(new ResponseHead(205, Fields.EMPTY, 5));
                    exchange.response().write(ByteBuffer.wrap(new byte[5]), true);
                })
                .on("/promised", exchange -> {
                    exchange.response().head(new ResponseHead(205, Fields.EMPTY, 5));
                    exchange.response().finish(Fields.EMPTY);
                })
                .on("/unknown", exchange -> {
                    exchange.response().head(new ResponseHead(205, Fields.EMPTY, -1));
                    exchange.response().write(ByteBuffer.wrap(new byte[100]), false);
                    exchange.response().finish(Fields.EMPTY);
                });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            StringBuilder message = new StringBuilder();
            for (String path : new String[] {"/declared", "/promised", "/unknown"}) {
                message.append("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            Cuts.onOneConnection(server, message + NEXT, client -> {
                for (int i = 0; i < 3; i++) {
                    Answer reset = client.answer();
                    assertEquals(205, reset.status());
                    assertEquals("0", reset.field("Content-Length"));
                    assertFalse(reset.has("Transfer-Encoding"));
                    assertEquals("", reset.body());
                }
                assertEquals("GET /next\n", client.answer().body());
            });
        }
    }

    @Test
    void everyFinalResponseHasADateFieldWithTheCurrentTime() throws Exception {
        try (WireServer server = WireServer.echo()) {
            String message = "GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /refused HTTP/1.1\r\nHost: x\r\n\r\nBROKEN\r\n\r\n";
            Cuts.onNewConnections(server, message, client -> {
                for (int i = 0; i < 3; i++) {
                    Instant date = HttpDate.parse(client.answer().field("Date"));
                    assertNotNull(date);
                    assertTrue(Duration.between(date, Instant.now()).abs().toSeconds() < 30);
                }
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void aDateFieldOfTheApplicationReplacesTheDateFieldOfTheServer() throws Exception {
        String date = "Sun, 06 Nov 1994 08:49:37 GMT";
        Site site = new Site().on("/dated", exchange -> {
            exchange.response().head(new ResponseHead(200, new FieldList().add("date", date), 0));
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onNewConnections(server, "GET /dated HTTP/1.0\r\n\r\n", client -> {
                String answer = client.rest();
                assertTrue(answer.contains("date: " + date + "\r\n"), answer);
                assertFalse(answer.contains("Date: "), answer);
            });
        }
    }

    @Test
    void anOptionsRequestInAbsoluteFormWithoutAPathIsServedInAsteriskForm() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onOneConnection(
                    server,
                    "OPTIONS http://other HTTP/1.1\r\nHost: x\r\n\r\n",
                    client -> assertEquals("OPTIONS *\n", client.answer().body()));
        }
    }

    @Test
    void aRequestTargetInAbsoluteFormIsServedLikeOriginForm() throws Exception {
        try (WireServer server = WireServer.echo()) {
            String message = "GET http://other:8080/a/b?c=d HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "GET HTTP://other HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onOneConnection(server, message, client -> {
                assertEquals("GET /a/b\n", client.answer().body());
                assertEquals("GET /\n", client.answer().body());
            });
        }
    }

    @Test
    void theAsteriskFormIsAcceptedOnlyInOptionsRequests() throws Exception {
        try (WireServer server = WireServer.echo()) {
            String message = "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\nGET * HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onNewConnections(server, message, client -> {
                assertEquals("OPTIONS *\n", client.answer().body());
                assertEquals(400, client.answer().status());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void aConnectRequestIsAnsweredWithStatus501() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onNewConnections(server, "CONNECT other:443 HTTP/1.1\r\nHost: other:443\r\n\r\n", client -> {
                assertEquals(501, client.answer().status());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void aResponseHeadLargerThanTheResponseBufferIsSentCompletely() throws Exception {
        Site site = new Site().on("/large", exchange -> {
            FieldList fields = new FieldList();
            for (int i = 0; i < 100; i++) {
                fields.add("X-" + i, "v".repeat(200));
            }
            exchange.response().head(new ResponseHead(200, fields, -1));
            io.penstock.pipe.Segment segment = exchange.response().segment();
            segment.buffer().put((byte) 'x').flip();
            exchange.response().write(segment, false);
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig().pipes(4096, 1024), site)) {
            Cuts.onOneConnection(server, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n", client -> {
                Answer answer = client.answer();
                assertEquals("v".repeat(200), answer.field("X-99"));
                assertEquals("x", answer.body());
            });
        }
    }
}
