package io.penstock.tls;

import static io.penstock.tls.RawTlsRecords.ALERT;
import static io.penstock.tls.RawTlsRecords.CHANGE_CIPHER_SPEC;
import static io.penstock.tls.RawTlsRecords.DATA;
import static io.penstock.tls.RawTlsRecords.HANDSHAKE;
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
 * Sends unusual records to a server. Most of these records are encrypted correctly, but are not allowed. The server must refuse each record
 * that is not allowed, with a fatal alert. A test also fails if a buffer, a file descriptor or a thread remains after the stop of the
 * server.
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

    private RawTlsClient client(String version) throws IOException {
        return new RawTlsClient(raw, version).handshake();
    }

    private static void assertServed(RawTlsClient client) throws IOException {
        String answer = client.data();
        assertTrue(answer.startsWith("HTTP/1.1 200") && answer.endsWith("GET /a\n"), answer);
    }

    private void assertRefused(RawTlsClient client, int description, String cause) throws IOException {
        byte[] alert = client.alert();
        assertEquals(List.of(FATAL, (byte) description), List.of(alert[0], alert[1]));
        assertTrue(raw.isAtEnd());
        String closed = server.events.awaitClosed(raw);
        assertTrue(closed.startsWith(cause), closed);
    }

    private void assertFails(RawTlsClient client, int description) throws IOException {
        assertRefused(client, description, "tls-failed: ");
    }

    // ---- allowed records

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void requestsInValidRecordsAreServed(String version) throws IOException {
        RawTlsClient client = client(version);
        for (int i = 0; i < 3; i++) {
            assertServed(client.send(GET));
        }
    }

    @Test
    void emptyRecordsBetweenRequestsAreIgnored() throws IOException {
        RawTlsClient client = client("TLSv1.2");
        for (int i = 0; i < MANY; i++) {
            assertServed(client.send("").send(GET));
        }
    }

    @Test
    void thePaddingOfARecordIsIgnored() throws IOException {
        RawTlsClient client = client("TLSv1.3");
        byte[] inner = Arrays.copyOf(RawTlsSecrets.latin(GET + (char) DATA), 1 << 14);
        raw.send(client.out().sealInner(inner));
        assertServed(client);
    }

    // ---- floods

    @Test
    void aFloodOfEmptyRecordsIsRefused() throws IOException {
        RawTlsClient client = client("TLSv1.2");
        sendTogether(client, DATA);
        assertRefused(client, UNEXPECTED_MESSAGE, FLOOD);
    }

    /** In TLS 1.3, the JDK treats an empty record as a record with padding only, and refuses it. */
    @Test
    void anEmptyRecordIsRefusedInTls13() throws IOException {
        RawTlsClient client = client("TLSv1.3").send("");
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    /** The JDK ignores a warning alert other than close_notify. So the server must limit the number of such alerts. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aFloodOfWarningAlertsIsRefused(String version) throws IOException {
        RawTlsClient client = client(version);
        sendTogether(client, ALERT, WARNING, (byte) 90); // user_canceled
        assertRefused(client, UNEXPECTED_MESSAGE, FLOOD);
    }

    private void sendTogether(RawTlsClient client, byte type, byte... content) throws IOException {
        List<byte[]> all = new ArrayList<>();
        // The server allows 32 records without data, so the test sends 33. With more records, the server could close
        // the connection before it has read all of them. Such a close causes a reset.
        for (int i = 0; i < 33; i++) {
            all.add(client.out().seal(type, content));
        }
        raw.send(RawTlsSecrets.join(all.toArray(byte[][]::new)));
    }

    /** A handshake may contain one change_cipher_spec record (RFC 8446 section 5). The client of this test sends 99 such records. */
    @Test
    void aFloodOfChangeCipherSpecRecordsInAHandshakeIsRefused() throws IOException {
        RawTlsClient client = new RawTlsClient(raw, "TLSv1.3");
        byte[][] all = new byte[MANY][];
        Arrays.fill(all, RawTlsRecords.plain(CHANGE_CIPHER_SPEC, (byte) 1));
        all[0] = RawTlsRecords.plain(HANDSHAKE, client.hello().bytes());
        raw.send(RawTlsSecrets.join(all)).halfClose();
        assertTrue(raw.rest().length() > 0);
        String closed = server.events.awaitClosed(raw);
        assertTrue(closed.startsWith("handshake-failed: "), closed);
    }

    /** The engine keeps each key update until the end of the connection, so the server limits their number. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void aRequestIsServedAfterEachOf32KeyUpdatesAndNoMore(int wanted) throws IOException {
        RawTlsClient client = client("TLSv1.3");
        for (int i = 0; i < 32; i++) {
            raw.send(client.update(wanted));
            assertServed(client.send(GET));
        }
        raw.send(client.update(0));
        assertRefused(client, UNEXPECTED_MESSAGE, FLOOD);
    }

    /** A record of 16 KB can have 3,276 key updates. The engine would make objects of 157 KB of them. */
    @ParameterizedTest
    @ValueSource(ints = {5, 3276})
    void aRecordWithSeveralKeyUpdatesIsRefused(int count) throws IOException {
        byte[][] all = new byte[count][];
        Arrays.fill(all, RawClientHello.message(24, (byte) 0));
        RawTlsClient client = client("TLSv1.3").send(HANDSHAKE, RawTlsSecrets.join(all));
        assertRefused(client, UNEXPECTED_MESSAGE, "tls-failed: a record with more than a key update");
    }

    /** Otherwise the engine would keep the part until the end of the connection. */
    @Test
    void aPartOfALongMessageAfterTheHandshakeIsRefused() throws IOException {
        byte[] part = new byte[16_000];
        part[0] = 24;
        part[2] = 0x7F; // the message has 32,512 bytes
        RawTlsClient client = client("TLSv1.3").send(HANDSHAKE, part);
        assertRefused(client, UNEXPECTED_MESSAGE, "tls-failed: a record with more than a key update");
    }

    // ---- messages that are not allowed

    @Test
    void aKeyUpdateWithAnUnknownValueIsRefused() throws IOException {
        RawTlsClient client = client("TLSv1.3");
        raw.send(client.update(2));
        assertFails(client, ILLEGAL_PARAMETER);
    }

    /**
     * Sends a message of the given type after the handshake.
     *
     * @param type the type of the message, for example 1 for ClientHello. The type 99 does not exist
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
    void aHandshakeMessageAfterTheHandshakeIsRefused(String version, int type) throws IOException {
        RawTlsClient client = client(version).send(HANDSHAKE, RawClientHello.message(type, new byte[40]));
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3, 20", "TLSv1.3, 24", "TLSv1.3, 99", "TLSv1.2, 20", "TLSv1.2, 24", "TLSv1.2, 99"})
    void aRecordOfAnUnexpectedOrUnknownTypeIsRefused(String version, byte type) throws IOException {
        RawTlsClient client = client(version).send(type, (byte) 1);
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    /** The client sends the change_cipher_spec record without encryption. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aChangeCipherSpecRecordAfterTheHandshakeIsRefused(String version) throws IOException {
        RawTlsClient client = client(version);
        raw.send(RawTlsRecords.plain(CHANGE_CIPHER_SPEC, (byte) 1));
        assertRefused(client, UNEXPECTED_MESSAGE, "tls-failed: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void unencryptedDataAfterTheHandshakeIsRefused(String version) throws IOException {
        RawTlsClient client = client(version);
        raw.send(RawTlsRecords.plain(DATA, RawTlsSecrets.latin(GET)));
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    @Test
    void aRecordWithPaddingOnlyIsRefused() throws IOException {
        RawTlsClient client = client("TLSv1.3");
        raw.send(client.out().sealInner(new byte[MANY]));
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    /** The client sends data between the two parts of a handshake message (RFC 8446 section 5.1). */
    @Test
    void dataBetweenTwoPartsOfAHandshakeMessageIsRefused() throws IOException {
        RawTlsClient client =
                client("TLSv1.3").send(HANDSHAKE, (byte) 24, (byte) 0).send(GET);
        assertEquals(FATAL, client.alert()[0]);
        assertTrue(server.events.awaitClosed(raw).startsWith("tls-failed: "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aRecordWithTooMuchContentIsRefused(String version) throws IOException {
        RawTlsClient client = client(version).send(DATA, new byte[(1 << 14) + 1]);
        assertFails(client, UNEXPECTED_MESSAGE);
    }

    @Test
    void aHandshakeWithAWrongFinishedMessageIsRefusedInTls13() throws IOException {
        RawTlsClient client = new RawTlsClient(raw, "TLSv1.3");
        client.handshake(client.hello().bytes(), HostileRecordsTest::changed);
        assertRefused(client, DECRYPT_ERROR, "handshake-failed: ");
    }

    @Test
    void aHandshakeWithAWrongFinishedMessageIsRefusedInTls12() throws IOException {
        RawTlsClient client = new RawTlsClient(raw, "TLSv1.2");
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
