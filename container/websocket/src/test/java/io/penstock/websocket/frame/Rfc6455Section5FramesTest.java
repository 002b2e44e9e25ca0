package io.penstock.websocket.frame;

import static io.penstock.websocket.frame.Peer.bytes;
import static io.penstock.websocket.frame.Peer.masked;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.websocket.frame.FrameConnection.Side;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the frames of RFC 6455 section 5, the close frame of section 5.5.1, and the UTF-8 of section 8.1. */
class Rfc6455Section5FramesTest {
    /** A message in three fragments, with a ping and a pong between them, then text, an empty message, and a close frame. */
    private static byte[] conversation() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(masked(0x01, "é".getBytes(StandardCharsets.UTF_8)));
        all.writeBytes(masked(0x89, bytes("70")));
        all.writeBytes(masked(0x00, bytes("")));
        all.writeBytes(masked(0x8a, bytes("71")));
        all.writeBytes(masked(0x80, "𝄞, ä".getBytes(StandardCharsets.UTF_8)));
        all.writeBytes(masked(0x82, new byte[300]));
        all.writeBytes(masked(0x81, bytes("")));
        all.writeBytes(masked(0x88, bytes("03e8 62 79 65")));
        return all.toByteArray();
    }

    private static final List<String> HEARD =
            List.of("pong q", "text é𝄞, ä", "binary " + "00".repeat(300), "text ", "close 1000 bye");
    private static final String ANSWERED = "8a 01 70 88 05 03 e8 62 79 65";

    @Test
    void theExamplesOfSection57AreRead() {
        Peer client = new Peer(Side.CLIENT, null);
        client.receive("81 05 48 65 6c 6c 6f");
        client.receive("01 03 48 65 6c");
        client.receive("80 02 6c 6f");
        client.receive("89 05 48 65 6c 6c 6f");
        Peer server = Peer.server();
        server.receive("81 85 37 fa 21 3d 7f 9f 4d 51 58");
        server.receive("8a 85 37 fa 21 3d 7f 9f 4d 51 58");
        assertEquals(List.of("text Hello", "text Hello"), client.events);
        assertEquals(List.of("text Hello", "pong Hello"), server.events);
        assertEquals("8a 85", client.sentHex().substring(0, 5));
    }

    @Test
    void theExamplesOfSection57AreWritten() throws Exception {
        Peer server = Peer.server();
        server.connection.sendAndWait(EncodedMessage.text("Hello"), 0);
        assertEquals("81 05 48 65 6c 6c 6f", server.sentHex());
        server.forgetSent();
        server.connection.sendAndWait(EncodedMessage.textPart("Hel", false), 0);
        server.connection.ping(ByteBuffer.wrap(bytes("48")));
        server.connection.sendAndWait(EncodedMessage.textPart("lo", true), 0);
        assertEquals("01 03 48 65 6c 89 01 48 80 02 6c 6f", server.sentHex());
        server.forgetSent();
        server.connection.sendAndWait(EncodedMessage.binary(ByteBuffer.allocate(256)), 0);
        assertEquals("82 7e 01 00" + " 00".repeat(256), server.sentHex());
        server.forgetSent();
        server.connection.sendAndWait(EncodedMessage.binary(ByteBuffer.allocate(65536)), 0);
        assertEquals("82 7f 00 00 00 00 00 01 00 00" + " 00".repeat(65536), server.sentHex());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 125, 126, 127, 1000, 8192, 8193, 65535, 65536, 100_000})
    void framesOfAClientAreMaskedAndOfEachLength(int length) throws Exception {
        byte[] payload = new byte[length];
        new Random(length).nextBytes(payload);
        Peer client = new Peer(Side.CLIENT, null);
        client.connection.sendAndWait(EncodedMessage.binary(ByteBuffer.wrap(payload)), 0);
        Peer server = Peer.server();
        server.connection.maxBinary(length);
        server.receive(client.sent());
        Peer back = new Peer(Side.CLIENT, null);
        back.connection.maxBinary(length);
        server.connection.sendAndWait(EncodedMessage.binary(ByteBuffer.wrap(payload)), 0);
        back.receive(server.sent());
        assertEquals(1, server.events.size());
        assertEquals(server.events, back.events);
        Peer direct = Peer.server();
        direct.onBinary(ByteBuffer.wrap(payload), true);
        assertEquals(direct.events, server.events);
    }

    @Test
    void aConversationIsReadTheSameCutAtEachOffset() {
        byte[] all = conversation();
        for (int cut = 0; cut <= all.length; cut++) {
            Peer server = Peer.server();
            server.receive(Arrays.copyOf(all, cut));
            server.receive(Arrays.copyOfRange(all, cut, all.length));
            assertEquals(HEARD, server.events, "cut at " + cut);
            assertEquals(ANSWERED, server.sentHex(), "cut at " + cut);
            assertEquals(List.of("close"), server.transportEvents);
        }
    }

    @Test
    void aConversationIsReadTheSameByteByByte() {
        Peer server = Peer.server();
        for (byte each : conversation()) {
            server.receive(new byte[] {each});
        }
        assertEquals(HEARD, server.events);
        assertEquals(ANSWERED, server.sentHex());
    }

    /** Messages of random sizes in random fragments arrive in random pieces. The seed is fixed. */
    @Test
    void randomMessagesInRandomPiecesAreReadWhole() {
        Random random = new Random(42);
        for (int round = 0; round < 200; round++) {
            Peer expected = Peer.server();
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            for (int i = random.nextInt(8); i >= 0; i--) {
                write(random, all, expected);
            }
            Peer server = Peer.server();
            byte[] bytes = all.toByteArray();
            for (int at = 0; at < bytes.length; ) {
                int end = Math.min(bytes.length, at + 1 + random.nextInt(1 + random.nextInt(20_000)));
                server.receive(Arrays.copyOfRange(bytes, at, end));
                at = end;
            }
            assertEquals(expected.events, server.events);
            assertEquals(0, server.connection.bufferedBytes());
        }
    }

    private static void write(Random random, ByteArrayOutputStream to, Peer expected) {
        StringBuilder message = new StringBuilder();
        int fragments = 1 + random.nextInt(4);
        for (int i = 0; i < fragments; i++) {
            String part = random.ints(random.nextInt(1 + random.nextInt(9_000)), 0, 4)
                    .mapToObj(kind -> List.of("a", "é", "€", "𝄞").get(kind))
                    .collect(Collectors.joining());
            message.append(part);
            int first = (i == 0 ? 0x01 : 0x00) | (i == fragments - 1 ? 0x80 : 0);
            to.writeBytes(masked(first, part.getBytes(StandardCharsets.UTF_8)));
            if (i == fragments - 1) {
                expected.events.add("text " + message);
            }
            if (random.nextBoolean()) {
                to.writeBytes(masked(0x8a, bytes("71")));
                expected.events.add("pong q");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "8105 48656c6c6f, 1002, a frame without a mask",
        "c180 00000000, 1002, a reserved bit without its extension",
        "a180 00000000, 1002, the second reserved bit",
        "9180 00000000, 1002, the third reserved bit",
        "8380 00000000, 1002, a reserved opcode",
        "8b80 00000000, 1002, a reserved opcode of control frames",
        "8080 00000000, 1002, a continuation of nothing",
        "0180 00000000 8180 00000000, 1002, a message within a message",
        "0980 00000000, 1002, a fragmented ping",
        "89fe 007e, 1002, a ping of 126 bytes",
        "82ff 8000000000000000 00000000, 1002, a negative length",
        "82fe 007d 00000000, 1002, a length that is not in its shortest form",
        "82ff 000000000000ffff 00000000, 1002, a length that is not in its shortest form",
        "8881 00000000 03, 1002, a close frame with half a code",
        "8884 00000000 03e8 c328, 1007, a close frame whose reason is not UTF-8",
        "8182 00000000 c328, 1007, text that is not UTF-8",
        "8181 00000000 c3, 1007, text that ends within a character",
        "0183 00000000 eda080, 1007, a surrogate",
        "0181 00000000 f5, 1007, a byte that is never in UTF-8",
        "0182 00000000 f490, 1007, a character beyond U+10FFFF",
        "0182 00000000 c0af, 1007, an overlong form"
    })
    void aViolationIsToldAndClosesWithItsCode(String hex, int code, String what) {
        byte[] all = bytes(hex);
        for (int cut = 0; cut <= all.length; cut++) {
            Peer server = Peer.server();
            server.receive(Arrays.copyOf(all, cut));
            server.receive(Arrays.copyOfRange(all, cut, all.length));
            assertEquals(2, server.events.size(), what + ": " + server.events);
            assertTrue(server.events.get(0).startsWith("error "), what);
            assertTrue(server.events.get(1).startsWith("close " + code), what + ": " + server.events);
            assertEquals(0x88, server.sent()[0] & 0xff);
            assertEquals(code, ByteBuffer.wrap(server.sent(), 2, 2).getShort());
            assertEquals(List.of("close"), server.transportEvents);
        }
    }

    @Test
    void malformedTextIsFoundWithItsFirstWrongByteBeforeTheFrameIsComplete() {
        Peer server = Peer.server();
        server.receive("81 88 00000000 41 42 f4");
        assertTrue(server.events.isEmpty());
        server.receive("90");
        assertEquals("error The text is not UTF-8.", server.events.get(0));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999})
    void aPermittedCloseCodeIsAnsweredAndReported(int code) {
        Peer server = Peer.server();
        server.receive(
                masked(0x88, ByteBuffer.allocate(2).putShort((short) code).array()));
        assertEquals(List.of("close " + code), server.events);
        assertEquals(code, ByteBuffer.wrap(server.sent(), 2, 2).getShort());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535})
    void aReservedCloseCodeIsAViolation(int code) {
        Peer server = Peer.server();
        server.receive(
                masked(0x88, ByteBuffer.allocate(2).putShort((short) code).array()));
        assertEquals("close 1002 The code of the close frame is reserved.", server.events.get(1));
    }

    @Test
    void aCloseFrameWithoutCodeIsAnsweredWithoutCode() {
        Peer server = Peer.server();
        server.receive(masked(0x88, bytes("")));
        assertEquals(List.of("close 1005"), server.events);
        assertEquals("88 00", server.sentHex());
    }

    @Test
    void aMessageThatIsTooLargeIsRefusedBeforeItsPayloadArrives() {
        Peer server = Peer.server();
        server.connection.maxBinary(10);
        server.receive("82 8b 00000000");
        assertEquals("close 1009 The message is too large.", server.events.get(1));
    }

    @Test
    void fragmentsAreCountedTogether() {
        Peer server = Peer.server();
        server.connection.maxBinary(10);
        server.receive(masked(0x02, new byte[8]));
        server.receive(masked(0x00, new byte[2]));
        assertTrue(server.events.isEmpty());
        server.receive("80 81 00000000");
        assertEquals("close 1009 The message is too large.", server.events.get(1));
    }

    @Test
    void theLimitOfTextCountsCharacters() {
        Peer server = Peer.server();
        server.connection.maxText(4);
        server.receive(Peer.text("€€€€"));
        assertEquals(List.of("text €€€€"), server.events);
        server.receive(Peer.text("abcde"));
        assertEquals("close 1009 The message is too large.", server.events.get(2));
    }

    @Test
    void partsAreDeliveredAsTheyArriveAndEndBetweenCharacters() {
        Peer server = Peer.server();
        server.connection.textInParts(true);
        server.connection.binaryInParts(true);
        server.connection.maxText(1);
        server.connection.maxBinary(1);
        byte[] text = Peer.text("a€b");
        server.receive(Arrays.copyOf(text, text.length - 3));
        server.receive(Arrays.copyOfRange(text, text.length - 3, text.length - 1));
        server.receive(Arrays.copyOfRange(text, text.length - 1, text.length));
        server.receive("82 83 00000000 01 02");
        server.receive("03");
        assertEquals(List.of("part a", "part €", "text b", "bytes 0102", "binary 03"), server.events);
    }

    @Test
    void memoryGrowsWithTheBytesThatHaveArrivedAndNotWithTheDeclaredLength() {
        Peer server = Peer.server();
        server.connection.maxBinary(Integer.MAX_VALUE);
        server.receive("82 ff 0000000040000000 00000000 01");
        assertTrue(server.connection.bufferedBytes() < 1000);
    }

    @Test
    void theListenersBytesDoNotChangeWithTheArrayThatWasFed() {
        List<ByteBuffer> heard = new ArrayList<>();
        Peer server = new Peer(Side.SERVER, null, heard::add);
        byte[] fed = bytes("82 82 00000000 0102");
        server.connection.received(ByteBuffer.wrap(fed));
        Arrays.fill(fed, (byte) 9);
        assertEquals(ByteBuffer.wrap(bytes("0102")), heard.get(0));
    }

    @Test
    void afterItsOwnCloseFrameAConnectionDropsMessagesUntilTheAnswer() {
        Peer server = Peer.server();
        server.connection.close(4000, "over");
        server.receive(Peer.text("late"));
        server.receive(masked(0x89, bytes("70")));
        assertTrue(server.transportEvents.isEmpty());
        server.receive(masked(0x88, bytes("0fa0")));
        server.connection.ended();
        assertEquals("88 06 0f a0 6f 76 65 72", server.sentHex());
        assertEquals(List.of("close"), server.transportEvents);
        assertEquals(List.of("end"), server.events);
    }

    @Test
    void aPeerThatDoesNotAnswerACloseFrameIsDisconnected() {
        Peer server = Peer.server();
        server.connection.close(1000, "");
        server.runTimers();
        assertEquals(List.of("close"), server.transportEvents);
    }

    @Test
    void theEndOfTheInputWithoutACloseFrameIsReportedAs1006AndOfTheServerAs1001() {
        Peer gone = Peer.server();
        gone.connection.inputEnded(false);
        gone.connection.ended();
        assertEquals(List.of("close 1006 The connection has ended without a close frame", "end"), gone.events);
        assertEquals("", gone.sentHex());
        Peer leaving = Peer.server();
        leaving.connection.inputEnded(true);
        leaving.connection.ended();
        assertEquals(List.of("close 1001", "end"), leaving.events);
        assertEquals("88 02 03 e9", leaving.sentHex());
        Peer reset = Peer.server();
        reset.connection.ended();
        assertEquals(List.of("close 1006 The connection has ended without a close frame", "end"), reset.events);
    }
}
