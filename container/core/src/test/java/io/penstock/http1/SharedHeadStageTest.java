package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * One {@link HeadStage} parses the heads of many connections, one after the other. The head of one connection must not affect the request
 * of another connection.
 */
final class SharedHeadStageTest {
    private static String request(String value) {
        return "GET /value HTTP/1.1\r\nHost: x\r\nX: " + value + "\r\n\r\n";
    }

    private static Site site() {
        return new Site()
                .on(
                        "/value",
                        exchange -> Site.text(
                                exchange,
                                String.valueOf(exchange.head().fields().first("X"))));
    }

    private static void assertAnswered(RawClient client, String value) throws Exception {
        client.send(request(value));
        assertEquals(value, client.answer().body());
    }

    @Test
    void aHeadInTwoPiecesIsNotMixedWithHeadsOfOtherConnections() throws Exception {
        String pieces = request("pieces");
        try (WireServer server = WireServer.with(new WireConfig(), site());
                RawClient other = server.connect()) {
            for (int cut = 1; cut < pieces.length(); cut++) {
                try (RawClient client = server.connect()) {
                    client.send(pieces.substring(0, cut));
                    server.settle();
                    assertAnswered(other, "whole");
                    client.send(pieces.substring(cut));
                    assertEquals("pieces", client.answer().body());
                    assertAnswered(client, "again");
                }
                assertAnswered(other, "next");
            }
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void aRefusedOrIncompleteHeadDoesNotAffectOtherConnections() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site());
                RawClient other = server.connect()) {
            for (String bad : List.of(
                    "GET /value HTTP/1.1\r\nHost: x\r\nX : refused\r\n\r\n",
                    "GET /value HTTP/1.1\r\nHost: x\r\nX: refused\r\nContent-Length: x\r\n\r\n",
                    "GET /none HTTP/2.0\r\n\r\n")) {
                try (RawClient client = server.connect();
                        RawClient silent = server.connect()) {
                    silent.send("POST /silent HTTP/1.1\r\nX: sil");
                    server.settle();
                    client.send(bad);
                    assertEquals(
                            bad.contains("/2.0") ? 505 : 400, client.answer().status());
                    assertAnswered(other, "good");
                }
                server.settle();
                assertAnswered(other, "good again");
            }
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void pipelinedRequestsOfTwoConnectionsAreAnsweredInOrder() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), site());
                RawClient one = server.connect();
                RawClient two = server.connect()) {
            String third = request("third");
            for (int cut = 1; cut < third.length(); cut++) {
                one.send(request("first") + request("second") + third.substring(0, cut));
                two.send(request("1") + request("2"));
                assertEquals("first", one.answer().body());
                assertEquals("1", two.answer().body());
                one.send(third.substring(cut));
                assertEquals("second", one.answer().body());
                assertEquals("third", one.answer().body());
                assertEquals("2", two.answer().body());
            }
            assertEquals(List.of(), server.events.failed());
        }
    }
}
