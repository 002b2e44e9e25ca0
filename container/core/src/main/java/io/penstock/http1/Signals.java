package io.penstock.http1;

import io.penstock.exchange.LinkWriter;

/** The signals by which other threads call a connection's reactor ({@link io.penstock.reactor.Link#signal}). */
final class Signals {
    /** The socket takes no more bytes. The reactor must send the remaining bytes. */
    static final int STALLED = LinkWriter.STALLED; // 1

    /** A write has failed. */
    static final int FAILED = LinkWriter.FAILED; // 2

    /** An event for which the reactor waits has happened. */
    static final int ATTENTION = 4;

    /** The last response is in the pipe. */
    static final int FINISHED_CLOSING = 8;

    /** A response is incomplete, and only a reset can show this to the client. */
    static final int RESET = 16;

    /** A worker has put a request into the queue. */
    static final int QUEUED = 32;

    /** A call into the application still runs after its interrupt. The reactor must answer in place of the application. */
    static final int OVERRUN = 64;

    /** The overloaded queue has dropped a request that has waited too long. */
    static final int OUTDATED = 128;

    /** The connection uses another protocol now. */
    static final int SWITCHED = 256;

    /** Nothing more will be written to an upgraded connection. */
    static final int OUTPUT_ENDS = 512;

    /** The connection is upgraded, and must end. The reactor ends its input. */
    static final int LEAVE = 1024;

    private Signals() {}
}
