package io.penstock.events;

import java.util.Locale;

/**
 * Why a connection was closed. Each close has exactly one cause, the first: what happens while a connection is being closed changes nothing. A
 * close that lets the last response leave first (RFC 9112 section 9.6) is decided when all of that has been sent. If the connection fails
 * before, the failure is the cause.
 */
public enum CloseCause {
    // ---- the client's

    /** The client ended its input, and had its responses: the usual end of a connection. */
    CLIENT_CLOSED("the client closed it, and had all its responses"),
    /** A request asked for it: {@code Connection: close}, or HTTP/1.0 without {@code keep-alive} (RFC 9112 section 9.3). */
    REQUEST_CLOSE("the request asked for it: `Connection: close`, or HTTP/1.0 without `keep-alive`"),
    /** The client reset the connection, or a write to it failed: the client, or the network before it, is gone. */
    CLIENT_RESET("the client reset it, or a write to the client failed"),
    /** Client and server could not agree before the first request, such as on a protocol. The detail says on what. */
    HANDSHAKE_FAILED("client and server could not agree before the first request"),
    /** The client ended its input within a request (RFC 9112 section 8). */
    REQUEST_INCOMPLETE("the client ended its input within a request"),
    /** The client sent something that is no proper request: answered 400, 417, 501 or 505. */
    BAD_REQUEST("the client sent something that is no proper request: 400, 417, 501, 505"),
    /** A request was larger than it may be: answered 413, 414 or 431, by the bound that the detail names. */
    REQUEST_TOO_LARGE("a request was larger than it may be: 413, 414, 431"),

    // ---- time

    /** No request head was complete within {@code head-timeout}. */
    HEAD_TIMEOUT("no request head was complete in time"),
    /** A request body did not arrive in time: {@code body-stall-timeout}, {@code body-total-timeout} or {@code body-min-rate}. */
    BODY_TIMEOUT("a request body did not arrive in time"),
    /** No further request came within {@code keep-alive-timeout}. */
    KEEP_ALIVE_TIMEOUT("no further request came in time"),
    /** The client took nothing of a response for {@code write-stall-timeout}. */
    WRITE_STALL_TIMEOUT("the client stopped taking a response"),
    /** Neither side of an upgraded connection sent anything for {@code upgrade-idle-timeout}. */
    UPGRADE_IDLE_TIMEOUT("nobody sent anything on an upgraded connection"),
    /** The application did not end within {@code service-timeout}, nor when it was interrupted. */
    SERVICE_TIMEOUT("a call of the application did not end, not even when it was interrupted"),

    // ---- the application's

    /** The application's response has {@code Connection: close}. */
    RESPONSE_CLOSE("the application's response has `Connection: close`"),
    /** The client can tell the response's end by the close alone: HTTP/1.0, and no length (RFC 9112 section 6.3). */
    CLOSE_DELIMITED("the response ends with the connection: HTTP/1.0, and no length"),
    /** A response ended before its request's body had arrived, so it is unknown where the next request begins. */
    BODY_UNREAD("a request was answered before its body had arrived"),
    /** The application wrote less than its {@code Content-Length}. */
    RESPONSE_INCOMPLETE("the application wrote less than its `Content-Length`"),
    /** The application failed, and its response could not be completed. The detail is the exception. */
    APPLICATION_FAILED("the application failed, and its response could not be completed"),
    /** A response was given up, since as many workers as may waited for clients that do not read. */
    RESPONSE_CUT("a response was given up: too many workers waited for clients that do not read"),
    /** The application ended an upgraded connection. */
    UPGRADE_ENDED("the application ended an upgraded connection"),

    // ---- the server's

    /** More is asked for than can be done: answered 503, by the bound that the detail names. */
    OVERLOADED("too many requests waited for a worker: 503"),
    /** The budget for bodies or for large heads was used up. */
    MEMORY_BUDGET("the memory for bodies or for large heads was used up"),
    /** The disk took no more of a request body: {@code spool-limit}, or a write that failed. */
    DISK_FULL("the disk took no more of a request body"),
    /** The heap, or another memory of the process, ran out. */
    OUT_OF_MEMORY("the heap, or another memory of the process, ran out"),
    /** As many connections were open as may be: answered 503, or closed at once. */
    MAX_CONNECTIONS("as many connections were open as may be"),
    /** A newcomer took its place ({@code max-connections-policy} is {@code replace}). */
    REPLACED("a newcomer took its place"),
    /** The server ends, and the connection had nothing left to do. */
    SERVER_STOPPING("the server stops"),
    /** The server ended before the connection had done so. */
    SHUTDOWN_TIMEOUT("the server could not wait longer when it stopped"),
    /** The server failed where it may not. The log has the exception. */
    INTERNAL_ERROR("the server failed where it may not");

    private final String id;
    private final String meaning;

    CloseCause(String meaning) {
        this.id = name().toLowerCase(Locale.ROOT).replace('_', '-');
        this.meaning = meaning;
    }

    /** The name that operators see, such as {@code client-reset}; that of a timeout is the key of its bound, but for those of a body. */
    public String id() {
        return id;
    }

    /** Why the connection was closed, for the documentation. */
    public String meaning() {
        return meaning;
    }
}
