package io.penstock.limits;

import java.util.Locale;

/** The events that the server counts; {@link Counters} has the numbers. */
public enum Counter {
    RECEIVED_BYTES("bytes that clients have sent, with heads and framing"),
    SENT_BYTES("bytes that the server has written to clients' connections, with heads and framing"),
    CONNECTIONS_REFUSED("connections answered 503, or closed at once, because too many were open"),
    ADDRESSES_DENIED("requests answered 403 because of the address of their client"),
    REQUESTS_TOO_MANY("requests answered 429 because their address had sent too many"),
    REQUEST_RATES_FORGOTTEN(
            "addresses whose request counts were dropped because too many other addresses sent requests"),
    CONNECTIONS_OF_ADDRESS_REFUSED("connections answered 429, or closed at once, because their address had too many"),
    HOSTS_UNKNOWN("requests answered 421 because no context has their host"),
    TRACES_REFUSED("requests with the method TRACE that were answered 405"),
    STREAMS_REFUSED("HTTP/2 streams refused because their connection had too many"),
    STREAMS_RESET("HTTP/2 streams that their clients have reset before the end of the response"),
    FLOOD_PAUSES(
            "times that reading from an HTTP/2 connection paused because it sent too many frames that cost only the "
                    + "server"),
    CONNECTIONS_REPLACED("connections closed while they waited for their clients, to make room for new ones"),
    ACCEPT_PAUSES("times that the server paused accepting because too many connections were open"),
    ACCEPT_FAILURES("times that accepting a connection failed, nearly always because no file descriptor was left"),
    QUEUE_FULL("requests answered 503 because the queue was full"),
    OVERLOADED("requests answered 503 because requests of their servlet or path had waited without a break for "
            + "overload-after"),
    OUTDATED("those of the overloaded requests that were already waiting when the server detected the overload"),
    BULKHEAD_FULL("requests answered 503 because too many others already waited for the workers of their bulkhead"),
    QUEUE_AGED("requests answered 503 because they had waited too long for a worker"),
    CLIENTS_GONE(
            "clients that disconnected (by a reset, a failed write, or a close without the end of TLS) while a request "
                    + "of theirs waited, ran or was being answered, or that closed while a request of theirs waited "
                    + "for a worker"),
    PIPE_BUDGET_EXCEEDED("requests answered 503 because no memory was left in the pipes' budget"),
    TLS_BUDGET_EXCEEDED(
            "times that no memory was left for TLS: reading from a client paused, or a handshake that waited for"
                    + " its client was closed"),
    TLS_TASKS_REFUSED("connections closed in their handshake because too many waited for a thread"),
    HANDSHAKES("TLS handshakes that were completed"),
    PIPES_SPILLED("unfinished request bodies written to disk early because memory was short"),
    SPOOL_FILES("bodies that were written to disk"),
    SPOOL_FULL("requests answered 503 because all bodies on disk together reached their limit"),
    SPOOL_BUSY("times that reading from a client paused because too many writes to disk were waiting"),
    SPOOL_FAILURES("writes to disk that failed"),
    RESPONSE_SPOOL_EXCEEDED(
            "times that a worker waited for a client that does not read, because the disk took no more"),
    RESPONSES_CUT("responses aborted because too many workers already waited for clients that do not read"),
    REQUEST_LINE_TOO_LONG("request lines beyond their limit"),
    HEADERS_TOO_LARGE("request heads whose header lines were beyond their limit"),
    TOO_MANY_HEADERS("request heads with too many fields"),
    HEAD_BUDGET_EXCEEDED("requests answered 503 because all heads together were beyond their limit"),
    CHUNK_EXTENSION_TOO_LONG("chunk extensions beyond their limit"),
    TRAILERS_TOO_LARGE("request bodies whose trailer lines were beyond their limit"),
    BODY_TOO_LARGE("request bodies beyond their limit"),
    PROXY_HEADERS_REFUSED(
            "connections closed because their PROXY header was missing or malformed, or its sender not trusted"),
    PROXY_HEADER_TIMEOUTS("connections whose PROXY header was not complete in time"),
    HANDSHAKE_TIMEOUTS("connections whose handshake was not complete in time"),
    HEAD_TIMEOUTS("requests whose head was not complete in time"),
    BODY_STALLS("request bodies that stopped arriving"),
    BODY_TOTAL_TIMEOUTS("request bodies for which the server waited too long in all"),
    SLOW_BODIES("request bodies that arrived too slowly"),
    KEEP_ALIVE_TIMEOUTS("idle connections closed"),
    WRITE_STALLS("responses that the client stopped taking"),
    SERVICE_TIMEOUTS("calls of filters and servlet that the server interrupted because they took too long"),
    SERVICE_CALLS_GIVEN_UP(
            "calls that still ran after their interrupt, so that the server itself answered or closed the connection"),
    ASYNC_TIMEOUTS("asynchronous requests that took too long"),
    LINGER_TIMEOUTS("clients that did not close in time after their last response"),
    UNDEPLOY_TIMEOUTS("replaced or undeployed applications whose requests did not end in time"),
    ARCHIVES_TOO_LARGE("WARs that were not deployed because they unpack to more than their limit"),
    UPGRADE_IDLE_TIMEOUTS("upgraded connections closed because neither side sent a byte in time"),
    WEBSOCKETS_OF_ENDPOINT_REFUSED("WebSocket handshakes answered 503 because their endpoint had too many sessions"),
    WEBSOCKETS_OF_ADDRESS_REFUSED("WebSocket handshakes answered 429 because their address had too many sessions"),
    WEBSOCKETS_OF_USER_REFUSED("WebSocket handshakes answered 429 because their user had too many sessions"),
    WEBSOCKET_FRAMES_RECEIVED("WebSocket frames that clients have sent, with pings, pongs and close frames"),
    WEBSOCKET_FRAMES_SENT("WebSocket frames for clients, with pings, pongs and close frames"),
    WEBSOCKET_MESSAGES_RECEIVED("WebSocket messages that clients have sent"),
    WEBSOCKET_MESSAGES_SENT("WebSocket messages that endpoints have sent"),
    WEBSOCKET_COMPRESSED_BYTES("bytes of compressed WebSocket messages, received or sent, as on the wire"),
    WEBSOCKET_UNCOMPRESSED_BYTES("bytes of the same messages without compression"),
    SHUTDOWN_TIMEOUTS("connections that were still open when shutdown-timeout had passed"),
    TOO_MANY_COOKIES("requests with too many cookies"),
    SESSION_COOKIES_IGNORED(
            "session cookies whose sessions were not looked up, because the request had too many of them"),
    TOO_MANY_PARAMETERS("requests with too many parameters"),
    FORM_TOO_LARGE("forms beyond their limit"),
    TOO_MANY_PARTS("multipart bodies with too many parts"),
    PART_HEADER_TOO_LARGE("multipart bodies with a part header beyond its limit"),
    MULTIPART_HEADERS_TOO_LARGE("multipart bodies whose part headers together were beyond their limit"),
    PARSED_BUDGET_EXCEEDED("requests answered 503 because no memory was left for parameters, parts and cookies"),
    SESSIONS_REFUSED("sessions that an application requested but did not get, because it had too many"),
    LOGIN_SESSIONS_DROPPED("sessions that ended before their users logged in, because too many waited for a login"),
    ADMIN_LISTENERS_REFUSED("pages that could not show the flow board because too many pages already showed it"),
    SESSIONS_PASSIVATED("times that a session moved from memory to disk because other sessions took its place"),
    SESSION_STORE_REFUSED(
            "requests answered 503 without a call of the session store, because the store did not answer, or another "
                    + "request was already trying it"),
    SESSIONS_NOT_SAVED("failed saves of sessions; the responses became 503, or were cut if their heads had been sent"),
    SESSION_ATTRIBUTES_UNREADABLE(
            "stored attributes that this server could not read; they are hidden from the application and stay in the "
                    + "store"),
    LOGIN_FAILURES("logins with a wrong name, password or certificate"),
    LOGINS_LOCKED_OUT(
            "logins refused without a check of the password because the user or the address had failed too often"),
    LOGIN_FAILURES_FORGOTTEN(
            "users and addresses whose count of failed logins was dropped because too many others failed"),
    PASSWORD_CHECKS_REFUSED(
            "logins answered 503, or refused in a call of `login()`, because too many passwords were being checked"),
    DIGEST_NONCES_STALE("requests with a Digest nonce that was too old"),
    DIGEST_NONCES_FORGOTTEN("Digest nonces whose counts were dropped because there were too many of them"),
    OUT_OF_MEMORY(
            "times that memory ran out for a thread of the server, or for an application in a request; each ended a "
                    + "connection or a task"),
    FILE_CACHE_CLEARED("times that the cache of small files was full and was cleared"),
    COMPRESSORS_BUSY("responses that were sent uncompressed because too many others were being compressed"),
    SAVED_REQUEST_TOO_LARGE(
            "requests answered 413 because they were too large to be kept until their user had logged in"),
    SAVED_REQUESTS_DROPPED("requests dropped while their users logged in because too many were kept"),
    ACCESS_LOG_DROPPED("requests without a line in the access log, because its disk was too slow or took no bytes");

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String meaning;

    Counter(String meaning) {
        this.meaning = meaning;
    }

    /** The name for operators. */
    public String id() {
        return id;
    }

    /** A description for the documentation. */
    public String meaning() {
        return meaning;
    }
}
