package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Tests how {@link IncomingFrames} checks the frames of a client, and passes the frames to the WebSocket engine. {@code held} returns the
 * approximate memory of the unfinished message.
 */
class IncomingFramesTest {
    private static final int MAX_FRAME_PAYLOAD = 100_000;
    private static final int TEXT = 0x81;
    private static final int FIRST_BINARY_FRAGMENT = 0x02;
    private static final int MIDDLE_FRAGMENT = 0x00;
    private static final int LAST_FRAGMENT = 0x80;
    private static final int PING = 0x89;

    private final List<byte[]> delivered = new ArrayList<>();
    private final IncomingFrames frames = new IncomingFrames(MAX_FRAME_PAYLOAD, frame -> {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        delivered.add(bytes);
    });

    private static byte[] frame(int first, byte[] payload) {
        int size = payload.length;
        ByteBuffer frame = ByteBuffer.allocate(14 + size).put((byte) first);
        if (size < 126) {
            frame.put((byte) (0x80 | size));
        } else if (size < 65_536) {
            frame.put((byte) (0x80 | 126)).putShort((short) size);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(size);
        }
        byte[] mask = {1, 2, 3, 4};
        frame.put(mask);
        for (int i = 0; i < size; i++) {
            frame.put((byte) (payload[i] ^ mask[i % 4]));
        }
        byte[] whole = new byte[frame.position()];
        frame.flip().get(whole);
        return whole;
    }

    private static byte[] payload(int size) {
        byte[] payload = new byte[size];
        new Random(size).nextBytes(payload);
        return payload;
    }

    private void take(byte[] bytes) throws RefusedFrameException {
        frames.take(ByteBuffer.wrap(bytes));
    }

    /** Returns the first octet of each frame in hexadecimal. Adds the payloads of all frames to {@code payload}. */
    private static String firstOctets(List<byte[]> frames, ByteArrayOutputStream payload) {
        StringBuilder firsts = new StringBuilder();
        for (byte[] frame : frames) {
            ByteBuffer in = ByteBuffer.wrap(frame);
            firsts.append(Integer.toHexString(in.get() & 0xff)).append(' ');
            int size = in.get() & 0x7f;
            size = size == 126 ? Short.toUnsignedInt(in.getShort()) : size;
            byte[] mask = new byte[4];
            in.get(mask);
            assertEquals(size, in.remaining());
            for (int i = 0; in.hasRemaining(); i++) {
                payload.write(in.get() ^ mask[i % 4]);
            }
        }
        return firsts.toString().strip();
    }

    @Test
    void aFrameIsDeliveredAsOneFrameIfItArrivesInTwoPieces() throws Exception {
        for (int size : new int[] {0, 1, 125, 126, 300}) {
            byte[] frame = frame(TEXT, payload(size));
            for (int cut = 0; cut <= frame.length; cut++) {
                delivered.clear();
                frames.take(ByteBuffer.wrap(frame, 0, cut));
                frames.take(ByteBuffer.wrap(frame, cut, frame.length - cut));
                ByteArrayOutputStream payload = new ByteArrayOutputStream();
                assertEquals(
                        "81",
                        firstOctets(delivered, payload),
                        "a frame with a payload of " + size + " bytes, split at byte " + cut);
                assertEquals(ByteBuffer.wrap(payload(size)), ByteBuffer.wrap(payload.toByteArray()));
                assertEquals(0, frames.held());
            }
        }
    }

    @Test
    void aLargeFrameIsDeliveredInFragments() throws Exception {
        byte[] sent = payload(2 * IncomingFrames.FRAGMENT + 7);
        take(frame(TEXT, sent));
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        assertEquals("1 0 80", firstOctets(delivered, payload));
        assertEquals(ByteBuffer.wrap(sent), ByteBuffer.wrap(payload.toByteArray()));
    }

