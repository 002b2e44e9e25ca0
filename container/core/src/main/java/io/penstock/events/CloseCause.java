package io.penstock.events;

import java.util.Locale;

/**
 * The reason why a connection was closed. Each close has exactly one cause. Later events do not change the cause. If a message demands a
 * close (RFC 9112 section 9.6), the server first sends the whole last response. If the connection fails before the end of this response,
 * the failure is the cause.
 */
public enum CloseCause {
    // ---- causes by the client

    /** The client ended its input after it had received all its responses. This is the usual end of a connection. */
    CLIENT_CLOSED("the client closed it after it had got all its responses"),
    /** A request asked for the close: {@code Connection: close}, or HTTP/1.0 without {@code keep-alive} (RFC 9112 section 9.3). */
    REQUEST_CLOSE("the request asked for it: `Connection: close`, or HTTP/1.0 without `keep-alive`"),
    /** The client reset the connection, or a write to the connection failed. The client or its network has failed. */
    CLIENT_RESET("the client reset it, or a write to the client failed"),
    /** The client ended its input while a request of it waited for a worker, and {@code half-close} is {@code off}. */
    CLIENT_LEFT("the client ended its input while its request waited for a worker"),
    /** The PROXY header was missing or malformed, or came from an address that is not trusted. The detail contains the reason. */
    PROXY_HEADER("the PROXY header was missing or malformed, or its sender is not trusted"),
    /** The handshake before the first request failed, for example without a common protocol. The detail contains the reason. */
    HANDSHAKE_FAILED("the handshake before the first request failed"),
    /**
     * A TLS record was invalid, or the client requested an unsupported operation, such as a second handshake. The detail contains the
     * reason.
     */
    TLS_FAILED("a record of TLS was invalid, or the client asked for a second handshake"),
    /** The connection ended without a TLS closure alert, so bytes can be missing (RFC 8446 section 6.1). */
    TRUNCATED("the connection ended without the end of TLS, so bytes may be missing"),
    /** The client ended its input in the middle of a request (RFC 9112 section 8). */
    REQUEST_INCOMPLETE("the client ended its input within a request"),
    /** The client sent an invalid request: answered 400, 417, 501 or 505. */
    BAD_REQUEST("the client sent an invalid request: 400, 417, 501, 505"),
    /** A request was too large: answered 413, 414 or 431. The detail names the limit. */
    REQUEST_TOO_LARGE("a request was too large: 413, 414, 431"),

    // ---- time-outs

    /** No complete PROXY header arrived within {@code proxy-header-timeout}. */
    PROXY_HEADER_TIMEOUT("no PROXY header was complete in time"),
    /** The handshake was not complete within {@code handshake-timeout}. */
    HANDSHAKE_TIMEOUT("the handshake was not complete in time"),
    /** No complete request head arrived within {@code head-timeout}. */
    HEAD_TIMEOUT("no request head was complete in time"),
    /** A request body did not arrive in time: {@code body-stall-timeout}, {@code body-total-timeout} or {@code body-min-rate}. */
    BODY_TIMEOUT("a request body did not arrive in time"),
    /** No further request arrived within {@code keep-alive-timeout}. */
    KEEP_ALIVE_TIMEOUT("no further request came in time"),
    /** The client accepted no byte of a response for {@code write-stall-timeout}. */
    WRITE_STALL_TIMEOUT("the client stopped taking a response"),
    /** Neither side of an upgraded connection sent a byte for {@code upgrade-idle-timeout}. */
    UPGRADE_IDLE_TIMEOUT("neither side of an upgraded connection sent a byte in time"),
    /**
     * A call of the application did not return within {@code service-timeout}. The server then interrupted the call, and the call did not
     * return within the same time after the interrupt.
     */
    SERVICE_TIMEOUT("a call of the application did not return, not even after its interrupt"),

    // ---- causes by the application

    /** The application's response has {@code Connection: close}. */
    RESPONSE_CLOSE("the application's response has `Connection: close`"),
    /** Only the close marks the end of the response: HTTP/1.0 without a length (RFC 9112 section 6.3). */
    CLOSE_DELIMITED("the response ends with the connection: HTTP/1.0, and no length"),
    /** A response ended before the whole body of its request had arrived. So the beginning of the next request is unknown. */
    BODY_UNREAD("a request was answered before its body had arrived"),
    /** The application wrote fewer bytes than its {@code Content-Length}. */
    RESPONSE_INCOMPLETE("the application wrote less than its `Content-Length`"),
    /** The application failed, and its response could not be completed. The detail contains the exception. */
    APPLICATION_FAILED("the application failed, and its response could not be completed"),
    /** A response was aborted, because too many workers already waited for clients that do not read. */
    RESPONSE_CUT("a response was aborted: too many workers waited for clients that do not read"),
    /** The application ended an upgraded connection. */
    UPGRADE_ENDED("the application ended an upgraded connection"),

    // ---- causes by the server

    /** The server is overloaded: answered 503, or closed in the handshake. The detail names the limit. */
    OVERLOADED("too many requests waited for a worker: 503; or too many handshakes waited"),
    /** The memory budget for bodies, for heads or for TLS was used up. The detail names it. */
    MEMORY_BUDGET("the memory for bodies, for heads or for TLS was used up"),
    /** A request body could not be written to disk. Either {@code spool-limit} was reached, or a write failed. */
    DISK_FULL("the disk took no more of a request body"),
    /** The heap or another memory area of the process was full. */
    OUT_OF_MEMORY("the heap, or another memory of the process, ran out"),
    /** The limit of open connections was reached. The connection was answered 503, or closed at once. */
    MAX_CONNECTIONS("too many connections were open"),
    /** A new connection has replaced this connection ({@code max-connections-policy} is {@code replace}). */
    REPLACED("a new connection took its place"),
    /** The server stops. This connection was idle, or the server had sent its last response. */
    SERVER_STOPPING("the server stops"),
    /** The server stopped, and the connection did not end within {@code shutdown-timeout}. */
    SHUTDOWN_TIMEOUT("the server could not wait longer when it stopped"),
    /** An internal failure of the server. The log contains the exception. */
    INTERNAL_ERROR("an internal failure of the server");

    private final String id;
    private final String meaning;

    CloseCause(String meaning) {
        this.id = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.meaning = meaning;
    }

    /**
     * The name for operators, such as {@code client-reset}. For a timeout, this is the name of the configuration key. Only the timeouts of
     * request bodies share the name {@code body-timeout}.
     */
    public String id() {
        return id;
    }

    /** A description for the documentation. */
    public String meaning() {
        return meaning;
    }
}
