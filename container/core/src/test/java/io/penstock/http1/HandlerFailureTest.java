package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.exchange.ExchangeHandler;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** If a handler throws an exception, only the connection of the request must end. */
final class HandlerFailureTest {

    private static void assertOnlyOneConnectionEnds(ExchangeHandler handler, String received) throws Exception {
        Site site = new Site().on("/fails", handler);
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient other = server.connect()) {
            for (int i = 1; i <= 3; i++) {
                try (RawClient client = server.connect()) {
                    client.send("GET /fails HTTP/1.1\r\nHost: x\r\n\r\nGET /never HTTP/1.1\r\nHost: x\r\n\r\n");
                    String rest = client.rest();
                    assertTrue(rest.endsWith(received), rest);
                    assertTrue(!rest.contains("never"), rest);
                }
                server.events.awaitFailed(i);
                other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("GET /a\n", other.answer().body());
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void anExceptionEndsOnlyTheConnectionOfTheRequestIfTheResponseHasNotBegun() throws Exception {
        assertOnlyOneConnectionEnds(
                exchange -> {
                    throw new IllegalStateException("on purpose");
                },
                "");
    }

    @Test
    void anErrorEndsOnlyTheConnectionOfTheRequestIfTheResponseHasNotBegun() throws Exception {
        assertOnlyOneConnectionEnds(
                exchange -> {
                    throw new StackOverflowError("on purpose");
                },
                "");
    }

    @Test
    void anExceptionEndsOnlyTheConnectionOfTheRequestIfTheResponseHeadHasNotBeenSent() throws Exception {
        assertOnlyOneConnectionEnds(
                exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    throw new IOException("on purpose");
                },
                "");
    }

    @Test
    void anExceptionDuringTheResponseBodyMakesTheBodyIncomplete() throws Exception {
        assertOnlyOneConnectionEnds(
                exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    exchange.response().write(ByteBuffer.wrap(new byte[] {'a'}), false);
                    exchange.response().flush();
                    throw new IOException("on purpose");
                },
                "1\r\na\r\n");
    }

    @Test
    void anExceptionInAContinuationEndsOnlyTheConnectionOfTheRequest() throws Exception {
        assertOnlyOneConnectionEnds(
                exchange -> exchange.resume(() -> {
                    throw new IllegalStateException("on purpose");
                }),
                "");
    }

    @Test
    void anExceptionInADelayedContinuationEndsOnlyTheConnectionOfTheRequest() throws Exception {
        assertOnlyOneConnectionEnds(
                exchange -> exchange.resumeAfter(Duration.ofMillis(20), () -> {
                    throw new IllegalStateException("on purpose");
                }),
                "");
    }

    @Test
    void anExchangeCanContinueAfterItsHandlerHasReturned() throws Exception {
        Site site = new Site()
                .on(
                        "/later",
                        exchange -> exchange.resumeAfter(
                                Duration.ofMillis(20),
                                () -> exchange.resume(() -> {
                                    answer(exchange);
                                })));
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            String message = "GET /later HTTP/1.1\r\nHost: x\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onOneConnection(server, message, client -> {
                assertEquals("later", client.answer().body());
                assertEquals("GET /next\n", client.answer().body());
            });
            assertEquals(List.of(), server.events.failed());
        }
    }

    private static void answer(Exchange exchange) {
        try {
            Site.text(exchange, "later");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void anExceptionInAnHttp10ResponseWithoutALengthResetsTheConnection() throws Exception {
        Site site = new Site().on("/fails", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().write(ByteBuffer.wrap(new byte[] {'a'}), false);
            exchange.response().flush();
            throw new IOException("on purpose");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("GET /fails HTTP/1.0\r\n\r\n");
            assertThrows(SocketException.class, client::rest);
        }
    }
}
