package io.penstock.metrics;

import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import org.jspecify.annotations.Nullable;

/**
 * Values that rise and fall while the server runs, such as the number of open connections. {@link Gauges} reads these values. Events are
 * counted by a {@link Counter}.
 */
public enum Gauge {
    CONNECTIONS("connections", "connections", "open connections"),
    CONNECTIONS_HANDSHAKE("connections-handshake", "connections", "connections whose handshake is not complete"),
    CONNECTIONS_IDLE("connections-idle", "connections", "connections that wait for the first byte of a request"),
    CONNECTIONS_HEAD("connections-head", "connections", "connections whose request head is arriving"),
    CONNECTIONS_BODY("connections-body", "connections", "connections whose request body is arriving"),
    CONNECTIONS_STORING(
            "connections-storing",
            "connections",
            "connections whose request body has arrived and is still being written to disk"),
    CONNECTIONS_QUEUED("connections-queued", "connections", "connections whose request waits for a worker"),
    CONNECTIONS_RUNNING("connections-running", "connections", "connections whose request runs in the application"),
    CONNECTIONS_DRAINING(
            "connections-draining",
            "connections",
            "connections whose response waits for the client, while no worker waits"),
    CONNECTIONS_UPGRADED(
            "connections-upgraded",
            "connections",
            "connections that have switched to another protocol, such as WebSocket"),
    WEBSOCKET_SESSIONS("websocket-sessions", "sessions", "open WebSocket sessions, from the handshake on"),
    WEBSOCKET_QUEUED_BYTES(
            "websocket-queued-bytes",
            "bytes",
            "bytes of WebSocket messages that wait for their clients, in memory or on disk"),
    CONNECTIONS_CLOSING(
            "connections-closing",
            "connections",
            "connections whose last response has been sent; the server reads from them until the client closes"),
    STREAMS("streams", "streams", "open streams of HTTP/2: requests that have begun and are not over"),
    STREAMS_BLOCKED(
            "streams-blocked",
            "streams",
            "streams of HTTP/2 whose response waits until the client enlarges their window"),
    CONNECTIONS_TURNED_AWAY(
            "connections-turned-away",
            "connections",
            "further connections that the server refuses at this moment because too many are open"),

    QUEUED(
            "queued",
            "jobs",
            "requests, and continuations of asynchronous requests, that wait for a worker; those in bulkheads are not"
                    + " counted"),
    QUEUE_OLDEST("queue-oldest", "ms", "time for which the oldest of the queued jobs has waited for a worker"),
    WORKERS("workers", "threads", "largest number of workers"),
    WORKERS_STARTED("workers-started", "threads", "workers that have been started and have not ended"),
    WORKERS_BUSY("workers-busy", "threads", "workers that run a job"),
    WORKERS_WAITING("workers-waiting", "threads", "workers that wait for a client to send or to take bytes"),
    WORKERS_STREAMING("workers-streaming", "threads", "workers that stream, or wait for a client that does not read"),
    WORKERS_SPOOLING(
            "workers-spooling",
            "threads",
            "workers whose response has waited for the disk, or probably will, since earlier responses of the same"
                    + " servlet have waited"),
    WORKERS_IDLE("workers-idle", "threads", "started workers that wait for a job"),

    PIPE_BYTES("pipe-bytes", "bytes", "bytes of the buffers in all pipes"),
    PIPE_BUDGET("pipe-budget", "bytes", "largest number of bytes of the buffers in all pipes"),
    HEAD_BYTES("head-bytes", "bytes", "bytes of the heads of all requests, with what the server makes of them"),
    HEAD_BUDGET("head-budget", "bytes", "largest number of bytes of the heads of all requests together"),
    PARSED_BYTES("parsed-bytes", "bytes", "bytes of parameters, parts and cookies that applications have read"),
    PARSED_BUDGET(
            "parsed-budget",
            "bytes",
            "largest number of bytes of parameters, parts and cookies that applications have read"),
    TLS_BYTES(
            "tls-bytes",
            "bytes",
            "bytes of TLS records that are incomplete, or wait to be read or sent, and of unfinished handshakes"),
    TLS_BUDGET("tls-budget", "bytes", "largest number of bytes of TLS records and of unfinished handshakes"),
    TLS_TASKS("tls-tasks", "handshakes", "handshakes whose signature or key agreement waits for a thread or runs"),
    BODIES_STARVING(
            "bodies-starving", "connections", "connections that are not read because memory for their bodies is short"),

