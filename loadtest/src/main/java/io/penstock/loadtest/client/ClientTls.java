package io.penstock.loadtest.client;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * The objects that all encrypted connections of a loop share: the source of their engines, and the buffers of one step.
 *
 * <p>Thread: the loop. Owns: the two buffers, whose content is valid for one step only.
 */
final class ClientTls {
    /** An engine of the JDK wants room for records that are a little more than twice as long as the standard allows. */
    private static final int ROOM = 40 << 10;

    private final SSLContext context;
    private final ByteBuffer record = ByteBuffer.allocate(ROOM);
    private final ByteBuffer content = ByteBuffer.allocate(ROOM);

    ClientTls(SSLContext context) {
        this.context = context;
    }

    /** Without the name of a peer the context remembers no session: every handshake is a full one. */
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
