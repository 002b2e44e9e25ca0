package io.penstock.loadtest.crowd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.Fields;
import io.penstock.loadtest.client.LoopWithServer;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests slow streams of HTTP/2 against a socket that the test controls. */
@Timeout(120)
class StreamsMemberTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final byte[] STATUS_200 = {(byte) 0x88};
    private static final byte[] STATUS_500 = {(byte) 0x8e};
    private static final int GET = 5;
    private static final int POST = 4;

    @RegisterExtension
    private final LoopWithServer ends = new LoopWithServer(10);

    private Socket peer;
    private DataInputStream in;

    @Test
    void theWindowsOfReadersHaveTheSizeOfOneReadAndStayClosed() throws Exception {
        CompletableFuture<RunningCrowd> crowd = gather(3, SlowClient.H2_READER, reading(100, 1000));
        accept("000100000000" + "000200000000" + "000400000064");
        for (int stream = 1; stream <= 5; stream += 2) {
            expectRequest(stream, GET);
        }
        send(Frames.frame(Frames.HEADERS, 4, 1, STATUS_200));
        send(Frames.frame(Frames.DATA, 0, 1, new byte[100]));
        // Only the window of the connection is enlarged.
        expect(Frames.WINDOW_UPDATE, 0, 0, "00000064");
        expectPong();
        assertEquals(3, crowd.get(60, TimeUnit.SECONDS).disperse().standing());
    }

    @Test
    void anUploadArrivesInSmallPiecesAndTheNextOneFollowsItsResponse() throws Exception {
        CompletableFuture<RunningCrowd> crowd = gather(1, SlowClient.H2_UPLOAD, upload(5, 2, 1));
        accept("000100000000" + "000200000000" + "00040000ffff");
        String head = expectRequest(1, POST);
        assertTrue(head.contains("\0\u0005:path\u0005/slow"), head);
        assertTrue(head.contains("\0\u0006cookie\u0003a=b"), head);
        assertTrue(head.contains("\0\u000econtent-length\u00015"), head);
        expect(Frames.DATA, 0, 1, "2020");
        expect(Frames.DATA, 0, 1, "2020");
        expect(Frames.DATA, Frames.END_STREAM, 1, "20");
        send(Frames.frame(Frames.HEADERS, 4 | Frames.END_STREAM, 1, STATUS_200));
        expectRequest(3, POST);
        assertEquals(1, crowd.get(60, TimeUnit.SECONDS).disperse().answered());
    }

    @Test
    void anUploadSendsNothingWithoutAWindow() throws Exception {
        gather(1, SlowClient.H2_UPLOAD, upload(2, 2, 1));
        accept("000100000000" + "000200000000" + "00040000ffff", Frames.INITIAL_WINDOW_SIZE, 0);
        expectRequest(1, POST);
        expectPong();
        send(Frames.number(Frames.WINDOW_UPDATE, 1, 2));
        expect(Frames.DATA, Frames.END_STREAM, 1, "2020");
    }

    @Test
    void aStreamThatTheServerEndsIsReplaced() throws Exception {
        CompletableFuture<RunningCrowd> gathered = gather(2, SlowClient.H2_UPLOAD, upload(9, 1, 60_000));
        accept("000100000000" + "000200000000" + "00040000ffff");
        for (int stream = 1; stream <= 3; stream += 2) {
            expectRequest(stream, POST);
            expect(Frames.DATA, 0, stream, "20");
        }
        RunningCrowd crowd = gathered.get(60, TimeUnit.SECONDS);
        send(Frames.number(Frames.RST_STREAM, 1, 7));
        expectRequest(5, POST);
        expect(Frames.DATA, 0, 5, "20");
        send(Frames.frame(Frames.HEADERS, 4 | Frames.END_STREAM, 3, STATUS_500));
        expect(Frames.RST_STREAM, 0, 3, "00000008");
        expectRequest(7, POST);
        Tally tally = crowd.disperse();
        assertEquals(2, tally.standing());
        assertEquals(1, tally.fewestStanding());
        assertEquals(2, tally.sentAway());
        assertEquals(1, tally.refused());
        assertEquals("The server has answered a stream with 500", tally.lastTrouble());
    }

    @Test
    void streamsBeyondTheLimitOfTheServerAreNotConnected() throws Exception {
        CompletableFuture<RunningCrowd> crowd =
                gather(3, 3, SlowClient.H2_READER, reading(100, 1000), Duration.ofMillis(1));
        accept("000100000000" + "000200000000" + "000400000064", Frames.MAX_CONCURRENT_STREAMS, 2);
        expectRequest(1, GET);
        expectRequest(3, GET);
        expectPong();
        assertEquals(2, crowd.get(60, TimeUnit.SECONDS).disperse().standing());
    }

    @Test
    void theStreamsAreDistributedOverConnections() throws Exception {
        CompletableFuture<RunningCrowd> crowd = gather(3, 2, SlowClient.H2_READER, reading(100, 1000), SOON);
        for (int streams = 2; streams > 0; streams--) {
            accept("000100000000" + "000200000000" + "000400000064");
            for (int stream = 1; stream < 2 * streams; stream += 2) {
                expectRequest(stream, GET);
            }
            expectPong();
        }
        assertEquals(3, crowd.get(60, TimeUnit.SECONDS).disperse().standing());
    }

    @Test
    void theTroubleWithAServerWithoutHttp2NamesHttp2() throws Exception {
        CompletableFuture<RunningCrowd> crowd =
                gather(1, 1, SlowClient.H2_READER, reading(100, 1), Duration.ofMillis(1));
        peer = ends.accept();
        peer.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertTrue(peer.getInputStream().readAllBytes().length > 0);
        assertEquals(
                "The server does not speak HTTP/2",
                crowd.get(60, TimeUnit.SECONDS).disperse().lastTrouble());
    }

    @ParameterizedTest
    @CsvSource({
        "88, 200",
        "2088, 200",
        "8d, 404",
        "0803353033, 500",
        "48826402, 300",
        "48821003, 200",
        "08836c0cff, 500",
        "00073a73746174757303343034, 400"
    })
    void everySpellingOfAStatusIsRead(String head, int status) {
        assertEquals(status, Frames.status(ByteBuffer.wrap(HexFormat.of().parseHex(head))));
    }

    @Test
    void aLongFieldIsSentAndOneBeyondAFrameIsRefused() {
        String long300 = "x".repeat(300);
        Target target = target().withField(Fields.Field.ofOption("--header", "Long: " + long300));
        String head = new String(Frames.request(1, target, true, -1).array(), StandardCharsets.ISO_8859_1);
        assertTrue(head.contains("\0\u0004long\u007f\u00ad\u0001" + long300), head);
        Target longer = target().withField(Fields.Field.ofOption("--header", "Long: " + "x".repeat(Frames.LARGEST)));
        assertThrows(IllegalArgumentException.class, () -> Frames.request(1, longer, true, -1));
    }

    private CompletableFuture<RunningCrowd> gather(int size, SlowClient client, Manner manner) {
        return gather(size, size, client, manner, SOON);
    }

    private CompletableFuture<RunningCrowd> gather(
            int size, int most, SlowClient client, Manner manner, Duration within) {
        CrowdPlan plan = CrowdPlan.of(size, client, manner.withStreams(most));
        return LoopWithServer.inBackground(() -> RunningCrowd.gatherReachable(ends.loop(), plan, within));
    }

    private Manner upload(int length, int drop, int pauseMillis) {
        return new Manner(target(), length, 0, drop, 1, pauseMillis, 1);
    }

    private Manner reading(int bytes, int pauseMillis) {
        return new Manner(target(), 1, 0, 1, bytes, pauseMillis, 1);
    }

    /** Accepts a connection, and sends its settings. */
    private void accept(String settings, int... own) throws IOException {
        peer = ends.accept();
        in = new DataInputStream(peer.getInputStream());
        assertEquals("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", new String(in.readNBytes(24), StandardCharsets.US_ASCII));
        expect(Frames.SETTINGS, 0, 0, settings);
        ByteBuffer payload = ByteBuffer.allocate(own.length * 3);
        if (own.length > 0) {
            payload.putShort((short) own[0]).putInt(own[1]);
        }
        send(Frames.frame(Frames.SETTINGS, 0, 0, payload.array()));
        expect(Frames.SETTINGS, Frames.ACK, 0, "");
    }

    private void send(ByteBuffer frame) throws IOException {
        peer.getOutputStream().write(frame.array());
    }

    private void expectPong() throws IOException {
        send(Frames.frame(Frames.PING, 0, 0, new byte[8]));
        expect(Frames.PING, Frames.ACK, 0, "00".repeat(8));
    }

    private String expectRequest(int stream, int flags) throws IOException {
        String frame = expect(Frames.HEADERS, flags, stream);
        return new String(HexFormat.of().parseHex(frame), StandardCharsets.ISO_8859_1);
    }

    private void expect(int type, int flags, int stream, String payload) throws IOException {
        assertEquals(payload, expect(type, flags, stream));
    }

    private String expect(int type, int flags, int stream) throws IOException {
        int length = in.readInt();
        String head = "type " + (length & 0xff) + ", flags " + in.read() + ", stream " + in.readInt();
        assertEquals("type " + type + ", flags " + flags + ", stream " + stream, head);
        return HexFormat.of().formatHex(in.readNBytes(length >>> 8));
    }

    private Target target() {
        return ends.target().withField(Fields.Field.ofOption("--header", "Cookie: a=b"));
    }
}
