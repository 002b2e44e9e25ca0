package io.penstock.loadtest.client;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * A session of WebSocket (RFC 6455), with or without compression (RFC 7692). It sends frames that are encoded once for all sessions, and counts the
 * messages that it receives. It does not decompress them, and answers no pings, so that it needs little processor time.
 *
 * <pre>
 *   HANDSHAKE ──> FRAME_HEAD ── PAYLOAD
 * </pre>
 *
 * Thread: the thread of the {@link ClientLoop}.
 */
public final class WebSocket implements Conversation {
    // A key and its answer, from RFC 6455 section 1.3. Only caches between client and server would need a random key.
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";
    private static final String ANSWER = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
    private static final String DEFLATE = "permessage-deflate";

    /** The masking key of all frames. It differs in each octet, so the server must really unmask. */
    private static final int MASK = 0x37fa213d;

    private static final int LONGEST_RESPONSE = 16 << 10;
    private static final int FIN = 0x80;
    private static final int RSV1 = 0x40;
    private static final int MASKED = 0x80;
    private static final int OPCODE = 0x0f;
    private static final int TEXT = 1;
    private static final int BINARY = 2;
    private static final int CLOSE = 8;
    private static final int TWO_OCTETS = 126;
    private static final int EIGHT_OCTETS = 127;
    /** The length of an empty stored block, with which a deflated message would end (RFC 7692 section 7.2.1). */
    private static final int TAIL = 4;

    private enum State {
        HANDSHAKE,
        FRAME_HEAD,
        PAYLOAD
    }

    /** Receives the events of a session. Thread: the thread of the {@link ClientLoop}. */
    public interface Listener {
        /** The server has accepted the handshake. */
        void onAccepted(WebSocket socket);

        /** A part of a message, compressed if the server has compressed it. */
        default void onContent(ByteBuffer part) {}

        void onMessage(WebSocket socket);

        /** The session has ended without a call of {@link WebSocket#close}. */
        default void onEnd(WebSocket socket, CallException cause) {}
    }

    private final Target target;
    private final boolean deflated;
    private final Listener listener;
    private ByteBuffer head = ByteBuffer.allocate(256);
    private State state = State.HANDSHAKE;
    private int first;
    private long left;
    private long received;
    private @Nullable Wire wire;

    /** @param deflated whether the session offers compression; if the server does not accept it, the session ends */
    public WebSocket(Target target, boolean deflated, Listener listener) {
        this.target = target;
        this.deflated = deflated;
        this.listener = listener;
    }

    /** Makes the connection, and starts the handshake. */
    public static WebSocket open(ClientLoop loop, Target target, boolean deflated, Listener listener)
            throws CallException {
        WebSocket socket = new WebSocket(target, deflated, listener);
        socket.wire = loop.open(target.address(), socket);
        return socket;
    }

    /** A text message. See {@link #send}. */
    public static ByteBuffer text(String content, boolean deflated) {
        return frame(TEXT, content.getBytes(StandardCharsets.UTF_8), deflated);
    }

    /** A binary message. See {@link #send}. */
    public static ByteBuffer binary(byte[] content, boolean deflated) {
        return frame(BINARY, content, deflated);
    }

    private static ByteBuffer frame(int opcode, byte[] content, boolean deflated) {
        byte[] payload = deflated ? deflate(content) : content;
        int length = payload.length;
        ByteBuffer frame = ByteBuffer.allocateDirect(14 + length);
        frame.put((byte) (FIN | (deflated ? RSV1 : 0) | opcode));
        if (length < TWO_OCTETS) {
            frame.put((byte) (MASKED | length));
        } else if (length < 1 << Short.SIZE) {
            frame.put((byte) (MASKED | TWO_OCTETS)).putShort((short) length);
        } else {
            frame.put((byte) (MASKED | EIGHT_OCTETS)).putLong(length);
        }
        frame.putInt(MASK);
        for (int i = 0; i < length; i++) {
            frame.put((byte) (payload[i] ^ MASK >>> 24 - 8 * (i % 4)));
        }
        return frame.flip().asReadOnlyBuffer();
    }