    SPOOL_BYTES("spool-bytes", "bytes", "bytes of bodies on disk"),
    SPOOL_LIMIT("spool-limit", "bytes", "largest number of bytes of bodies on disk"),
    SPOOL_FILES_OPEN("spool-files-open", "files", "bodies on disk"),
    SPOOL_PENDING("spool-pending", "writes", "writes to disk that wait or run"),
    SPOOL_THREADS("spool-threads", "threads", "threads that may write to disk; can be changed while the server runs"),

    CONTEXTS_FAILED(
            "contexts-failed",
            "contexts",
            "contexts whose last deployment failed; a former version, if any, stays in service"),
    CERTIFICATE_EXPIRY_TIMESTAMP(
            "certificate-expiry-timestamp",
            "ms",
            "time since 1970 at which the first of the server's certificates expires; 0 without TLS, and while there"
                    + " is no certificate"),
    CERTIFICATES_OUTDATED(
            "certificates-outdated",
            "changes",
            "1 while the files of certificates and keys have changed and cannot be used; the former ones stay in use"),
    CERTIFICATE_PENDING(
            "certificate-pending",
            "certificates",
            "1 while the server waits for an authority to sign its certificate (`acme`), and clients get a self-signed"
                    + " one"),
    OCSP_ANSWERS_MISSING(
            "ocsp-answers-missing",
            "certificates",
            "certificates without a current answer of their OCSP responder (`tls-ocsp-stapling`), also certificates of"
                    + " the chain"),
    ACME_FAILURES("acme-failures", "orders", "orders of a certificate that have failed since the last success"),
    SESSIONS(
            "sessions",
            "sessions",
            "sessions of the application with the most sessions, in use or not; with a session store, only the"
                    + " sessions in memory"),
    LOGIN_SESSIONS(
            "login-sessions",
            "sessions",
            "sessions that wait for a form login, of the application with the most of them; with a session store,"
                    + " those that this server has made, even if they have ended at another server"),
    SESSION_STORE_THREADS(
            "session-store-threads",
            "threads",
            "threads that call the session store, or wait for another thread's call of it"),
    FILE_CACHE_BYTES("file-cache-bytes", "bytes", "bytes of small files that are kept in memory"),
    COMPRESSORS("compressors", "responses", "responses that are being compressed"),
    ACCESS_LOG_WAITING("access-log-waiting", "requests", "lines that wait to be written to the access log"),
    ADMIN_LISTENERS("admin-listeners", "pages", "pages that show the flow board");

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

    /** The key of the gauge's limit; null if the gauge has no limit of its own. */
    public @Nullable Key bound() {
        return switch (this) {
            case CONNECTIONS -> Key.MAX_CONNECTIONS;
            case QUEUED -> Key.QUEUE;
            case QUEUE_OLDEST -> Key.QUEUE_AGE;
            case WORKERS, WORKERS_STARTED, WORKERS_BUSY, WORKERS_IDLE -> Key.WORKERS;
            case WORKERS_STREAMING -> Key.MAX_STREAMING;
            case WORKERS_SPOOLING -> Key.MAX_SPOOLING;
            case PIPE_BYTES -> Key.PIPE_BUDGET;
            case HEAD_BYTES -> Key.HEAD_BUDGET;
            case PARSED_BYTES -> Key.PARSED_BUDGET;
            case TLS_BYTES -> Key.TLS_BUDGET;
            case TLS_TASKS -> Key.TLS_TASKS;
            case SPOOL_BYTES -> Key.SPOOL_LIMIT;
            case SPOOL_PENDING -> Key.SPOOL_QUEUE;
            case SESSIONS -> Key.MAX_SESSIONS;
            case LOGIN_SESSIONS -> Key.MAX_LOGIN_SESSIONS;
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
