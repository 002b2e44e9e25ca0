package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.ForwardingFile;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A failure on a reactor must end only the connection that caused the failure. The reactor must continue to serve its other clients. */
final class ContainmentTest {

    private static WireServer server(WireConfig config, RecordedEvents events) throws IOException {
        return new WireServer(config, new Site(), events);
    }

    private static void assertAnswered(RawClient client) throws IOException {
        client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
        assertEquals("GET /a\n", client.answer().body());
    }

    private static IllegalStateException onPurpose() {
        return new IllegalStateException("on purpose");
    }

    @Test
    void anExceptionDuringTheAdmissionOfARequestEndsOnlyItsConnection() throws Exception {
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
    void anExceptionInTheListenerForTimeoutsDoesNotAffectOtherClients() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void timedOut(String connection, String name) {
                super.timedOut(connection, name);
                throw onPurpose();
            }
        };
        try (WireServer server =
                        server(new WireConfig().timeByHand().headTimeout(100).sendBuffer(4096), events);
                RawClient other = server.connect()) {
            assertAnswered(other);
            try (RawClient client = server.connect()) {
                client.send("GET /");
                server.pass(Duration.ofMillis(120));
                assertEquals("", client.rest());
            }
            server.events.awaitFailed(1);
            assertAnswered(other);
        }
    }

    @Test
    void anExceptionInTheListenerForWriteStallsDoesNotAffectOtherClients() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void timedOut(String connection, String name) {
                super.timedOut(connection, name);
                throw onPurpose();
            }
        };
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(60_000)));
        try (WireServer server = new WireServer(
                        new WireConfig().timeByHand().writeStall(100).sendBuffer(4096), site, events);
                RawClient other = server.connect();
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            server.passUntilTimeout(Duration.ofMillis(120), "write-stall-timeout");
            server.events.awaitFailed(1);
            assertAnswered(other);
        }
    }

    @Test
    void anExceptionWhenARequestHasWaitedTooLongEndsOnlyItsConnection() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void refused(String connection, int status, String reason) {
                super.refused(connection, status, reason);
                if (reason.equals("queue-age")) {
                    throw onPurpose();
                }
            }
        };
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/block", exchange -> {
            inside.countDown();
            go.await();
            Site.text(exchange, "done");
        });
        WireConfig config = new WireConfig().timeByHand().workers(1).queueAge(400);
        try (WireServer server = new WireServer(config, site, events);
                RawClient other = server.connect();
                RawClient client = server.connect()) {
            other.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            inside.await();
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            server.pass(Duration.ofMillis(420));
            assertEquals("", client.rest());
            server.events.awaitFailed(1);
            go.countDown();
            assertEquals("done", other.answer().body());
            assertAnswered(other);
            server.awaitNothingHeld();
        }
    }

    @Test
    void anExceptionInTheListenerForOpenedConnectionsEndsOnlyTheNewConnection() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void opened(String connection, SocketAddress remote) {
                super.opened(connection, remote);
                if (connection.equals("c2")) {
                    throw onPurpose();
                }
            }
        };
        try (WireServer server = server(new WireConfig().overSockets(), events);
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
    void anExceptionInTheListenerForClosedConnectionsDoesNotAffectOtherClients() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void closed(String connection, CloseCause cause, String detail) {
                super.closed(connection, cause, detail);
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

    /** The listener throws an exception when a connection is closed. The server must report this exception as a failure. */
    @Test
    void anExceptionInTheListenerForClosedConnectionsIsReportedAsAFailure() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void closed(String connection, CloseCause cause, String detail) {
                super.closed(connection, cause, detail);
                throw onPurpose();
            }
        };
        assertOtherClientsAreServed(events);
    }

    @Test
    void anExceptionInTheListenerForFailuresDoesNotAffectOtherClients() throws Exception {
        RecordedEvents events = new RecordedEvents() {
            @Override
            public void closed(String connection, CloseCause cause, String detail) {
                super.closed(connection, cause, detail);
                throw onPurpose();
            }

            @Override
            public void failed(String connection, Throwable cause) {
                super.failed(connection, cause);
                throw onPurpose();
            }
        };
        assertOtherClientsAreServed(events);
    }

    private static void assertOtherClientsAreServed(RecordedEvents events) throws Exception {
        try (WireServer server = server(new WireConfig(), events);
                RawClient other = server.connect();
                RawClient client = server.connect()) {
            assertAnswered(other);
            assertAnswered(client);
            client.reset();
            server.events.awaitFailed(1);
            assertAnswered(other);
        }
    }

    /**
     * When the server closes the file of a response, the file throws an exception. The server must still release the bytes that follow the
     * file in the response.
     */
    @Test
    void anExceptionDuringTheCloseOfAFileDoesNotAffectOtherClients(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("file"), new byte[4_000_000]);
        CountDownLatch handedOver = new CountDownLatch(1);
        CountDownLatch closeCalled = new CountDownLatch(1);
        Site site = new Site().on("/file", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 4_001_000));
            FileChannel file = new ForwardingFile(FileChannel.open(path, StandardOpenOption.READ)) {
                @Override
                protected void implCloseChannel() throws IOException {
                    super.implCloseChannel();
                    closeCalled.countDown();
                    throw new IOException("on purpose");
                }
            };
            exchange.response().write(file, 0, 4_000_000, false);
            exchange.response().write(ByteBuffer.wrap(new byte[1000]), true);
            handedOver.countDown();
        });
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
                RawClient other = server.connect();
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            assertAnswered(other);
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(handedOver.await(60, TimeUnit.SECONDS));
            client.reset();
            assertTrue(closeCalled.await(60, TimeUnit.SECONDS));
            server.awaitNothingHeld();
            assertAnswered(other);
        }
    }
}
