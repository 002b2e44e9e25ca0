package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class MultiplexedClientTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final String OK = "HTTP/1.1 200 OK\r\nX-A: b\r\nContent-Length: 2\r\n\r\nok";

    private final DrivenLoop driven =
            new DrivenLoop(ClientSettings.defaults().withMaxConnections(2).withLargestBody(100));
    private final MultiplexedClient client = MultiplexedClient.over(driven.loop, driven.clock());

    @AfterEach
    void stop() {
        driven.close();
    }

    @Test
    void theStatusAndTheHeaderFieldsAndTheBodyOfAResponseAreReturned() throws IOException {
        CompletableFuture<Response> call = fetch("/");
        Response response = answered(call, accepted(), OK);
        assertEquals(200, response.status());
        assertEquals("b", response.fields().first("x-a").orElseThrow());
        assertArrayEquals("ok".getBytes(StandardCharsets.US_ASCII), response.body());
        assertEquals("ok", response.text());
    }

    @Test
    void aSecondCallUsesTheSameConnection() throws IOException {
        CompletableFuture<Response> first = fetch("/a");
        DrivenLoop.Peer peer = accepted();
        answered(first, peer, OK);
        CompletableFuture<Response> second = fetch("/b");
        assertTrue(peer.read("\r\n\r\n").startsWith("GET /b "));
        answered(second, peer, OK);
        assertEquals(1, driven.loop.connections());
    }

    @Test
    void aCallBeyondTheLimitOfConnectionsFails() throws IOException {
        fetch("/a");
        fetch("/b");
        assertEquals(Failure.NO_ROOM, failure(fetch("/c")));
    }

    @Test
    void aKeptConnectionThatTheServerHasClosedIsNotUsed() throws IOException {
        CompletableFuture<Response> first = fetch("/a");
        DrivenLoop.Peer peer = accepted();
        answered(first, peer, OK);
        peer.close();
        driven.until(() -> driven.loop.connections() == 0);
        assertEquals("ok", answered(fetch("/b"), accepted(), OK).text());
    }

    @Test
    void aCallThatTheServerEndsOnAKeptConnectionFails() throws IOException {
        CompletableFuture<Response> first = fetch("/a");
        DrivenLoop.Peer peer = accepted();
        answered(first, peer, OK);
        CompletableFuture<Response> second = fetch("/b");
        peer.read("\r\n\r\n");
        peer.close();
        assertEquals(Failure.CLOSED_EARLY, failure(second));
    }

    @Test
    void aCallToASilentServerFailsAtItsDeadline() throws IOException {
        CompletableFuture<Response> call = client.fetchAsync(request("/"), Duration.ofSeconds(1));
        accepted();
        driven.pass(Duration.ofMillis(1_002));
        assertEquals(Failure.DEADLINE, failure(call));
        assertEquals(0, driven.loop.connections());
    }

    @Test
    void aResponseWithATooLargeBodyIsReportedAsABadResponse() throws IOException {
        CompletableFuture<Response> call = fetch("/");
        accepted().send("HTTP/1.1 200 OK\r\n\r\n" + "x".repeat(101));
        assertEquals(Failure.BAD_RESPONSE, failure(call));
        assertEquals(0, driven.loop.connections());
    }

    @Test
    void theConnectionOfACancelledCallIsClosed() throws IOException {
        CompletableFuture<Response> call = fetch("/");
        accepted();
        assertTrue(call.cancel(false));
        driven.until(() -> driven.loop.connections() == 0);
    }

    @Test
    void closingTheClientAbandonsAllCalls() throws IOException {
        CompletableFuture<Response> sent = fetch("/a");
        accepted();
        CompletableFuture<Response> notSent = fetch("/b");
        client.close();
        assertEquals(Failure.ABANDONED, failure(sent));
        assertEquals(Failure.ABANDONED, failure(notSent));
        assertEquals(Failure.ABANDONED, failure(fetch("/c")));
    }

    @Test
    void aBlockingCallOnTheThreadOfTheLoopIsRefused() throws IOException {
        assertThrows(IllegalStateException.class, () -> client.fetch(driven.url("/"), MINUTE));
    }

    private Request request(String path) {
        return Request.get(driven.target(path));
    }

    private CompletableFuture<Response> fetch(String path) {
        return client.fetchAsync(request(path), MINUTE);
    }

    /** Accepts the next connection, and waits until a request arrives on this connection. */
    private DrivenLoop.Peer accepted() throws IOException {
        // In this round, the loop receives the calls and begins to connect. So accept() does not block.
        driven.round();
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        return peer;
    }

    private Response answered(CompletableFuture<Response> call, DrivenLoop.Peer peer, String answer)
            throws IOException {
        peer.send(answer);
        driven.until(call::isDone);
        return call.join();
    }

    private Failure failure(CompletableFuture<Response> call) {
        driven.until(call::isDone);
        ExecutionException failure = assertThrows(ExecutionException.class, call::get);
        return ((CallException) failure.getCause()).failure();
    }
}
