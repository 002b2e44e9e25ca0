package io.penstock.http2;

import io.penstock.exchange.HeadRules;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.http.FieldSection;

/**
 * The objects that all connections of one reactor share, so that each connection needs only one reference, and an idle one no buffer.
 *
 * <p>Thread: the reactor; {@link #server} and {@link #heads}: any.
 */
final class Http2Parts {
    /** The most octets of a connection's dynamic table: the value that a client may assume (RFC 9113 section 6.5.2). */
    static final int TABLE_SIZE = 4096;

    private final ServerResources server;
    private final Http2Heads heads;
    private final Http2Admission admission;
    private final UnfinishedBodies unfinished;
    private final FieldSection fields;
    private final byte[] scratch = new byte[Frame.MAX_PAYLOAD];

    Http2Parts(ServerResources server, Http2Heads heads, HeadRules rules, UnfinishedBodies unfinished) {
        this.server = server;
        this.heads = heads;
        this.admission = new Http2Admission(server, rules, heads);
        this.unfinished = unfinished;
        this.fields = new FieldSection(server.config().messages());
    }

    ServerResources server() {
        return server;
    }

    Http2Heads heads() {
        return heads;
    }

    Http2Admission admission() {
        return admission;
    }

    UnfinishedBodies unfinished() {
        return unfinished;
    }

    /** The fields of the head that is being decoded. */
    FieldSection fields() {
        return fields;
    }

    /** Room for one payload. */
    byte[] scratch() {
        return scratch;
    }
}
