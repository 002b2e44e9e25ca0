package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests when a connection stays open for the next request, and when it ends (RFC 9112 section 9.3). */
final class Rfc9112Section9PersistenceTest {

    @Test
    void anHttp10ConnectionEndsAfterTheResponse() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onNewConnections(server, "GET /a HTTP/1.0\r\n\r\n", client -> {
                Answer answer = client.answer();
                assertEquals("HTTP/1.1 200 OK", answer.statusLine());
                assertEquals("close", answer.field("Connection"));
                assertEquals("7", answer.field("Content-Length"));
                assertEquals("GET /a\n", answer.body());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void anHttp10ClientCanRequestAPersistentConnection() throws Exception {
        try (WireServer server = WireServer.echo()) {
            Cuts.onOneConnection(server, "GET /a HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", client -> {
                Answer answer = client.answer();
                assertEquals("keep-alive", answer.field("Connection"));
                assertEquals("GET /a\n", answer.body());
            });
        }
    }

    @Test
    void theConnectionEndsIfCloseIsOneOfSeveralConnectionOptions() throws Exception {
        try (WireServer server = WireServer.echo()) {
            String request = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nConnection: foo , CLOSE\r\n\r\n";
            Cuts.onNewConnections(server, request, client -> {
                assertEquals("close", client.answer().field("Connection"));
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void theConnectionEndsIfTheResponseOfTheApplicationHasConnectionClose() throws Exception {
        Site site = new Site().on("/bye", exchange -> {
            exchange.response().head(new ResponseHead(200, new FieldList().add("Connection", "close"), -1));
            exchange.response().write(ByteBuffer.wrap("bye".getBytes(StandardCharsets.US_ASCII)), true);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            String request = "GET /bye HTTP/1.1\r\nHost: x\r\n\r\nGET /never HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onNewConnections(server, request, client -> {
                Answer answer = client.answer();
                assertEquals("close", answer.field("Connection"));
                assertEquals("bye", answer.body());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void theConnectionEndsIfAResponseBodyIsShorterThanItsDeclaredLength() throws Exception {
        Site site = new Site().on("/short", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 10));
            exchange.response().write(ByteBuffer.wrap(new byte[] {'a', 'b'}), false);
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            Cuts.onNewConnections(
                    server,
                    "GET /short HTTP/1.1\r\nHost: x\r\n\r\n",
                    client -> assertTrue(client.rest().endsWith("\r\n\r\nab")));
        }
    }

    @Test
    void bytesBeyondTheDeclaredLengthOfAResponseAreNotSent() throws Exception {
        Site site = new Site().on("/long", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 2));
            exchange.response().write(ByteBuffer.wrap(new byte[] {'a', 'b'}), false);
            exchange.response().write(ByteBuffer.wrap(new byte[] {'c'}), true);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            String message = "GET /long HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n";
            int[] cuts = {0, 1, message.indexOf("GET /a"), message.indexOf("GET /a") + 1, message.length() - 1};
            Cuts.onNewConnections(server, message, cuts, client -> {
                assertEquals("ab", client.answer().body());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void theConnectionStaysOpenIfTheApplicationDoesNotReadTheRequestBody() throws Exception {
        Site site = new Site().on("/ignore", exchange -> Site.text(exchange, "ignored"));
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            String message = "POST /ignore HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                    + "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onOneConnection(server, message, client -> {
                assertEquals("ignored", client.answer().body());
                assertEquals("GET /a\n", client.answer().body());
            });
            server.awaitNothingHeld();
        }
    }
}
