package io.penstock.events;

import java.util.Locale;

/**
 * Why a connection was closed. Each close has exactly one cause: the first. Later events do not change it. A close after the last response
 * (RFC 9112 section 9.6) takes effect when the whole response has been sent. If the connection fails earlier, the failure is the cause.
 */
public enum CloseCause {
    // ---- the client's

    /** The client ended its input after it had received all its responses: the usual end of a connection. */
    CLIENT_CLOSED("the client closed it after it had got all its responses"),
    /** A request asked for the close: {@code Connection: close}, or HTTP/1.0 without {@code keep-alive} (RFC 9112 section 9.3). */
    REQUEST_CLOSE("the request asked for it: `Connection: close`, or HTTP/1.0 without `keep-alive`"),
    /** The client reset the connection, or a write to it failed: the client or its network is gone. */
    CLIENT_RESET("the client reset it, or a write to the client failed"),
    /** The PROXY header was missing or malformed, or came from an address that is not trusted. The detail contains the reason. */
    PROXY_HEADER("the PROXY header was missing or malformed, or its sender is not trusted"),
    /** The handshake before the first request failed, for example without a common protocol. The detail contains the reason. */
    HANDSHAKE_FAILED("the handshake before the first request failed"),
    /**
     * A TLS record was invalid, or the client asked for an unsupported operation, such as a second handshake. The detail contains the
     * reason.
     */
    TLS_FAILED("a record of TLS was invalid, or the client asked for a second handshake"),
    /** The connection ended without a TLS closure alert, so bytes may have been cut off (RFC 8446 section 6.1). */
    TRUNCATED("the connection ended without the end of TLS, so bytes may be missing"),
    /** The client ended its input within a request (RFC 9112 section 8). */
    REQUEST_INCOMPLETE("the client ended its input within a request"),
    /** The client sent an invalid request: answered 400, 417, 501 or 505. */
    BAD_REQUEST("the client sent an invalid request: 400, 417, 501, 505"),
    /** A request was too large: answered 413, 414 or 431. The detail names the limit. */
    REQUEST_TOO_LARGE("a request was too large: 413, 414, 431"),

    // ---- time

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
    /** A call of the application did not return within {@code service-timeout}, nor within the same time after its interrupt. */
    SERVICE_TIMEOUT("a call of the application did not return, not even after its interrupt"),

    // ---- the application's

    /** The application's response has {@code Connection: close}. */
    RESPONSE_CLOSE("the application's response has `Connection: close`"),
    /** Only the close marks the end of the response: HTTP/1.0 without a length (RFC 9112 section 6.3). */
    CLOSE_DELIMITED("the response ends with the connection: HTTP/1.0, and no length"),
    /** A response ended before the whole body of its request had arrived, so it is unknown where the next request begins. */
    BODY_UNREAD("a request was answered before its body had arrived"),
    /** The application wrote less than its {@code Content-Length}. */
    RESPONSE_INCOMPLETE("the application wrote less than its `Content-Length`"),
    /** The application failed, and its response could not be completed. The detail contains the exception. */
    APPLICATION_FAILED("the application failed, and its response could not be completed"),
    /** A response was aborted: too many workers already waited for clients that do not read. */
    RESPONSE_CUT("a response was aborted: too many workers waited for clients that do not read"),
    /** The application ended an upgraded connection. */
    UPGRADE_ENDED("the application ended an upgraded connection"),

    // ---- the server's

    /** The server is overloaded: answered 503, or closed in the handshake. The detail names the limit. */
    OVERLOADED("too many requests waited for a worker: 503; or too many handshakes waited"),
    /** The memory budget for bodies or for large heads was used up. */
    MEMORY_BUDGET("the memory for bodies or for large heads was used up"),
    /** The disk accepted no more of a request body: {@code spool-limit} was reached, or a write failed. */
    DISK_FULL("the disk took no more of a request body"),
    /** No heap memory, or no other memory of the process, was left. */
    OUT_OF_MEMORY("the heap, or another memory of the process, ran out"),
    /** The limit of open connections was reached: answered 503, or closed at once. */
    MAX_CONNECTIONS("too many connections were open"),
    /** A new connection has replaced this connection ({@code max-connections-policy} is {@code replace}). */
    REPLACED("a new connection took its place"),
    /** The server stops, and this connection was idle or had sent its last response. */
    SERVER_STOPPING("the server stops"),
    /** The server could not wait longer for the connection when it stopped. */
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
     * The name for operators, such as {@code client-reset}. The name of a timeout is its configuration key, except for the timeouts of a
     * body.
     */
    public String id() {
        return id;
    }

    /** A description for the documentation. */
    public String meaning() {
        return meaning;
    }
}
