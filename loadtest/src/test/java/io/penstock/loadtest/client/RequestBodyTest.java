package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RequestBodyTest {
    private static final String NO_CONTENT = "HTTP/1.1 204 No Content\r\n\r\n";

    private final DrivenLoop driven = new DrivenLoop();
    private final List<String> log = new ArrayList<>();
    private final HttpConnection.Listener listener =
            (connection, cause) -> log.add("closed " + (cause == null ? "in order" : cause.failure()));

    @AfterEach
    void stop() {
        driven.close();
    }

    @Test
    void aShortBodyIsEncodedTogetherWithTheRequestHead() {
        Request request = Request.of("PUT", driven.target("/")).withBody("short".getBytes(StandardCharsets.US_ASCII));
        assertEquals(1, request.encoded().length);
        String encoded = StandardCharsets.ISO_8859_1
                .decode(request.encoded()[0].duplicate())
                .toString();
        assertTrue(encoded.endsWith("Content-Length: 5\r\n\r\nshort"), encoded);
    }

    @Test
    void aLongBodyIsSentWhenTheServerReadsIt() throws Exception {
        int length = 5_000_000;
        HttpConnection connection = send(post().withZeros(length), "a");
        DrivenLoop.Peer peer = driven.accept();
        driven.until(connection::isOpen);
        for (int i = 0; i < 100; i++) {
            // The server does not read. The buffers of the socket have no room for the whole body.
            driven.round();
        }
        assertTrue(peer.read("\r\n\r\n").contains("Content-Length: " + length + "\r\n"));
        assertEquals(expected(length), peer.read(length));
        peer.send(NO_CONTENT);
        driven.until(() -> connection.pending() == 0);
        assertTrue(connection.isOpen());
    }

    /** All requests share the zeros, so a body of any length needs next to no memory. */
    @Test
    void aHugeBodyNeedsNoMemoryForItsBytes() {
        Request request = post().withZeros(10L << 30);
        assertEquals(1 + (10 << 10), request.encoded().length);
    }

    @Test
    void aBodyWithoutADeclaredLengthIsSentInChunks() throws Exception {
        int length = 40_000;
        send(post().withZerosInChunks(length), "a");
        DrivenLoop.Peer peer = driven.accept();
        assertTrue(peer.read("\r\n\r\n").contains("Transfer-Encoding: chunked\r\n"));
        StringBuilder body = new StringBuilder();
        int size = chunkSize(peer);
        while (size > 0) {
            body.append(peer.read(size));
            assertEquals("\r\n", peer.read(2));
            size = chunkSize(peer);
        }
        assertEquals("\r\n", peer.read(2));
        assertEquals(expected(length), body.toString());
    }

    @Test
    void requestsWithEmptyBodiesAreSent() throws Exception {
        HttpConnection connection = send(post().withZerosInChunks(0), "a");
        send(connection, post().withBody(new byte[0]), "b");
        DrivenLoop.Peer peer = driven.accept();
        assertTrue(peer.read("\r\n\r\n").endsWith("chunked\r\n\r\n"));
        assertEquals("0\r\n\r\n", peer.read(5));
        assertTrue(peer.read("\r\n\r\n").contains("Content-Length: 0"));
    }

    @Test
    void aRequestIsNotSentUntilTheBodyOfTheEarlierRequestIsSent() throws Exception {
        int length = 3_000_000;
        Request request = post().withZeros(length);
        HttpConnection connection = send(request, "a");
        send(connection, Request.get(driven.target("/b")), "b");
        send(connection, request, "c");
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        assertEquals(expected(length), peer.read(length));
        assertTrue(peer.read("\r\n\r\n").startsWith("GET /b "));
        assertTrue(peer.read("\r\n\r\n").startsWith("POST / "));
        assertEquals(expected(length), peer.read(length));
        peer.send(NO_CONTENT + NO_CONTENT + NO_CONTENT);
        driven.until(() -> connection.pending() == 0);
        assertEquals(List.of("a complete 204", "b complete 204"), log.subList(0, 2));
    }

    @Test
    void aResponseBeforeTheEndOfTheRequestBodyClosesTheConnection() throws Exception {
        HttpConnection connection = send(post().withZeros(50_000_000), "a");
        send(connection, Request.get(driven.target("/b")), "b");
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n");
        driven.until(() -> log.size() == 3);
        assertEquals(List.of("a complete 413", "b ABANDONED", "closed in order"), log);
    }

    @Test
    void invalidHeaderFieldsAndMethodsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> post().withField("X", "a\r\nY: b"));
        assertThrows(IllegalArgumentException.class, () -> post().withField("X Y", "a"));
        assertThrows(IllegalArgumentException.class, () -> Request.of("GE T", driven.target("/")));
    }

    private Request post() {
        return Request.of("POST", driven.target("/"));
    }

    private HttpConnection send(Request request, String name) throws CallException {
        HttpConnection connection = HttpConnection.open(driven.loop, driven.address(), listener);
        send(connection, request, name);
        return connection;
    }

    private void send(HttpConnection connection, Request request, String name) {
        connection.send(request, HttpConnection.NO_DEADLINE, new RecordedExchange(name, log));
    }

    private static int chunkSize(DrivenLoop.Peer peer) throws IOException {
        return Integer.parseInt(peer.read("\r\n").trim(), 16);
    }

    private static String expected(int length) {
        return "\0".repeat(length);
    }
}
