package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.HttpConnection.Exchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class FailureKindsTest {
    private final DrivenLoop driven =
            new DrivenLoop(ClientSettings.defaults().withMaxConnections(2).withConnectTimeout(Duration.ofSeconds(3)));
    private final List<String> log = new ArrayList<>();
    private final HttpConnection.Listener listener =
            (connection, cause) -> log.add("closed " + (cause == null ? "in order" : cause.failure()));

    @AfterEach
    void stop() {
        driven.close();
    }

    @Test
    void aRefusedConnectionIsReported() throws Exception {
        driven.server.close();
        send(open(), "a", HttpConnection.NO_DEADLINE);
        driven.until(() -> log.size() == 2);
        assertEquals(List.of("a CONNECT_REFUSED", "closed CONNECT_REFUSED"), log);
    }

    /**
     * The server accepts no connection, and its socket has a small backlog. The operating system drops the connection attempts that do not
     * fit into the backlog. So some of the attempts reach the connect timeout.
     */
    @Test
    void aConnectTimeoutIsReported() throws Exception {
        int all = 10;
        try (ServerSocket busy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                DrivenLoop otherLoop =
                        new DrivenLoop(ClientSettings.defaults().withConnectTimeout(Duration.ofSeconds(3)))) {
            List<HttpConnection> connections = new ArrayList<>();
            for (int i = 0; i < all; i++) {
                InetSocketAddress to = (InetSocketAddress) busy.getLocalSocketAddress();
                connections.add(HttpConnection.open(otherLoop.loop, to, listener));
            }
            otherLoop.until(() -> connections.stream().anyMatch(HttpConnection::isOpen));
            for (int i = 0; i < all; i++) {
                otherLoop.round();
            }
            otherLoop.pass(Duration.ofMillis(3_001));
            long made = connections.stream().filter(HttpConnection::isOpen).count();
            assertTrue(made < all, "all " + made + " connections were made");
            assertEquals(Collections.nCopies((int) (all - made), "closed CONNECT_TIMED_OUT"), log);
        }
    }

    @Test
    void theConnectTimeoutDoesNotApplyToAnOpenConnection() throws Exception {
        HttpConnection connection = open();
        driven.until(connection::isOpen);
        driven.pass(Duration.ofMinutes(5));
        assertEquals(List.of(), log);
    }

    @Test
    void anUnknownHostIsReported() {
        InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere.invalid", 80);
        CallException failure =
                assertThrows(CallException.class, () -> HttpConnection.open(driven.loop, nowhere, listener));
        assertEquals(Failure.CONNECT_FAILED, failure.failure());
        assertEquals("Unknown host: nowhere.invalid", failure.getMessage());
        assertEquals(0, driven.loop.connections());
    }

    @Test
    void theLoopRefusesAConnectionBeyondItsLimit() throws Exception {
        open();
        HttpConnection second = open();
        assertEquals(
                Failure.NO_ROOM, assertThrows(CallException.class, this::open).failure());
        second.close();
        open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe"})
    void aResetByTheServerIsReported(String before) throws Exception {
        DrivenLoop.Peer peer = peerWithRequest("a");
        answer(peer, before);
        peer.reset();
        driven.until(() -> log.contains("closed RESET"));
        assertEquals(List.of("a RESET", "closed RESET"), lastTwo());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n",
                "HTTP/1.1 100 Continue\r\n\r\n"
            })
    void aCloseBeforeTheEndOfTheResponseIsReported(String before) throws Exception {
        DrivenLoop.Peer peer = peerWithRequest("a");
        answer(peer, before);
        peer.close();
        driven.until(() -> log.contains("closed CLOSED_EARLY"));
        assertEquals(List.of("a CLOSED_EARLY", "closed CLOSED_EARLY"), lastTwo());
    }

    @Test
    void aHalfCloseAfterTheResponseIsNotAFailure() throws Exception {
        DrivenLoop.Peer peer = peerWithRequest("a");
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        peer.socket.shutdownOutput();
        driven.until(() -> log.size() == 2);
        assertEquals(List.of("a complete 200", "closed in order"), log);
    }

    @Test
    void aSilentServerIsReportedAtTheDeadline() throws Exception {
        HttpConnection connection = open();
        send(connection, "a", driven.in(Duration.ofSeconds(30)));
        driven.accept();
        driven.until(connection::isOpen);
        driven.pass(Duration.ofMillis(29_999));
        assertEquals(List.of(), log);
        driven.pass(Duration.ofMillis(2));
        assertEquals(List.of("a DEADLINE", "closed DEADLINE"), log);
    }

    @Test
    void anEndlessResponseIsReportedAtTheDeadline() throws Exception {
        HttpConnection connection = open();
        send(connection, "a", driven.in(Duration.ofSeconds(2)));
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        while (!log.contains("a DEADLINE")) {
            peer.send("1\r\nx\r\n");
            driven.pass(Duration.ofMillis(100));
        }
        assertEquals(List.of("a DEADLINE", "closed DEADLINE"), lastTwo());
    }

    @Test
    void aMissedDeadlineAbandonsTheOtherPipelinedCalls() throws Exception {
        HttpConnection connection = open();
        send(connection, "a", driven.in(Duration.ofSeconds(9)));
        send(connection, "b", driven.in(Duration.ofSeconds(1)));
        send(connection, "c", HttpConnection.NO_DEADLINE);
        driven.pass(Duration.ofMillis(1_002));
        assertEquals(List.of("a ABANDONED", "b DEADLINE", "c ABANDONED", "closed DEADLINE"), log);
    }

    @Test
    void theDeadlineOfACompleteCallDoesNotApplyToTheNextCall() throws Exception {
        HttpConnection connection = open();
        send(connection, "a", driven.in(Duration.ofSeconds(1)));
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 204 No Content\r\n\r\n");
        driven.until(() -> connection.pending() == 0);
        send(connection, "b", driven.in(Duration.ofSeconds(3)));
        driven.pass(Duration.ofMillis(2_900));
        assertEquals(List.of("a complete 204"), log);
        driven.pass(Duration.ofMillis(102));
        assertEquals(List.of("b DEADLINE", "closed DEADLINE"), lastTwo());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-OpenSSH_9.2\r\n",
                "HTTP/1.1 200 OK\r\nNo field\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 101 Switching Protocols\r\n\r\n"
            })
    void aMalformedResponseIsReported(String answer) throws Exception {
        DrivenLoop.Peer peer = peerWithRequest("a");
        peer.send(answer);
        driven.until(() -> log.contains("closed BAD_RESPONSE"));
        assertEquals(List.of("a BAD_RESPONSE", "closed BAD_RESPONSE"), lastTwo());
    }

    @Test
    void aBadResponseAbandonsTheLaterPipelinedCalls() throws Exception {
        HttpConnection connection = open();
        send(connection, "a", HttpConnection.NO_DEADLINE);
        send(connection, "b", HttpConnection.NO_DEADLINE);
        driven.accept().send("nonsense\r\n");
        driven.until(() -> log.size() == 3);
        assertEquals(List.of("a BAD_RESPONSE", "b ABANDONED", "closed BAD_RESPONSE"), log);
    }

    @Test
    void bytesAfterTheLastResponseAreReportedAsABadResponse() throws Exception {
        DrivenLoop.Peer peer = peerWithRequest("a");
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nsurplus");
        driven.until(() -> log.size() == 2);
        assertEquals(List.of("a complete 200", "closed BAD_RESPONSE"), log);
    }

    @Test
    void closingTheLoopAbandonsTheRunningCalls() throws Exception {
        peerWithRequest("a");
        driven.loop.close();
        assertEquals(List.of("a ABANDONED", "closed ABANDONED"), log);
    }

    @Test
    void aClosingLoopRefusesNewConnections() throws Exception {
        List<Failure> again = new ArrayList<>();
        HttpConnection.open(
                driven.loop,
                driven.address(),
                (connection, cause) ->
                        again.add(assertThrows(CallException.class, this::open).failure()));
        driven.loop.close();
        assertEquals(List.of(Failure.ABANDONED), again);
    }

    @Test
    void anExceptionInAHandlerClosesOnlyTheConnectionOfTheHandler() throws Exception {
        DrivenLoop.Peer healthy = peerWithRequest("healthy");
        HttpConnection connection = open();
        connection.send(Request.get(driven.target("/")), HttpConnection.NO_DEADLINE, new ThrowingExchange());
        send(connection, "behind", HttpConnection.NO_DEADLINE);
        driven.accept().send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfull");
        driven.until(() -> log.size() == 2);
        assertEquals(List.of("behind ABANDONED", "closed HANDLER_FAILED"), log);
        log.clear();
        healthy.send("HTTP/1.1 204 No Content\r\n\r\n");
        driven.until(() -> !log.isEmpty());
        assertEquals(List.of("healthy complete 204"), log);
    }

    private HttpConnection open() throws CallException {
        return HttpConnection.open(driven.loop, driven.address(), listener);
    }

    private void send(HttpConnection connection, String name, long deadline) {
        connection.send(Request.get(driven.target("/" + name)), deadline, new RecordedExchange(name, log));
    }

    /** Opens a connection, sends a request, waits until the request arrives, and returns the server's side of the connection. */
    private DrivenLoop.Peer peerWithRequest(String name) throws IOException {
        send(open(), name, HttpConnection.NO_DEADLINE);
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        return peer;
    }

    private void answer(DrivenLoop.Peer peer, String text) throws IOException {
        peer.send(text);
        // The client must read these bytes now, because a later reset would discard the unread bytes.
        driven.round();
    }

    private List<String> lastTwo() {
        return log.subList(log.size() - 2, log.size());
    }

    private final class ThrowingExchange implements Exchange {
        @Override
        public void onComplete(int status) {
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void onFailure(CallException failure) {
            log.add("throwing " + failure.failure());
        }
    }
}
