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

/** A TLS client for tests. A test can change, shorten and delay the records of the client. */
public final class EngineClient {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final RawClient socket;
    private final SSLEngine engine;
    private Wire wire;

    /** Sends the records of the client. */
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
            case NEED_WRAP -> wire.send(handshakeRecords());
            case NEED_TASK -> engine.getDelegatedTask().run();
            default -> read();
        }
    }

    /** Begins the handshake, and returns the first record of the client. */
    public byte[] hello() throws IOException {
        engine.beginHandshake();
        return handshakeRecords();
    }

    /** Returns all handshake records and alerts that the engine must send now. */
    public byte[] handshakeRecords() throws IOException {
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

    /** Reads and decrypts records until {@code count} bytes of content have arrived. Returns the content. */
    public String exactly(int count) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.length() < count) {
            text.append(read());
        }
        return text.toString();
    }

    /**
     * Reads and decrypts all records until the close_notify of the server. Returns their content. If the server sends another alert, the
     * engine throws an exception.
     */
    public String rest() throws IOException {
        StringBuilder text = new StringBuilder();
        while (!engine.isInboundDone()) {
            text.append(read());
        }
        return text.toString();
    }

    /** Reads and decrypts one record. Returns its content. */
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
            throw new EOFException("the engine has not read the whole record: " + result);
        }
        return new String(content.array(), 0, content.position(), StandardCharsets.ISO_8859_1);
    }
}
