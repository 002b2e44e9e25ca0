package io.penstock.websocket.frame;

import static io.penstock.websocket.frame.Peer.bytes;
import static io.penstock.websocket.frame.Peer.masked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.websocket.frame.FrameConnection.Side;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code permessage-deflate}: the examples of RFC 7692 section 7.2.3, the negotiation of section 7.1, and messages that inflate a lot. */
class Rfc7692PerMessageDeflateTest {
    private static final DeflateParameters ALONE = new DeflateParameters(false, false, false);
    private static final DeflateParameters KEEPS = new DeflateParameters(true, true, false);
    private static final String JSON = "{\"price\":17.25,\"symbol\":\"PENS\",\"side\":\"buy\"},".repeat(60);

    /** Inputs: the payloads of one message, of which the first has the reserved bit of the extension. */
    @ParameterizedTest
    @CsvSource({
        "f248cdc9c90700, one block",
        "f248cd c9c90700, two fragments",
        "000500faff48656c6c6f00, a block without compression",
        "f348cdc9c9070000, a final block",
        "f24805000000ffffcac9c90700, two blocks"
    })
    void theExamplesOfSection723AreRead(String hex, String what) {
        for (DeflateParameters parameters : List.of(ALONE, KEEPS)) {
            Peer server = new Peer(Side.SERVER, parameters);
            for (int i = 0; i < 2; i++) {
                List<String> fragments = List.of(hex.split(" "));
                for (int at = 0; at < fragments.size(); at++) {
                    int first = (at == 0 ? 0x41 : 0) | (at == fragments.size() - 1 ? 0x80 : 0);
                    server.receive(masked(first, bytes(fragments.get(at))));
                }
            }
            assertEquals(List.of("text Hello", "text Hello"), server.events, what);
        }
    }

    @Test
    void aMessageMayDependOnTheContextOfTheLastOneIfThatWasNegotiated() {
        Peer server = new Peer(Side.SERVER, KEEPS);
        server.receive(masked(0xc1, bytes("f248cdc9c90700")));
        server.receive(masked(0xc1, bytes("f200110000")));
        assertEquals(List.of("text Hello", "text Hello"), server.events);
        Peer alone = new Peer(Side.SERVER, ALONE);
        alone.receive(masked(0xc1, bytes("f248cdc9c90700")));
        alone.receive(masked(0xc1, bytes("f200110000")));
        assertEquals("close 1007 The message is not compressed correctly.", alone.events.get(2));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void messagesOfEachSideAreReadByTheOther(boolean keeps) throws Exception {
        DeflateParameters parameters = keeps ? KEEPS : ALONE;
        for (Side side : Side.values()) {
            Peer from = new Peer(side, parameters);
            Peer to = new Peer(side == Side.SERVER ? Side.CLIENT : Side.SERVER, parameters);
            for (int i = 0; i < 3; i++) {
                from.connection.sendAndWait(EncodedMessage.text(JSON), 0);
            }
            assertTrue(from.sent().length < JSON.length(), "three messages in the bytes of one");
            for (byte each : from.sent()) {
                to.receive(new byte[] {each});
            }
            assertEquals(List.of("text " + JSON, "text " + JSON, "text " + JSON), to.events);
            from.connection.ended();
            to.connection.ended();
        }
    }

    @Test
    void shortMessagesAndThoseThatDoNotShrinkAreSentWithoutCompression() throws Exception {
        byte[] noise = new byte[5000];
        new Random(1).nextBytes(noise);
        Peer server = new Peer(Side.SERVER, ALONE);
        server.connection.sendAndWait(EncodedMessage.text("x".repeat(1024)), 0);
        assertEquals(0x81, server.sent()[0] & 0xff);
        server.forgetSent();
        server.connection.sendAndWait(EncodedMessage.binary(ByteBuffer.wrap(noise)), 0);
        assertEquals(0x82, server.sent()[0] & 0xff);
        server.forgetSent();
        server.connection.sendAndWait(EncodedMessage.text("x".repeat(1025)), 0);
        assertEquals(0xc1, server.sent()[0] & 0xff);
    }

    @Test
    void aBroadcastOfOneTextIsEncodedAndCompressedOnce() {
        String text = "x".repeat(5000);
        EncodedMessage message = EncodedMessage.text(text);
        assertSame(message, EncodedMessage.text(text));
        assertSame(message.shortest(), EncodedMessage.text(text).shortest());
        assertSame(message.plain(), EncodedMessage.text(text).plain());
    }

    @Test
    void inflatedTextIsCheckedForUtf8() {
        Peer server = new Peer(Side.SERVER, ALONE);
        server.receive(masked(0xc1, deflate(new byte[] {'a', (byte) 0xc3, 'b'})));
        assertEquals("close 1007 The text is not UTF-8.", server.events.get(1));
    }

    @Test
    void anInflatedMessageHasTheLimitOfOthers() {
        Peer server = new Peer(Side.SERVER, ALONE);
        server.connection.maxBinary(100_000);
        server.receive(wide(0xc2, deflate(new byte[100_000])));
        assertEquals(1, server.events.size());
        server.receive(wide(0xc2, deflate(new byte[100_001])));
        assertEquals("close 1009 The message is too large.", server.events.get(2));
    }

    /** Sixteen kilobytes that inflate to sixteen megabytes. A longer message would end at the same byte. */
    @Test
    void aBombEndsTheConnectionBeforeItNeedsMemory() {
        byte[] bomb = deflate(new byte[16 << 20]);
        Peer whole = new Peer(Side.SERVER, ALONE);
        whole.receive(wide(0xc2, bomb));
        assertEquals("close 1009 The message is too large.", whole.events.get(1));
        assertTrue(whole.connection.bufferedBytes() <= 3 * 64 * 1024);
        Peer parts = new Peer(Side.SERVER, ALONE);
        parts.connection.binaryInParts(true);
        parts.receive(wide(0xc2, bomb));
        assertEquals(
                "close 1009 The message inflates to too many times its size.",
                parts.events.get(parts.events.size() - 1));
        assertTrue(parts.events.size() < 600, "parts of all 16 megabytes: " + parts.events.size());
    }

    private static byte[] wide(int first, byte[] payload) {
        return Peer.toArray(EncodedMessage.Frame.masked(first, ByteBuffer.wrap(payload), 0x01020304));
    }

    private static byte[] deflate(byte[] message) {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(message);
        byte[] out = new byte[message.length / 100 + 100];
        int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
        deflater.end();
        return Arrays.copyOf(out, length - 4);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "permessage-deflate",
                "permessage-deflate; client_max_window_bits",
                "permessage-deflate; client_max_window_bits=9",
                "permessage-deflate; client_max_window_bits=\"15\"",
                "x-webkit-deflate-frame, PerMessage-Deflate;client_no_context_takeover",
                "permessage-deflate; server_max_window_bits=9, permessage-deflate",
                "other; a=\"b,c;d\", permessage-deflate"
            })
    void anOfferThatTheJdkCanServeIsAccepted(String offer) {
        DeflateParameters accepted = DeflateParameters.accept(List.of(offer));
        assertNotNull(accepted);
        assertEquals("permessage-deflate; server_no_context_takeover; client_no_context_takeover", accepted.answer());
    }

