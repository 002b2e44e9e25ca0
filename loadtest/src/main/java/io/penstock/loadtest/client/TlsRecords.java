package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * TLS on one connection ({@link Wire}), implemented with the JDK's {@link SSLEngine}.
 *
 * <p>Thread: the thread of the {@link ClientLoop}, which also does the computations of the handshake. Owns: the engine, the received bytes
 * that are not decrypted yet, and the bytes of a record that the socket has not taken yet.
 */
final class TlsRecords {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ClientTls shared;
    private final SSLEngine engine;
    private final LongConsumer sent;
    private ByteBuffer come = NOTHING;
    private ByteBuffer unsent = NOTHING;

    /** @param sent a function that is called after each write, with the number of encrypted bytes that the socket has taken */
    TlsRecords(ClientTls shared, LongConsumer sent) throws SSLException {
        this.shared = shared;
        this.sent = sent;
        this.engine = shared.engine();
        engine.beginHandshake();
    }

    /**
     * Continues the handshake as far as the received bytes and the socket allow. Returns whether the handshake is complete. The last bytes
     * of the handshake may be unsent even if the result is true.
     */
    boolean shakeHands(SocketChannel channel) throws IOException {
        while (true) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> {
                    if (!flush(channel)) {
                        return false;
                    }
                    encrypt(NOTHING.duplicate());
                    flush(channel);
                }
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (!unwrap(shared.content())) {
                        return false;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return true;
                }
            }
        }
    }

    /** Adds received bytes to the bytes that are not decrypted yet. */
    void take(ByteBuffer bytes) {
        come = ByteBuffer.allocate(come.remaining() + bytes.remaining())
                .put(come)
                .put(bytes)
                .flip();
    }

    /**
     * Returns the decrypted content of the next record, or null if no complete record has been received. All connections share the buffer
     * of the content. The content is valid until a connection reads or writes again.
     */
    @Nullable
    ByteBuffer next() throws IOException {
        ByteBuffer content = shared.content();
        while (unwrap(content)) {
            if (content.position() > 0) {
                return content.flip();
            }
            // The record contained no application data. It contained a message of TLS itself, such as a session ticket.
        }
        return null;
    }

    /** Decrypts the next record. Returns false if no complete record has been received. */
    private boolean unwrap(ByteBuffer content) throws IOException {
        if (!come.hasRemaining()) {
            return false;
        }
        SSLEngineResult result = engine.unwrap(come, content);
        runTasks();
        return switch (result.getStatus()) {
            case OK -> true;
            case BUFFER_UNDERFLOW -> false;
            case BUFFER_OVERFLOW -> throw new SSLException("A TLS record is larger than allowed");
            case CLOSED -> throw new CallException(Failure.CLOSED_EARLY, "The server has closed the connection");
        };
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /** Encrypts bytes into one record, as many as fit. The previous record must already be written to the socket. */
    void encrypt(ByteBuffer... sources) throws SSLException {
        ByteBuffer record = shared.record();
        SSLEngineResult result = engine.wrap(sources, record);
        if (result.getStatus() != SSLEngineResult.Status.OK) {
            throw new SSLException("No record can be made: " + result.getStatus());
        }
        record.flip();
        unsent = ByteBuffer.allocate(record.remaining()).put(record).flip();
    }

    /** Writes the encrypted record to the socket. Returns whether the socket has taken the whole record. */
    boolean flush(SocketChannel channel) throws IOException {
        if (unsent.hasRemaining()) {
            sent.accept(channel.write(unsent));
        }
        return isFlushed();
    }

    boolean isFlushed() {
        return !unsent.hasRemaining();
    }

    /**
     * The objects that all TLS connections of a {@link ClientLoop} share: the TLS context, and one buffer each for a record and for its
     * content.
     *
     * <p>Thread: the thread of the loop. Owns: the two buffers. Their bytes are valid only until the next encryption or decryption.
     */
    static final class ClientTls {
        /**
         * The size of the buffers, in bytes. The JDK's engine needs 16,709 bytes, or 33,093 bytes if it is set to accept larger records
         * than the standard allows.
         */
        private static final int ROOM = 40 << 10;

        private final SSLContext context;
        private final String[] protocols;
        private final ByteBuffer record = ByteBuffer.allocate(ROOM);
        private final ByteBuffer content = ByteBuffer.allocate(ROOM);

        /** @param protocols the protocols to offer by ALPN; without one, a connection does not use ALPN */
        ClientTls(SSLContext context, String... protocols) {
            this.context = context;
            this.protocols = protocols;
        }

        /**
         * Creates an engine without the name of the server. Without a name, the context does not cache the session, so every handshake is a
         * full handshake.
         */
        SSLEngine engine() {
            SSLEngine engine = context.createSSLEngine();
            engine.setUseClientMode(true);
            SSLParameters parameters = engine.getSSLParameters();
            parameters.setApplicationProtocols(protocols);
            engine.setSSLParameters(parameters);
            return engine;
        }

        ByteBuffer record() {
            return record.clear();
        }

        ByteBuffer content() {
            return content.clear();
        }
    }
}
