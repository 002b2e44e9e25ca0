package io.penstock.loadtest.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.LoopWithServer;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.testing.FreePort;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests each kind of slow client against a socket that the test controls. A burst is the first part of an upload; the client sends this
 * part fast. A reader is a client that reads its response slowly.
 */
@Timeout(120)
class RunningCrowdTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final byte[] OK =
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII);

    @RegisterExtension
    private final LoopWithServer ends = new LoopWithServer(10);

    @Test
    void anUploadClientSendsTheHeadAndThenTheBodyInSmallPieces() throws Exception {
        try (RunningCrowd crowd = gather(1, SlowClient.UPLOAD, upload(5, 0, 2, 10));
                Socket peer = ends.accept()) {
            BufferedReader in = reader(peer);
            assertEquals("POST /slow HTTP/1.1", in.readLine());
            assertTrue(headOf(in).contains("Content-Length: 5"));
            for (int i = 0; i < 5; i++) {
                assertEquals(' ', in.read());
            }
            peer.getOutputStream().write(OK);
            assertEquals("POST /slow HTTP/1.1", in.readLine(), "the client has not sent a second upload");
            assertEquals(1, crowd.tally().answered());
            assertEquals(0, crowd.disperse().sentAway());
        }
    }

    @Test
    void anUploadClientCanSendABurstBeforeTheSmallPieces() throws Exception {
        int first = 100_000;
        try (RunningCrowd crowd = gather(1, SlowClient.UPLOAD, upload(10_000_000, first, 1, 60_000));
                Socket peer = ends.accept()) {
            BufferedReader in = reader(peer);
            headOf(in);
            // The client sends the first small piece together with the burst.
            for (int i = 0; i <= first; i++) {
                assertEquals(' ', in.read());
            }
            Tally tally = crowd.disperse();
            assertEquals(1, tally.standing());
        }
    }

    @Test
    void aBurstIsCountedAsSentAfterTheServerHasReadTheBurst() throws Exception {
        // The burst does not fit into the buffers of the two sockets. So the client can finish the burst only if the
        // server reads.
        int first = 64 << 20;
        try (RunningCrowd crowd = gather(1, SlowClient.UPLOAD, upload(100 << 20, first, 1, 60_000));
                Socket peer = ends.accept()) {
            assertEquals(0, crowd.tally().burstsSent());
            peer.getInputStream().skipNBytes(first);
            while (crowd.tally().burstsSent() == 0) {
                // Meanwhile, the client sends the remaining bytes of the burst.
                Thread.onSpinWait();
            }
            Tally tally = crowd.disperse();
            assertEquals(1, tally.burstsSent());
        }
    }

    @Test
    void aHalfHeadClientSendsAnIncompleteRequestHead() throws Exception {
        try (RunningCrowd crowd = gather(1, SlowClient.HALF_HEAD, slow());
                Socket peer = ends.accept()) {
            crowd.disperse();
            String all = new String(peer.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(all.startsWith("GET /slow HTTP/1.1\r\n"), all);
            assertTrue(!all.contains("\r\n\r\n") && !all.endsWith("\r\n"), all);
        }
    }

    @Test
    void aHalfHandshakeClientSendsHalfOfAClientHello() throws Exception {
        try (RunningCrowd crowd = gather(1, SlowClient.HALF_HELLO, slow());
                Socket peer = ends.accept()) {
            crowd.disperse();
            byte[] all = peer.getInputStream().readAllBytes();
            assertEquals(22, all[0], "the client has not sent a handshake record");
            int length = 5 + ByteBuffer.wrap(all).getShort(3);
            assertEquals(length / 2, all.length);
        }
    }

    @Test
    void aHalfHandshakeClientIsCountedAsConnectedWhenTheServerSendsItsFirstBytes() throws Exception {
        CompletableFuture<RunningCrowd> crowdFuture = inBackground(1, SlowClient.HALF_HANDSHAKE, slow());
        try (Socket peer = ends.accept()) {
            byte[] head = peer.getInputStream().readNBytes(5);
            assertEquals(22, head[0], "the client has not sent a handshake record");
            int length = ByteBuffer.wrap(head).getShort(3);
            assertEquals(length, peer.getInputStream().readNBytes(length).length);
            assertTrue(!crowdFuture.isDone());
            peer.getOutputStream().write(head); // the first bytes of the server
            assertEquals(1, crowdFuture.get(60, TimeUnit.SECONDS).disperse().standing());
            assertEquals(0, peer.getInputStream().readAllBytes().length);
        }
    }

    @Test
    void anIdleClientIsCountedAsConnectedAfterItsFirstResponse() throws Exception {
        CompletableFuture<RunningCrowd> crowdFuture = inBackground(1, SlowClient.IDLE, slow());
        try (Socket peer = ends.accept()) {
            headOf(reader(peer));
            assertTrue(!crowdFuture.isDone());
            peer.getOutputStream().write(OK);
            Tally tally = crowdFuture.get(60, TimeUnit.SECONDS).disperse();
            assertEquals(1, tally.standing());
            assertEquals(1, tally.fewestStanding());
        }
    }

    @Test
    void aReaderWithoutAResponseIsCountedAsConnectedButNotAsAnswered() throws Exception {
        CompletableFuture<RunningCrowd> crowdFuture = inBackground(2, SlowClient.READER, reading(100, 10));
        try (Socket answered = ends.accept();
                Socket silent = ends.accept()) {
            headOf(reader(answered));
            answered.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
            headOf(reader(silent));
            Tally tally = crowdFuture.get(60, TimeUnit.SECONDS).disperse();
            assertEquals(2, tally.standing());
            assertEquals(1, tally.beingAnswered());
            assertTrue(
                    tally.describe().startsWith("2 of 2 connected (1 of 2 readers are being answered, the others"),
                    tally.describe());
        }
    }

    @Test
    void aResponseIsReadInSmallPieces() throws Exception {
        CompletableFuture<RunningCrowd> crowdFuture = inBackground(1, SlowClient.READER, reading(5, 60_000));
        try (Socket peer = ends.accept()) {
            headOf(reader(peer));
            peer.getOutputStream().write(OK);
            Tally tally = crowdFuture.get(60, TimeUnit.SECONDS).disperse();
            // The client reads 5 bytes per minute, and the response has about 40 bytes. So the client has not read the
            // whole response yet.
            assertEquals(1, tally.beingAnswered());
            assertEquals(0, tally.answered());
        }
    }

    @Test
    void aReaderSendsANewRequestAfterEachResponse() throws Exception {
        CompletableFuture<RunningCrowd> crowdFuture = inBackground(1, SlowClient.READER, reading(7, 1));
        try (Socket peer = ends.accept()) {
            BufferedReader in = reader(peer);
            for (int i = 0; i < 3; i++) {
                assertTrue(headOf(in).startsWith("GET /slow HTTP/1.1"));
                peer.getOutputStream().write(OK);
            }
            assertTrue(crowdFuture.get(60, TimeUnit.SECONDS).disperse().answered() >= 2);
        }
    }

    @Test
    void aDisconnectedClientReconnectsAndEachDisconnectionIsCounted() throws Exception {
        try (RunningCrowd crowd = gather(1, SlowClient.HALF_HEAD, slow())) {
            ends.accept().close();
            ends.accept().close();
            try (Socket third = ends.accept()) {
                assertTrue(reader(third).readLine().startsWith("GET "));
                Tally tally = crowd.disperse();
                assertEquals(2, tally.sentAway());
                assertEquals(0, tally.fewestStanding());
                assertEquals(1, tally.standing());
            }
        }
    }

    @Test
    void allClientsAreConnectedIfTwoGroupsHaveTheSameKind() throws Exception {
        CrowdPlan.Group group = new CrowdPlan.Group(1, SlowClient.HALF_HEAD, slow());
        CrowdPlan plan = new CrowdPlan(List.of(group, new CrowdPlan.Group(1, SlowClient.HALF_HEAD, slow())));
        try (RunningCrowd crowd = RunningCrowd.gather(ends.loop(), plan, SOON)) {
            assertEquals(2, crowd.disperse().standing());
        }
    }

    @Test
    void theErrorForUnconnectedClientsContainsTheLastConnectError() throws IOException {
        Target nobody = refusing();
        IOException incomplete = assertThrows(
                IOException.class,
                () -> RunningCrowd.gather(
                        ends.loop(), CrowdPlan.of(3, SlowClient.HALF_HEAD, Manner.to(nobody)), Duration.ofSeconds(5)));
        assertTrue(
                incomplete.getMessage().startsWith("only 0 of 3 slow clients are connected after"),
                incomplete.getMessage());
        assertTrue(incomplete.getMessage().contains("refused"), incomplete.getMessage());
    }

    @Test
    void theReachableClientsRunIfOtherClientsCannotConnect() throws Exception {
        CrowdPlan.Group here = new CrowdPlan.Group(1, SlowClient.HALF_HEAD, slow());
        CrowdPlan.Group nowhere = new CrowdPlan.Group(2, SlowClient.HALF_HEAD, Manner.to(refusing()));
        try (RunningCrowd crowd = RunningCrowd.gatherReachable(
                ends.loop(), new CrowdPlan(List.of(here, nowhere)), Duration.ofSeconds(5))) {
            Tally tally = crowd.disperse();
            assertTrue(!tally.isComplete(), tally.toString());
            assertEquals(1, tally.standing());
            assertEquals(1, tally.fewestStanding());
            assertTrue(tally.lastTrouble().contains("refused"), tally.lastTrouble());
        }
    }

    private static Target refusing() throws IOException {
        return Target.of(URI.create("http://127.0.0.1:" + FreePort.next() + "/slow"));
    }

    private RunningCrowd gather(int size, SlowClient client, Manner manner) throws IOException, InterruptedException {
        return RunningCrowd.gather(ends.loop(), CrowdPlan.of(size, client, manner), SOON);
    }

    private CompletableFuture<RunningCrowd> inBackground(int size, SlowClient client, Manner manner) {
        return LoopWithServer.inBackground(() -> gather(size, client, manner));
    }

    private Manner slow() {
        return Manner.to(ends.target());
    }

    private Manner upload(int length, int burst, int drop, int pauseMillis) {
        return new Manner(ends.target(), length, burst, drop, 1, pauseMillis, 1);
    }

    private Manner reading(int bytes, int pauseMillis) {
        return new Manner(ends.target(), 1, 0, 1, bytes, pauseMillis, 1);
    }

    private static BufferedReader reader(Socket peer) throws IOException {
        return new BufferedReader(new InputStreamReader(peer.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static String headOf(BufferedReader in) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            lines.add(line);
        }
        return String.join("\r\n", lines);
    }
}
