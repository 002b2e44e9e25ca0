package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http.RequestHead;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whatever fails on a reactor ends the connection it failed for; the reactor and its other clients go on. */
final class ContainmentTest {

    private static WireServer server(WireConfig config, RecordedEvents events) throws IOException {
        return new WireServer(config.toConfig(), new Site(), Duration.ofSeconds(10), events);
    }

    private static void assertAnswered(RawClient client) throws IOException {
        client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("GET /a\n", client.answer().body());
    }

    private static IllegalStateException onPurpose() {
        return new IllegalStateException("on purpose");
    }

    @Test
    void admissionThatThrows() throws Exception {
        Site site = new Site() {
            @Override
            public Verdict admit(RequestHead head) {
                if (head.target().path().equals("/throw")) {
                    throw onPurpose();
                }
                return super.admit(head);
            }
        };
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient other = server.connect()) {
            String request = "GET /throw HTTP/1.1\r\nHost: x\r\n\r\n";
            Cuts.onNewConnections(server, request, client -> {
                assertEquals("", client.rest());
                assertAnswered(other);
            });
            server.events.awaitFailed(request.length());
        }
    }

    @Test
    void listenerThatThrowsAtADeadline() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void timedOut(String connection, String name) {
                super.timedOut(connection, name);
                throw onPurpose();
            }
        };
        try (WireServer server = server(new WireConfig().headTimeout(100).sendBuffer(4096), events);
                RawClient other = server.connect()) {
            assertAnswered(other);
            try (RawClient client = server.connect()) {
                client.send("GET /");
                assertEquals("", client.rest());
            }
            server.events.awaitFailed(1);
            assertAnswered(other);
        }
    }

    @Test
    void listenerThatThrowsAtAWriteStall() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void timedOut(String connection, String name) {
                super.timedOut(connection, name);
                throw onPurpose();
            }
        };
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(60_000)));
        try (WireServer server = new WireServer(
                        new WireConfig().writeStall(100).sendBuffer(4096).toConfig(),
                        site,
                        Duration.ofSeconds(10),
                        events);
                RawClient other = server.connect();
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            server.events.awaitFailed(1);
            assertAnswered(other);
        }
    }

    @Test
    void listenerThatThrowsAtANewConnection() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void opened(String connection, SocketAddress remote) {
                super.opened(connection, remote);
                if (connection.equals("c2")) {
                    throw onPurpose();
                }
            }
        };
        try (WireServer server = server(new WireConfig(), events);
                RawClient other = server.connect()) {
            assertAnswered(other);
            try (RawClient client = server.connect()) {
                assertEquals("", client.rest());
            }
            server.events.awaitFailed(1);
            assertAnswered(other);
        }
    }

    @Test
    void listenerThatThrowsAtAClose() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void closed(String connection, String cause) {
                super.closed(connection, cause);
                throw onPurpose();
            }
        };
        try (WireServer server = server(new WireConfig(), events);
                RawClient other = server.connect()) {
            assertAnswered(other);
            try (RawClient client = server.connect()) {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                assertEquals("GET /a\n", client.answer().body());
                assertEquals("", client.rest());
            }
            server.events.awaitClosed(1);
            assertAnswered(other);
        }
    }
}
