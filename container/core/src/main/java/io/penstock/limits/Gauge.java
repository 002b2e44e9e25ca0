package io.penstock.limits;

/** Everything that has a level while the server runs; {@link Gauges} reads it. What happens is a {@link Counter}. */
public enum Gauge {
    CONNECTIONS("connections", "connections", "connections that are open"),
    CONNECTIONS_IDLE("connections-idle", "connections", "of these, that wait for the first byte of a request"),
    CONNECTIONS_HEAD("connections-head", "connections", "of these, whose request head is arriving"),
    CONNECTIONS_BODY("connections-body", "connections", "of these, whose request body is arriving"),
    CONNECTIONS_SETTLING(
            "connections-settling", "connections", "of these, whose request body waits to be on disk to its last byte"),
    CONNECTIONS_QUEUED("connections-queued", "connections", "of these, whose request waits for a worker"),
    CONNECTIONS_RUNNING("connections-running", "connections", "of these, whose request the application is serving"),
    CONNECTIONS_DRAINING(
            "connections-draining", "connections", "of these, whose response waits for the client and for no worker"),
    CONNECTIONS_UPGRADED("connections-upgraded", "connections", "of these, that speak another protocol than HTTP"),
    CONNECTIONS_CLOSING("connections-closing", "connections", "of these, that are read to their end"),
    CONNECTIONS_TURNED_AWAY(
            "connections-turned-away", "connections", "beside these, that are being told that too many are open"),

    QUEUED("queued", "jobs", "requests, and continuations of asynchronous ones, that wait for a worker"),
    QUEUE_OLDEST("queue-oldest", "ms", "for which the one of them has waited that has waited longest"),
    WORKERS("workers", "threads", "workers"),
    WORKERS_BUSY("workers-busy", "threads", "workers that run something"),
    WORKERS_WAITING(
            "workers-waiting",
            "threads",
            "of these, that wait for a client: to send more, or to take what was written"),
    WORKERS_STREAMING(
            "workers-streaming",
            "threads",
            "workers that stream, or wait for a client that does not read; at most `max-streaming`"),

    PIPE_BYTES("pipe-bytes", "bytes", "bytes of the buffers that pipes hold"),
    PIPE_BUDGET("pipe-budget", "bytes", "bytes of the buffers that pipes may hold"),
    HEAD_BYTES("head-bytes", "bytes", "bytes of heads larger than 2K"),
    HEAD_BUDGET("head-budget", "bytes", "bytes that heads larger than 2K may have"),
    BODIES_STARVING(
            "bodies-starving",
            "connections",
            "connections that are not read, since there is no memory for what they send"),

    SPOOL_BYTES("spool-bytes", "bytes", "bytes of bodies on disk"),
    SPOOL_LIMIT("spool-limit", "bytes", "bytes that bodies on disk may have"),
    SPOOL_FILES_OPEN("spool-files-open", "files", "bodies on disk"),
    SPOOL_PENDING("spool-pending", "writes", "writes to disk that wait or run; at most `spool-queue`"),
    SPOOL_THREADS("spool-threads", "threads", "threads that may write to disk; can be changed while the server runs");

    private final String id;
    private final String unit;
    private final String meaning;

    Gauge(String id, String unit, String meaning) {
        this.id = id;
        this.unit = unit;
        this.meaning = meaning;
    }

    /** The name that an operator sees. */
    public String id() {
        return id;
    }

    /** What is counted or measured. */
    public String unit() {
        return unit;
    }

    /** What it tells, for the documentation. */
    public String meaning() {
        return meaning;
    }
}
