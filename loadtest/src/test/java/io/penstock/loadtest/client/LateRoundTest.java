package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

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

/**
 * Tests a client whose loop pauses for longer than a deadline. If the response arrived during the pause, the client must not report a
 * timeout.
 */
@Timeout(120)
class LateRoundTest {
    private static final Duration DEADLINE = Duration.ofSeconds(3);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    /** This number of connections is larger than the number that the selector reports at once. */
    private static final int CONNECTIONS = 1500;

    private final DrivenLoop driven = new DrivenLoop(
            ClientSettings.defaults().withMaxConnections(CONNECTIONS).withConnectTimeout(DEADLINE));
    private final List<String> log = new ArrayList<>();
    private final HttpConnection.Listener listener = new HttpConnection.Listener() {
        @Override
        public void onOpen(HttpConnection connection) {
            log.add("open");
        }

        @Override
        public void onClosed(HttpConnection connection, CallException cause) {
            log.add("closed " + cause.failure());
        }
    };

    @AfterEach
    void stop() {
        driven.close();
    }

    @Test
    void aConnectionMadeDuringThePauseIsReportedAsOpen() throws Exception {
        open(driven.address());
        driven.accept();
        driven.pass(PAUSE);
        assertEquals(List.of("open"), log);
    }

    @Test
    void aResponseReceivedDuringThePauseIsReportedWithoutATimeout() throws Exception {
        HttpConnection connection = open(driven.address());
        connection.send(Request.get(driven.target("/")), driven.in(DEADLINE), new RecordedExchange("a", log));
        DrivenLoop.Peer peer = driven.accept();
        peer.readRequest();
        peer.send("HTTP/1.1 204 No Content\r\n\r\n");
        driven.pass(PAUSE);
        driven.pass(PAUSE);
        assertEquals(List.of("open", "a complete 204"), log);
    }

    @Test
    void aMissedDeadlineIsReportedIfTheServerIsSilentDuringThePause() throws Exception {
        HttpConnection connection = open(driven.address());
        connection.send(Request.get(driven.target("/")), driven.in(DEADLINE), new RecordedExchange("a", log));
        driven.accept().readRequest();
        driven.pass(PAUSE);
        assertEquals(List.of("open", "a DEADLINE", "closed DEADLINE"), log);
    }

    @Test
    void aRequestIsSentEvenIfItsConnectionOpensDuringThePause() throws Exception {
        HttpConnection connection = open(driven.address());
        connection.send(Request.get(driven.target("/")), HttpConnection.NO_DEADLINE, new RecordedExchange("a", log));
        DrivenLoop.Peer peer = driven.accept();
        driven.pass(PAUSE);
        peer.readRequest();
        assertEquals(List.of("open"), log);
    }

    @Test
    void allConnectionsAreOpenedEvenIfTheSelectorReportsTheConnectionsInParts() throws Exception {
        try (ServerSocket server = new ServerSocket(0, CONNECTIONS, InetAddress.getLoopbackAddress())) {
            InetSocketAddress to = (InetSocketAddress) server.getLocalSocketAddress();
            for (int i = 0; i < CONNECTIONS; i++) {
                open(to);
                driven.keep(server.accept());
            }
            driven.pass(PAUSE);
            assertEquals(Collections.nCopies(CONNECTIONS, "open"), log);
        }
    }

    private HttpConnection open(InetSocketAddress to) throws CallException {
        return HttpConnection.open(driven.loop, to, listener);
    }
}