    /** Compresses a message by itself. A server that keeps a window for all messages can read it, too. */
    private static byte[] deflate(byte[] content) {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            byte[] compressed = new byte[2 * content.length + 64];
            deflater.setInput(content);
            int length = deflater.deflate(compressed, 0, compressed.length, Deflater.SYNC_FLUSH);
            return Arrays.copyOf(compressed, length - TAIL);
        } finally {
            deflater.end();
        }
    }

    /** Sends a message of {@link #text} or {@link #binary}. Many sessions can send the same buffer; its position does not change. */
    public void send(ByteBuffer message) {
        if (wire != null) {
            wire.send(message.duplicate());
        }
    }

    /** The octets of all messages so far, as on the wire, without the heads of frames. */
    public long receivedBytes() {
        return received;
    }

    /** Leaves all further octets in the socket's buffers. The end of the connection is not noticed any more. */
    public void stopReading() {
        if (wire != null) {
            wire.readAtMost(0);
        }
    }

    /** Closes the connection without a handshake. The listener is not called after this. */
    public void close() {
        if (wire != null) {
            wire.abort();
        }
    }

    @Override
    public void onOpen(Wire opened) {
        wire = opened;
        String request =
                target.requestLine("GET") + "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                        + "Sec-WebSocket-Key: " + KEY + "\r\n"
                        + (deflated ? "Sec-WebSocket-Extensions: " + DEFLATE + "\r\n" : "") + "\r\n";
        opened.send(ByteBuffer.wrap(request.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @Override
    public void onBytes(Wire from, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining() && !from.isClosed()) {
            switch (state) {
                case HANDSHAKE -> onResponse(bytes.get());
                case FRAME_HEAD -> onHead(bytes.get());
                case PAYLOAD -> onPayload(bytes);
            }
        }
    }

    private void onResponse(byte octet) throws ProtocolException {
        if (!head.hasRemaining()) {
            if (head.capacity() >= LONGEST_RESPONSE) {
                throw new ProtocolException("The response to the handshake is too long");
            }
            head = ByteBuffer.allocate(2 * head.capacity()).put(head.flip());
        }
        head.put(octet);
        if (octet != '\n' || head.position() < 4 || head.getInt(head.position() - 4) != 0x0d0a0d0a) {
            return;
        }
        String response = StandardCharsets.ISO_8859_1.decode(head.flip()).toString();
        if (!response.startsWith("HTTP/1.1 101 ") || !response.contains(ANSWER)) {
            throw new ProtocolException("The server has refused the handshake: "
                    + response.lines().findFirst().orElse(""));
        }
        if (deflated != response.contains(DEFLATE)) {
            throw new ProtocolException(
                    "The server " + (deflated ? "does not compress" : "compresses without an offer"));
        }
        head = ByteBuffer.allocate(10);
        state = State.FRAME_HEAD;
        listener.onAccepted(this);
    }

    private void onHead(byte octet) throws IOException {
        head.put(octet);
        if (head.position() < 2) {
            return;
        }
        int length = head.get(1) & 0xff;
        int octets = length == EIGHT_OCTETS ? 8 : length == TWO_OCTETS ? 2 : 0;
        if (head.position() < 2 + octets) {
            return;
        }
        left = octets == 8 ? head.getLong(2) : octets == 2 ? head.getShort(2) & 0xffff : length;
        first = head.get(0);
        head.clear();
        if ((first & OPCODE) == CLOSE) {
            throw new CallException(Failure.CLOSED_EARLY, "The server has closed the session");
        }
        state = State.PAYLOAD;
        if (left == 0) {
            onFrame();
        }
    }

    private void onPayload(ByteBuffer bytes) {
        int length = (int) Math.min(left, bytes.remaining());
        if ((first & OPCODE) < CLOSE) {
            listener.onContent(bytes.slice(bytes.position(), length));
            received += length;
        }
        bytes.position(bytes.position() + length);
        left -= length;
        if (left == 0) {
            onFrame();
        }
    }

    private void onFrame() {
        state = State.FRAME_HEAD;
        if ((first & FIN) != 0 && (first & OPCODE) < CLOSE) {
            listener.onMessage(this);
        }
    }

    @Override
    public void onEnd(Wire ended, CallException cause) {
        listener.onEnd(this, cause);
    }
}
