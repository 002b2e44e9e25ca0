package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.HttpConnection.Exchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KeptConnectionTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private final DrivenLoop driven = new DrivenLoop();
    private final List<String> log = new ArrayList<>();
    private final HttpConnection.Listener listener =
            (connection, cause) -> log.add("closed " + (cause == null ? "in order" : cause.failure()));

    @AfterEach
    void stop() {
        driven.close();
    }

    @Test
    void consecutiveRequestsUseTheSameConnection() throws Exception {
        HttpConnection connection = open();
        send(connection, "a");
        DrivenLoop.Peer peer = driven.accept();
        assertEquals(
                "GET /a HTTP/1.1\r\nHost: 127.0.0.1:" + driven.server.getLocalPort() + "\r\n\r\n",
                peer.read("\r\n\r\n"));
        peer.send(OK);
        driven.until(() -> connection.pending() == 0);
        assertTrue(connection.isOpen());
        send(connection, "b");
        assertTrue(peer.read("\r\n\r\n").startsWith("GET /b "));
        peer.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
        driven.until(() -> connection.pending() == 0);
        assertEquals(List.of("a complete 200", "b complete 404"), log);
    }

    @Test
    void pipelinedResponsesThatArriveTogetherAreAssignedToTheirRequests() throws Exception {
        HttpConnection connection = open();
        send(connection, "a");
        send(connection, "b");
        send(connection, "c");
        assertEquals(3, connection.pending());
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.readRequest();
        peer.readRequest();
        peer.send(OK + "HTTP/1.1 204 No Content\r\n\r\n" + OK);
        driven.until(() -> connection.pending() == 0);
        assertEquals(List.of("a complete 200", "b complete 204", "c complete 200"), log);
    }

    @Test
    void theSameRequestCanBeSentManyTimes() throws Exception {
        Request request = Request.get(driven.target("/same"));
        HttpConnection connection = open();
        // The client needs more than one write for these requests.
        int times = 40;
        for (int i = 0; i < times; i++) {
            connection.send(request, HttpConnection.NO_DEADLINE, new RecordedExchange("x", log));
        }
        DrivenLoop.Peer peer = driven.accept();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < times; i++) {
                peer.readRequest();
                peer.send("HTTP/1.1 204 No Content\r\n\r\n");
            }
            driven.until(() -> connection.pending() == 0);
            if (round == 0) {
                for (int i = 0; i < times; i++) {
                    connection.send(request, HttpConnection.NO_DEADLINE, new RecordedExchange("x", log));
                }
            }
        }
        assertEquals(2 * times, log.stream().filter("x complete 204"::equals).count());
    }

    @Test
    void aHandlerCanSendTheNextRequestInOnComplete() throws Exception {
        HttpConnection connection = open();
        Request request = Request.get(driven.target("/"));
        connection.send(request, HttpConnection.NO_DEADLINE, new Exchange() {
            @Override
            public void onComplete(int status) {
                send(connection, "b");
            }

            @Override
            public void onFailure(CallException failure) {
                throw new AssertionError(failure);
            }
        });
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send(OK);
        assertTrue(peer.read("\r\n\r\n").startsWith("GET /b "));
    }

    @Test
    void aResponseToHeadHasNoBody() throws Exception {
        HttpConnection connection = open();
        connection.send(Request.head(driven.target("/")), HttpConnection.NO_DEADLINE, new RecordedExchange("h", log));
        send(connection, "a");
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + OK);
        driven.until(() -> connection.pending() == 0);
        assertEquals(List.of("h complete 200", "a complete 200"), log);
    }

    @Test
    void aResponseWithConnectionCloseClosesTheConnectionWithoutAnError() throws Exception {
        HttpConnection connection = open();
        send(connection, "a");
        send(connection, "b");
        driven.accept().send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        driven.until(() -> log.size() == 3);
        assertEquals(List.of("a complete 200", "b ABANDONED", "closed in order"), log);
        assertFalse(connection.isOpen());
        assertThrows(IllegalStateException.class, () -> send(connection, "c"));
    }

    @Test
    void aBodyWithoutALengthIsReadUntilTheServerClosesTheConnection() throws Exception {
        HttpConnection connection = open();
        send(connection, "a");
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 200 OK\r\n\r\nall");
        peer.close();
        driven.until(() -> log.size() == 2);
        assertEquals(List.of("a complete 200", "closed in order"), log);
    }

    @Test
    void aCloseAfterACompleteResponseIsNotReportedAsAnError() throws Exception {
        HttpConnection connection = open();
        send(connection, "a");
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 204 No Content\r\n\r\n");
        driven.until(() -> connection.pending() == 0);
        peer.close();
        driven.until(() -> !connection.isOpen());
        assertEquals(List.of("a complete 204", "closed in order"), log);
    }

    private HttpConnection open() throws IOException {
        return HttpConnection.open(driven.loop, driven.address(), listener);
    }

    private void send(HttpConnection connection, String name) {
        Request request = Request.get(driven.target("/" + name));
        connection.send(request, HttpConnection.NO_DEADLINE, new RecordedExchange(name, log));
    }
}
