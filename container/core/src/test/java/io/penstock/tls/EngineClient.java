package io.penstock.tls;

import io.penstock.http1.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;

/** A client that speaks TLS, whose records a test may change, cut, and keep back on their way. */
public final class EngineClient {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final RawClient socket;
    private final SSLEngine engine;
    private Wire wire;

    /** How records are sent. */
    @FunctionalInterface
    public interface Wire {
        void send(byte[] records) throws IOException;
    }

    public EngineClient(RawClient socket, String version) {
        this.socket = socket;
        this.wire = socket::send;
        engine = TestIdentity.anonymousClient().createSSLEngine("localhost", 443);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setServerNames(List.of(new SNIHostName("server.test")));
        engine.setSSLParameters(parameters);
    }

    public EngineClient(RawClient socket) {
        this(socket, "TLSv1.3");
    }

    public EngineClient over(Wire other) {
        wire = other;
        return this;
    }

    public SSLEngine engine() {
        return engine;
    }

    public EngineClient handshake() throws IOException {
        engine.beginHandshake();
        while (engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING) {
            step();
        }
        return this;
    }

    private void step() throws IOException {
        switch (engine.getHandshakeStatus()) {
            case NEED_WRAP -> wire.send(words());
            case NEED_TASK -> engine.getDelegatedTask().run();
            default -> read();
        }
    }

    /** The first record of the handshake. */
    public byte[] hello() throws IOException {
        engine.beginHandshake();
        return words();
    }

    /** All records that the engine wants to send. */
    public byte[] words() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            all.writeBytes(encrypt(NOTHING));
        }
        return all.toByteArray();
    }

    public EngineClient send(String text) throws IOException {
        wire.send(encrypt(text));
        return this;
    }

    public byte[] encrypt(String text) throws IOException {
        return encrypt(ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    private byte[] encrypt(ByteBuffer content) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        do {
            ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
            engine.wrap(content, record);
            all.write(record.array(), 0, record.position());
        } while (content.hasRemaining());
        return all.toByteArray();
    }

    /** Reads until so many bytes have come, decrypted. */
    public String exactly(int count) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.length() < count) {
            text.append(read());
        }
        return text.toString();
    }

    /** The rest until the server's end of TLS, decrypted. The engine throws its exception at an alert. */
    public String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        while (!engine.isInboundDone()) {
            text.append(read());
        }
        return text.toString();
    }

    /** Reads one record. */
    public String read() throws IOException {
        byte[] head = socket.exactly(5);
        int length = ByteBuffer.wrap(head).getShort(3);
        ByteBuffer record = ByteBuffer.allocate(head.length + length)
                .put(head)
                .put(socket.exactly(length))
                .flip();
        ByteBuffer content = ByteBuffer.allocate(40_000);
        SSLEngineResult result = engine.unwrap(record, content);
        if (record.hasRemaining()) {
            throw new EOFException("the engine takes no more: " + result);
        }
        return new String(content.array(), 0, content.position(), StandardCharsets.ISO_8859_1);
    }
}
