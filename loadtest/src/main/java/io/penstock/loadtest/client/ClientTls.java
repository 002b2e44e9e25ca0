package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The objects that all TLS connections of a {@link ClientLoop} share: the TLS context, and one buffer each for a record and for its
 * content.
 *
 * <p>Thread: the thread of the loop. Owns: the two buffers. Their bytes are valid only until the next encryption or decryption.
 */
final class ClientTls {
    /**
     * The size of the buffers, in bytes. The JDK's engine needs 16,709 bytes, or 33,093 bytes if it is set to accept larger records than
     * the standard allows.
     */
    private static final int ROOM = 40 << 10;

    private final SSLContext context;
    private final ByteBuffer record = ByteBuffer.allocate(ROOM);
    private final ByteBuffer content = ByteBuffer.allocate(ROOM);

    ClientTls(SSLContext context) {
        this.context = context;
    }

    /**
     * Creates an engine without the name of the server. Without a name, the context does not cache the session, so every handshake is a
     * full handshake.
     */
    SSLEngine engine() {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        return engine;
    }

    ByteBuffer record() {
        return record.clear();
    }

    ByteBuffer content() {
        return content.clear();
    }
}
