package io.penstock.tls;

import static io.penstock.tls.HandRecords.ALERT;
import static io.penstock.tls.HandRecords.CHANGE_CIPHER_SPEC;
import static io.penstock.tls.HandRecords.DATA;
import static io.penstock.tls.HandRecords.HANDSHAKE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.RawClient;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Records that are well protected, and say what no client should: each gets a fatal alert. The end of the server fails a test of which a
 * buffer, a descriptor or a thread stays behind.
 */
final class HostileRecordsTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String FLOOD = "tls-failed: too many records without data";
    private static final byte FATAL = 2;
    private static final byte WARNING = 1;
    private static final int UNEXPECTED_MESSAGE = 10;
    private static final int ILLEGAL_PARAMETER = 47;
    private static final int DECRYPT_ERROR = 51;
    private static final int MANY = 100;

    private WireServer server;
    private RawClient raw;

    @BeforeEach
    void start() throws IOException {
        server = WireServer.echo(new WireConfig().overTls());
        raw = server.connectWithoutLayer(0);
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        try (WireServer ends = server) {
            raw.close();
            ends.awaitNothingHeld();
        }
    }

    private HandClient client(String version) throws IOException {
        return new HandClient(raw, version).handshake();
    }

    private static void assertServed(HandClient client) throws IOException {
        String answer = client.data();
        assertTrue(answer.startsWith("HTTP/1.1 200") && answer.endsWith("GET /a\n"), answer);
    }

    private void assertRefused(HandClient client, int description, String cause) throws IOException {
        byte[] alert = client.alert();
        assertEquals(List.of(FATAL, (byte) description), List.of(alert[0], alert[1]));
        assertTrue(raw.isAtEnd());
        String closed = server.events.awaitClosed(raw);
        assertTrue(closed.startsWith(cause), closed);
    }

    private void assertFails(HandClient client, int description) throws IOException {
        assertRefused(client, description, "tls-failed: ");
    }

    // ---- what is allowed

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theClientByHandIsServed(String version) throws IOException {
        HandClient client = client(version);
        for (int i = 0; i < 3; i++) {
            assertServed(client.send(GET));
        }
    }

    @Test
    void emptyRecordsAmongDataAreNone() throws IOException {
        HandClient client = client("TLSv1.2");
        for (int i = 0; i < MANY; i++) {
            assertServed(client.send("").send(GET));
        }
    }

    @Test
    void paddingIsNoData() throws IOException {
        HandClient client = client("TLSv1.3");
        byte[] inner = Arrays.copyOf(HandSecrets.latin(GET + (char) DATA), 1 << 14);
        raw.send(client.out().sealInner(inner));
        assertServed(client);
    }

    // ---- floods

    @Test
    void floodOfEmptyRecordsIsRefused() throws IOException {
        HandClient client = client("TLSv1.2");
        sendTogether(client, DATA);
        assertRefused(client, UNEXPECTED_MESSAGE, FLOOD);
    }

    /** The JDK takes it for one of nothing but padding, which it refuses. */
    @Test
    void emptyRecordIsRefusedInTls13() throws IOException {
        HandClient client = client("TLSv1.3").send("");
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    /** TLS 1.3 has no warnings but the end (RFC 8446 section 6); the JDK ignores them. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void floodOfWarningsIsRefused(String version) throws IOException {
        HandClient client = client(version);
        sendTogether(client, ALERT, WARNING, (byte) 90); // user_canceled
        assertRefused(client, UNEXPECTED_MESSAGE, FLOOD);
    }

    private void sendTogether(HandClient client, byte type, byte... content) throws IOException {
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < 33; i++) { // none is left unread when the server closes
            all.add(client.out().seal(type, content));
        }
        raw.send(HandSecrets.join(all.toArray(byte[][]::new)));
    }

    /** One may come in a handshake, for the sake of middle boxes (RFC 8446 section 5). */
    @Test
    void floodOfChangeCipherSpecInAHandshakeIsRefused() throws IOException {
        HandClient client = new HandClient(raw, "TLSv1.3");
        byte[][] all = new byte[MANY][];
        Arrays.fill(all, HandRecords.plain(CHANGE_CIPHER_SPEC, (byte) 1));
        all[0] = HandRecords.plain(HANDSHAKE, client.hello().bytes());
        raw.send(HandSecrets.join(all)).halfClose();
        assertTrue(raw.rest().length() > 0);
        String closed = server.events.awaitClosed(raw);
        assertTrue(closed.startsWith("handshake-failed: "), closed);
    }

    @Test
    void newKeysThatAreAskedForAreAnsweredOnceEach() throws IOException {
        HandClient client = client("TLSv1.3");
        for (int i = 0; i < MANY; i++) {
            raw.send(client.update(1));
            assertServed(client.send(GET));
        }
    }

    // ---- messages that must not come

    @Test
    void newKeysOfAnUnknownKindAreRefused() throws IOException {
        HandClient client = client("TLSv1.3");
        raw.send(client.update(2));
        assertFails(client, ILLEGAL_PARAMETER);
    }

    /**
     * After a handshake.
     *
     * @param type of a message: a hello of a client, of a server, a ticket, a certificate, the end of early data, the end of a handshake
     */
    @ParameterizedTest
    @CsvSource({
        "TLSv1.3, 1",
        "TLSv1.3, 2",
        "TLSv1.3, 4",
        "TLSv1.3, 5",
        "TLSv1.3, 11",
        "TLSv1.3, 20",
        "TLSv1.3, 99",
        "TLSv1.2, 0",
        "TLSv1.2, 1",
        "TLSv1.2, 2",
        "TLSv1.2, 16",
        "TLSv1.2, 20",
        "TLSv1.2, 99"
    })
    void messageOfAHandshakeAfterItIsRefused(String version, int type) throws IOException {
        HandClient client = client(version).send(HANDSHAKE, HandHello.message(type, new byte[40]));
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3, 20", "TLSv1.3, 24", "TLSv1.3, 99", "TLSv1.2, 20", "TLSv1.2, 24", "TLSv1.2, 99"})
    void recordOfAnotherTypeIsRefused(String version, byte type) throws IOException {
        HandClient client = client(version).send(type, (byte) 1);
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    /** It is not protected. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void changeCipherSpecAfterTheHandshakeIsRefused(String version) throws IOException {
        HandClient client = client(version);
        raw.send(HandRecords.plain(CHANGE_CIPHER_SPEC, (byte) 1));
        assertRefused(client, UNEXPECTED_MESSAGE, "tls-failed: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void dataThatIsNotProtectedIsRefused(String version) throws IOException {
        HandClient client = client(version);
        raw.send(HandRecords.plain(DATA, HandSecrets.latin(GET)));
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    @Test
    void recordOfNothingButPaddingIsRefused() throws IOException {
        HandClient client = client("TLSv1.3");
        raw.send(client.out().sealInner(new byte[MANY]));
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    /** Data between the two parts of a message (RFC 8446 section 5.1). */
    @Test
    void dataWithinAMessageIsRefused() throws IOException {
        HandClient client =
                client("TLSv1.3").send(HANDSHAKE, (byte) 24, (byte) 0).send(GET);
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void contentThatIsTooLongIsRefused(String version) throws IOException {
        HandClient client = client(version).send(DATA, new byte[(1 << 14) + 1]);
        assertFails(client, UNEXPECTED_MESSAGE);
    }

    @Test
    void handshakeWithAWrongEndIsRefused() throws IOException {
        HandClient client = new HandClient(raw, "TLSv1.3");
        client.handshake(client.hello().bytes(), HostileRecordsTest::changed);
        assertRefused(client, DECRYPT_ERROR, "handshake-failed: ");
    }

    @Test
    void handshakeWithAWrongEndIsRefusedInTls12() throws IOException {
        HandClient client = new HandClient(raw, "TLSv1.2");
        assertThrows(IOException.class, () -> client.handshake(client.hello().bytes(), HostileRecordsTest::changed));
        assertEquals(
                List.of(ALERT, FATAL),
                List.of(client.last().type(), client.last().bytes()[0]));
        assertTrue(server.events.awaitClosed(raw).startsWith("handshake-failed: "));
    }

    private static byte[] changed(byte[] message) {
        message[message.length - 1] ^= 1;
        return message;
    }
}