    /** The answer must name the window (section 7.1.2.1). */
    @Test
    void anOfferThatNamesTheWindowOfTheServerIsAcceptedByItsName() {
        DeflateParameters accepted = DeflateParameters.accept(
                List.of("permessage-deflate; server_max_window_bits=15; server_no_context_takeover"));
        assertNotNull(accepted);
        assertEquals(
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover; server_max_window_bits=15",
                accepted.answer());
    }

    @Test
    void theInflaterOfAnUnfinishedMessageCounts() {
        Peer peer = new Peer(FrameConnection.Side.SERVER, ALONE);
        byte[] compressed = deflate("abc".getBytes(StandardCharsets.US_ASCII));
        peer.receive(masked(0x41, compressed));
        assertTrue(peer.connection.bufferedBytes() > 45 * 1024);
        peer.receive(masked(0x80, new byte[0]));
        assertEquals(List.of("text abc"), peer.events);
        assertTrue(peer.connection.bufferedBytes() < 1024);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "other",
                "permessage-deflate; server_max_window_bits=9",
                "permessage-deflate; server_max_window_bits",
                "permessage-deflate; client_max_window_bits=7",
                "permessage-deflate; client_max_window_bits=09",
                "permessage-deflate; client_max_window_bits=16",
                "permessage-deflate; client_no_context_takeover=1",
                "permessage-deflate; client_no_context_takeover; client_no_context_takeover",
                "permessage-deflate; unknown"
            })
    void anOtherOfferIsDeclined(String offer) {
        assertNull(DeflateParameters.accept(List.of(offer)));
    }

    @Test
    void aClientAcceptsOnlyAnswersToItsOffer() {
        assertNotNull(DeflateParameters.accepted(List.of(DeflateParameters.offer())));
        assertNotNull(DeflateParameters.accepted(
                List.of("permessage-deflate; server_no_context_takeover; server_max_window_bits=10")));
        assertNull(DeflateParameters.accepted(List.of()));
        for (String wrong : List.of(
                "permessage-deflate",
                "permessage-deflate; server_no_context_takeover; client_max_window_bits=9",
                "permessage-deflate; server_no_context_takeover, permessage-deflate; server_no_context_takeover")) {
            assertThrows(IllegalArgumentException.class, () -> DeflateParameters.accepted(List.of(wrong)));
        }
    }
}