    @Test
    void aMessageIsDeliveredInFragmentsIfItArrivesInFragments() throws Exception {
        take(frame(FIRST_BINARY_FRAGMENT, payload(IncomingFrames.FRAGMENT + 1)));
        take(frame(PING, payload(4)));
        take(frame(LAST_FRAGMENT, payload(5)));
        assertEquals("2 0 89 80", firstOctets(delivered, new ByteArrayOutputStream()));
    }

    @Test
    void emptyMiddleFragmentsOfAMessageAreNotDelivered() throws Exception {
        take(frame(FIRST_BINARY_FRAGMENT, payload(1)));
        long held = frames.held();
        for (int i = 0; i < 1000; i++) {
            take(frame(MIDDLE_FRAGMENT, payload(0)));
        }
        assertEquals(held, frames.held());
        take(frame(LAST_FRAGMENT, payload(0)));
        assertEquals("2 80", firstOctets(delivered, new ByteArrayOutputStream()));
    }

    @Test
    void heldBytesIncludeThePayloadAndTheOverheadOfAnIncompleteMessage() throws Exception {
        take(frame(FIRST_BINARY_FRAGMENT, payload(1000)));
        assertEquals(1000 + IncomingFrames.OVERHEAD, frames.held());
        for (int i = 0; i < 100; i++) {
            take(frame(MIDDLE_FRAGMENT, payload(1)));
        }
        assertEquals(1100 + 101 * IncomingFrames.OVERHEAD, frames.held());
        take(frame(LAST_FRAGMENT, payload(1)));
        assertEquals(0, frames.held());
        byte[] half = frame(TEXT, payload(1000));
        frames.take(ByteBuffer.wrap(half, 0, 20));
        assertTrue(frames.held() >= 1000, "bytes held for half a frame: " + frames.held());
    }

    @Test
    void heldBytesExcludeAMessageThatIsTooLongToBeDeliveredAsAWhole() throws Exception {
        take(frame(FIRST_BINARY_FRAGMENT, payload(1)));
        take(frame(MIDDLE_FRAGMENT, payload(MAX_FRAME_PAYLOAD)));
        assertEquals(0, frames.held());
    }

    @Test
    void payloadLengthsAtTheLimitsOfTheLengthEncodingsAreAccepted() throws Exception {
        for (int size : new int[] {126, 65_535, 65_536}) {
            delivered.clear();
            take(frame(TEXT, payload(size)));
            ByteArrayOutputStream payload = new ByteArrayOutputStream();
            firstOctets(delivered, payload);
            assertEquals(size, payload.size());
        }
    }

    @Test
    void aFrameWithAnInvalidHeaderIsRefusedBeforeItsPayloadArrives() {
        byte[][] heads = {
            {(byte) 0x81, 2}, // a frame without a mask
            {(byte) 0x82, (byte) 0xff, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0}, // a frame with a negative length
            {(byte) 0x89, (byte) 0xfe, 0, 126, 0, 0, 0, 0}, // a ping with 126 bytes of payload
            {(byte) 0x81, (byte) 0xfe, 0, 0, 0, 0, 0, 0}, // the length 0, encoded in two octets
            {(byte) 0x81, (byte) 0xfe, 0, 125, 0, 0, 0, 0}, // the length 125, encoded in two octets
            {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}, // the length 1, encoded in eight octets
            {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0, 0, 0, (byte) 0xff, (byte) 0xff, 0, 0, 0, 0}, // 65,535 in 8 octets
        };
        for (byte[] head : heads) {
            IncomingFrames fresh = new IncomingFrames(MAX_FRAME_PAYLOAD, frame -> delivered.add(new byte[0]));
            RefusedFrameException refused =
                    assertThrows(RefusedFrameException.class, () -> fresh.take(ByteBuffer.wrap(head)));
            assertEquals(1002, refused.reason().getCloseCode().getCode());
        }
        byte[] tooLarge = {(byte) 0x82, (byte) 0xff, 0x40, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0};
        RefusedFrameException refused = assertThrows(RefusedFrameException.class, () -> take(tooLarge));
        assertEquals(1009, refused.reason().getCloseCode().getCode());
        assertEquals(List.of(), delivered);
    }
}
