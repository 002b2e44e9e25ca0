package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/** The levels that rise and fall while the server runs; {@link Gauges} reads them. A {@link Counter} counts events. */
public enum Gauge {
    CONNECTIONS("connections", "connections", "connections that are open"),
    CONNECTIONS_HANDSHAKE("connections-handshake", "connections", "of these, whose handshake is not complete"),
    CONNECTIONS_IDLE("connections-idle", "connections", "of these, that wait for the first byte of a request"),
    CONNECTIONS_HEAD("connections-head", "connections", "of these, whose request head is arriving"),
    CONNECTIONS_BODY("connections-body", "connections", "of these, whose request body is arriving"),
    CONNECTIONS_STORING(
            "connections-storing",
            "connections",
            "of these, whose request body has arrived and is still being written to disk"),
    CONNECTIONS_QUEUED("connections-queued", "connections", "of these, whose request waits for a worker"),
    CONNECTIONS_RUNNING("connections-running", "connections", "of these, whose request the application is serving"),
    CONNECTIONS_DRAINING(
            "connections-draining", "connections", "of these, whose response waits for the client and for no worker"),
    CONNECTIONS_UPGRADED("connections-upgraded", "connections", "of these, that speak another protocol than HTTP"),
    CONNECTIONS_CLOSING(
            "connections-closing",
            "connections",
            "of these, whose last response has been sent, and that are read until the client closes"),
    CONNECTIONS_TURNED_AWAY(
            "connections-turned-away",
            "connections",
            "besides these, that are being refused because too many are open"),

    QUEUED(
            "queued",
            "jobs",
            "requests, and continuations of asynchronous ones, that wait for a worker; not those that wait in a bulkhead"),
    QUEUE_OLDEST("queue-oldest", "ms", "for which the oldest of them has waited"),
    WORKERS("workers", "threads", "workers"),
    WORKERS_BUSY("workers-busy", "threads", "workers that run a job"),
    WORKERS_WAITING("workers-waiting", "threads", "of these, that wait for a client to send or to take bytes"),
    WORKERS_STREAMING("workers-streaming", "threads", "workers that stream, or wait for a client that does not read"),
    WORKERS_SPOOLING(
            "workers-spooling",
            "threads",
            "workers whose response has waited for the disk, or is expected to, since others of its servlet have"),
    WORKERS_IDLE("workers-idle", "threads", "workers that wait for a job"),

    PIPE_BYTES("pipe-bytes", "bytes", "bytes of the buffers that pipes hold"),
    PIPE_BUDGET("pipe-budget", "bytes", "bytes of the buffers that pipes may hold"),
    HEAD_BYTES("head-bytes", "bytes", "bytes of heads larger than 2K, and of requests sent ahead"),
    HEAD_BUDGET("head-budget", "bytes", "bytes that heads larger than 2K and requests sent ahead may have"),
    TLS_BYTES("tls-bytes", "bytes", "bytes of records of TLS that have not come whole, or wait to be read or sent"),
    TLS_BUDGET("tls-budget", "bytes", "bytes that these records may have"),
    TLS_TASKS("tls-tasks", "handshakes", "handshakes that wait for a thread for their arithmetic, or have one"),
    BODIES_STARVING(
            "bodies-starving", "connections", "connections that are not read because memory for their bodies is short"),

    SPOOL_BYTES("spool-bytes", "bytes", "bytes of bodies on disk"),
    SPOOL_LIMIT("spool-limit", "bytes", "bytes that bodies on disk may have"),
    SPOOL_FILES_OPEN("spool-files-open", "files", "bodies on disk"),
    SPOOL_PENDING("spool-pending", "writes", "writes to disk that wait or run"),
    SPOOL_THREADS("spool-threads", "threads", "threads that may write to disk; can be changed while the server runs"),

    CONTEXTS_FAILED(
            "contexts-failed", "contexts", "contexts whose last deployment failed; a former version stays in service"),
    CERTIFICATE_EXPIRY_TIMESTAMP(
            "certificate-expiry-timestamp",
            "ms",
            "since 1970, when the first of the server's certificates expires; 0 without TLS, and while there is none"),
    CERTIFICATES_OUTDATED(
            "certificates-outdated",
            "changes",
            "1 while the files of certificates and keys have changed and cannot be used; the former ones stay in use"),
    CERTIFICATE_PENDING(
            "certificate-pending",
            "certificates",
            "1 while an authority has not signed the server's certificate yet (`acme`), and clients get one that the server has made"),
    ACME_FAILURES("acme-failures", "orders", "orders of a certificate that have failed since the last success"),
    SESSIONS(
            "sessions",
            "sessions",
            "sessions, in use or not, of the application with the most sessions; of a session store only those in memory"),
    SESSION_STORE_THREADS(
            "session-store-threads", "threads", "threads that call the session store, or wait for another such call"),
    FILE_CACHE_BYTES("file-cache-bytes", "bytes", "bytes of small files that are kept in memory"),
    COMPRESSORS("compressors", "responses", "responses that are being compressed"),
    ACCESS_LOG_WAITING("access-log-waiting", "requests", "lines that wait to be written to the access log"),
    ADMIN_LISTENERS("admin-listeners", "pages", "pages that follow the flow board");

    private final String id;
    private final String unit;
    private final String meaning;

    Gauge(String id, String unit, String meaning) {
        this.id = id;
        this.unit = unit;
        this.meaning = meaning;
    }

    /** The name for operators. */
    public String id() {
        return id;
    }

    /** The unit of the value. */
    public String unit() {
        return unit;
    }

    /** The key of its limit; null if it has none of its own. */
    public @Nullable Key bound() {
        return switch (this) {
            case CONNECTIONS -> Key.MAX_CONNECTIONS;
            case QUEUED -> Key.QUEUE;
            case QUEUE_OLDEST -> Key.QUEUE_AGE;
            case WORKERS, WORKERS_BUSY, WORKERS_IDLE -> Key.WORKERS;
            case WORKERS_STREAMING -> Key.MAX_STREAMING;
            case WORKERS_SPOOLING -> Key.MAX_SPOOLING;
            case PIPE_BYTES -> Key.PIPE_BUDGET;
            case HEAD_BYTES -> Key.HEAD_BUDGET;
            case TLS_BYTES -> Key.TLS_BUDGET;
            case TLS_TASKS -> Key.TLS_TASKS;
            case SPOOL_BYTES -> Key.SPOOL_LIMIT;
            case SPOOL_PENDING -> Key.SPOOL_QUEUE;
            case SESSIONS -> Key.MAX_SESSIONS;
            case SESSION_STORE_THREADS -> Key.SESSION_STORE_THREADS;
            case FILE_CACHE_BYTES -> Key.FILE_CACHE;
            case COMPRESSORS -> Key.COMPRESSORS;
            case ACCESS_LOG_WAITING -> Key.ACCESS_LOG_RING;
            case ADMIN_LISTENERS -> Key.ADMIN_LISTENERS;
            default -> null;
        };
    }

    /** A description for the documentation. */
    public String meaning() {
        return meaning;
    }
}
