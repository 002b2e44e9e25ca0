package io.penstock.limits;

/** The events that the server counts; {@link Counters} has the numbers. */
public enum Counter {
    RECEIVED_BYTES("received-bytes", "bytes that clients have sent, with heads and framing"),
    SENT_BYTES("sent-bytes", "bytes that the server has written to clients' connections, with heads and framing"),
    CONNECTIONS_REFUSED(
            "connections-refused", "connections answered 503, or closed at once, because too many were open"),
    ADDRESSES_DENIED("addresses-denied", "requests answered 403 because of the address of their client"),
    REQUESTS_TOO_MANY("requests-too-many", "requests answered 429 because their address had sent too many"),
    REQUEST_RATES_FORGOTTEN(
            "request-rates-forgotten",
            "addresses whose request counts were dropped because too many other addresses sent requests"),
    CONNECTIONS_OF_ADDRESS_REFUSED(
            "connections-of-address-refused",
            "connections answered 429, or closed at once, because their address had too many"),
    HOSTS_UNKNOWN("hosts-unknown", "requests answered 421 because no context has their host"),
    TRACES_REFUSED("traces-refused", "requests with the method TRACE that were answered 405"),
    STREAMS_REFUSED("streams-refused", "HTTP/2 streams refused because their connection had too many"),
    STREAMS_RESET("streams-reset", "HTTP/2 streams that their clients have reset before the end of the response"),
    FLOOD_PAUSES(
            "flood-pauses",
            "times that reading from an HTTP/2 connection paused because it sent too many frames that cost only the server"),
    CONNECTIONS_REPLACED(
            "connections-replaced",
            "connections closed while they waited for their clients, to make room for new ones"),
    ACCEPT_PAUSES("accept-pauses", "times that the server paused accepting because too many connections were open"),
    ACCEPT_FAILURES(
            "accept-failures",
            "times that accepting a connection failed, nearly always because no file descriptor was left"),
    QUEUE_FULL("queue-full", "requests answered 503 because the queue was full"),
    OVERLOADED(
            "overloaded",
            "requests answered 503 because requests of their servlet or path had waited without a break for overload-after"),
    OUTDATED(
            "outdated",
            "those of the overloaded requests that were already waiting when the server detected the overload"),
    BULKHEAD_FULL(
            "bulkhead-full",
            "requests answered 503 because too many others already waited for the workers of their bulkhead"),
    QUEUE_AGED("queue-aged", "requests answered 503 because they had waited too long for a worker"),
    CLIENTS_GONE(
            "clients-gone",
            "clients that disconnected (by a reset, a failed write, or a close without the end of TLS) while a request of "
                    + "theirs waited, ran or was being answered, or that closed while a request of theirs waited for a worker"),
    PIPE_BUDGET_EXCEEDED(
            "pipe-budget-exceeded", "requests answered 503 because no memory was left in the pipes' budget"),
    TLS_BUDGET_EXCEEDED(
            "tls-budget-exceeded", "times that reading from a client paused because no memory was left for TLS"),
    TLS_TASKS_REFUSED(
            "tls-tasks-refused", "connections closed in their handshake because too many waited for a thread"),
    HANDSHAKES("handshakes", "TLS handshakes that were completed"),
    PIPES_SPILLED("pipes-spilled", "unfinished request bodies written to disk early because memory was short"),
    SPOOL_FILES("spool-files", "bodies that were written to disk"),
    SPOOL_FULL("spool-full", "requests answered 503 because all bodies on disk together reached their limit"),
    SPOOL_BUSY("spool-busy", "times that reading from a client paused because too many writes to disk were waiting"),
    SPOOL_FAILURES("spool-failures", "writes to disk that failed"),
    RESPONSE_SPOOL_EXCEEDED(
            "response-spool-exceeded",
            "times that a worker waited for a client that does not read, because the disk took no more"),
    RESPONSES_CUT(
            "responses-cut", "responses aborted because too many workers already waited for clients that do not read"),
    REQUEST_LINE_TOO_LONG("request-line-too-long", "request lines beyond their limit"),
    HEADERS_TOO_LARGE("headers-too-large", "request heads whose header lines were beyond their limit"),
    TOO_MANY_HEADERS("too-many-headers", "request heads with too many fields"),
    HEAD_BUDGET_EXCEEDED(
            "head-budget-exceeded", "requests answered 503 because all heads together were beyond their limit"),
    CHUNK_EXTENSION_TOO_LONG("chunk-extension-too-long", "chunk extensions beyond their limit"),
    TRAILERS_TOO_LARGE("trailers-too-large", "request bodies whose trailer lines were beyond their limit"),
    BODY_TOO_LARGE("body-too-large", "request bodies beyond their limit"),
    PROXY_HEADERS_REFUSED(
            "proxy-headers-refused",
            "connections closed because their PROXY header was missing or malformed, or its sender not trusted"),
    PROXY_HEADER_TIMEOUTS("proxy-header-timeouts", "connections whose PROXY header was not complete in time"),
    HANDSHAKE_TIMEOUTS("handshake-timeouts", "connections whose handshake was not complete in time"),
    HEAD_TIMEOUTS("head-timeouts", "requests whose head was not complete in time"),
    BODY_STALLS("body-stalls", "request bodies that stopped arriving"),
    BODY_TOTAL_TIMEOUTS("body-total-timeouts", "request bodies for which the server waited too long in all"),
    SLOW_BODIES("slow-bodies", "request bodies that arrived too slowly"),
    KEEP_ALIVE_TIMEOUTS("keep-alive-timeouts", "idle connections closed"),
    WRITE_STALLS("write-stalls", "responses that the client stopped taking"),
    SERVICE_TIMEOUTS(
            "service-timeouts", "calls of filters and servlet that the server interrupted because they took too long"),
    SERVICE_CALLS_GIVEN_UP(
            "service-calls-given-up",
            "calls that still ran after their interrupt, so that the server itself answered or closed "
                    + "the connection"),
    ASYNC_TIMEOUTS("async-timeouts", "asynchronous requests that took too long"),
    LINGER_TIMEOUTS("linger-timeouts", "clients that did not close in time after their last response"),
    UNDEPLOY_TIMEOUTS("undeploy-timeouts", "replaced or undeployed applications whose requests did not end in time"),
    ARCHIVES_TOO_LARGE(
            "archives-too-large", "WARs that were not deployed because they unpack to more than their limit"),
    UPGRADE_IDLE_TIMEOUTS(
            "upgrade-idle-timeouts", "upgraded connections closed because neither side sent a byte in time"),
    WEBSOCKET_RECEIVED("websocket-messages-received", "WebSocket messages that clients have sent"),
    WEBSOCKET_SENT("websocket-messages-sent", "WebSocket messages that endpoints have sent"),
    WEBSOCKET_COMPRESSED(
            "websocket-compressed-bytes", "bytes of compressed WebSocket messages, received or sent, as on the wire"),
    WEBSOCKET_UNCOMPRESSED("websocket-uncompressed-bytes", "bytes of the same messages without compression"),
    SHUTDOWN_TIMEOUTS("shutdown-timeouts", "connections that were still open when shutdown-timeout had passed"),
    TOO_MANY_COOKIES("too-many-cookies", "requests with too many cookies"),
    SESSION_COOKIES_IGNORED(
            "session-cookies-ignored",
            "session cookies whose sessions were not looked up, because the request had too many of them"),
    TOO_MANY_PARAMETERS("too-many-parameters", "requests with too many parameters"),
    FORM_TOO_LARGE("form-too-large", "forms beyond their limit"),
    TOO_MANY_PARTS("too-many-parts", "multipart bodies with too many parts"),
    PART_HEADER_TOO_LARGE("part-header-too-large", "multipart bodies with a part header beyond its limit"),
    MULTIPART_HEADERS_TOO_LARGE(
            "multipart-headers-too-large", "multipart bodies whose part headers together were beyond their limit"),
    PARSED_BUDGET_EXCEEDED(
            "parsed-budget-exceeded",
            "requests answered 503 because no memory was left for parameters, parts and cookies"),
    SESSIONS_REFUSED(
            "sessions-refused", "sessions that an application requested but did not get, because it had too many"),
    LOGIN_SESSIONS_DROPPED(
            "login-sessions-dropped",
            "sessions that ended before their users logged in, because too many waited for a login"),
    ADMIN_LISTENERS_REFUSED(
            "admin-listeners-refused",
            "pages that could not show the flow board because too many pages already showed it"),
    SESSIONS_PASSIVATED(
            "sessions-passivated",
            "times that a session moved from memory to disk because other sessions took its place"),
    SESSION_STORE_REFUSED(
            "session-store-refused",
            "requests answered 503 without a call of the session store, because the store did not answer, or another request was "
                    + "already trying it"),
    SESSIONS_NOT_SAVED(
            "sessions-not-saved",
            "failed saves of sessions; the responses became 503, or were cut if their heads had been sent"),
    SESSION_ATTRIBUTES_UNREADABLE(
            "session-attributes-unreadable",
            "stored attributes that this server could not read; they are hidden from the application and stay in the store"),
    LOGIN_FAILURES("login-failures", "logins with a wrong name, password or certificate"),
    LOGINS_LOCKED_OUT(
            "logins-locked-out",
            "logins refused without a check of the password because the user or the address had failed too often"),
    LOGIN_FAILURES_FORGOTTEN(
            "login-failures-forgotten",
            "users and addresses whose count of failed logins was dropped because too many others failed"),
    PASSWORD_CHECKS_REFUSED(
            "password-checks-refused",
            "logins answered 503, or refused in a call of `login()`, because too many passwords were being checked"),
    DIGEST_NONCES_STALE("digest-nonces-stale", "requests with a Digest nonce that was too old"),
    DIGEST_NONCES_FORGOTTEN(
            "digest-nonces-forgotten", "Digest nonces whose counts were dropped because there were too many of them"),
    OUT_OF_MEMORY(
            "out-of-memory",
            "times that memory ran out for a thread of the server, or for an application in a request; each ended a "
                    + "connection or a task"),
    FILE_CACHE_CLEARED("file-cache-cleared", "times that the cache of small files was full and was cleared"),
    COMPRESSORS_BUSY(
            "compressors-busy", "responses that were sent uncompressed because too many others were being compressed"),
    SAVED_REQUEST_TOO_LARGE(
            "saved-request-too-large",
            "requests answered 413 because they were too large to be kept until their user had logged in"),
    SAVED_REQUESTS_DROPPED(
            "saved-requests-dropped", "requests dropped while their users logged in because too many were kept"),
    ACCESS_LOG_DROPPED(
            "access-log-dropped",
            "requests without a line in the access log, because its disk was too slow or took no bytes");

    private final String id;
    private final String meaning;

    Counter(String id, String meaning) {
        this.id = id;
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
