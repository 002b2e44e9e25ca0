package io.penstock.limits;

import static io.penstock.limits.Allowed.buffer;
import static io.penstock.limits.Allowed.bytes;
import static io.penstock.limits.Allowed.number;
import static io.penstock.limits.Allowed.onOff;
import static io.penstock.limits.Allowed.secret;
import static io.penstock.limits.Allowed.text;
import static io.penstock.limits.Allowed.time;
import static io.penstock.limits.Allowed.timeOrZero;
import static io.penstock.limits.Allowed.word;
import static io.penstock.limits.Key.Consequence.answer;
import static io.penstock.limits.Key.Consequence.effect;
import static io.penstock.limits.Key.Consequence.refusal;
import static io.penstock.limits.Key.Default.derived;
import static io.penstock.limits.Key.Default.fixed;

import io.penstock.limits.Deploying.SecureCookie;
import io.penstock.memory.DirectMemory;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every configuration key. This is the only table of keys. Code, command line, error messages and documentation use this table. The type,
 * bounds, default, response status and counter of a key are defined only in this table. The name is that of the constant, in lower case and
 * with hyphens.
 */
public enum Key {
    HOST(text(), "0.0.0.0", "name or address that the server listens on"),
    PORT(number("", 0, 65535), "8080", "TCP port that the server listens on; 0 takes a free port"),
    LISTEN(
            text(),
            "none",
            "listeners; not together with `host` and `port`. Write commas between listeners, or repeat the option. "
                    + "Examples: `http://127.0.0.1:8080`, `https://:8443` (every address), "
                    + "`unix:/run/penstock/http.sock?mode=660`, `inherited:` (the standard input is the listening "
                    + "socket). `none`: one listener, at `host` and `port`"),
    BACKLOG(
            number("connections", 1),
            "4096",
            "largest number of connections that the kernel holds until the server accepts them"),
    SEND_BUFFER(buffer(0), "0", "send buffer of an accepted socket (SO_SNDBUF). 0: the kernel chooses the size"),
    RECEIVE_BUFFER(buffer(0), "0", "receive buffer of an accepted socket (SO_RCVBUF). 0: the kernel chooses the size"),
    MAX_CONNECTIONS(
            number("connections", 1),
            "20000",
            "connections that may be open at one time; `max-connections-policy` says what happens to further "
                    + "connections",
            refusal(503, Counter.CONNECTIONS_REFUSED)),
    MAX_CONNECTIONS_POLICY(
            word(Listen.ConnectionsPolicy.class),
            "refuse",
            "what happens to a connection beyond `max-connections`. `refuse`: it is answered 503 and closed. `wait`: "
                    + "it waits in the kernel's backlog until another connection is closed. `replace`: the server "
                    + "closes an open connection that only waits for its client, and accepts the new one. If there is "
                    + "no such connection, the new one is refused",
            effect("with `wait`: accepting pauses", Counter.ACCEPT_PAUSES)),
    MAX_CONNECTIONS_ADDRESS(
            number("connections", 0),
            "0",
            "connections that one client address (for IPv6 its first 64 bits) may have open at one time. A further "
                    + "connection is answered and closed. Connections of `trusted-proxies` are not counted. 0 for no "
                    + "limit",
            refusal(429, Counter.CONNECTIONS_OF_ADDRESS_REFUSED)),
    MAX_WEBSOCKETS_ENDPOINT(
            number("sessions", 0),
            "0",
            "WebSocket sessions that one endpoint may have at one time. The endpoints that a framework such as Spring "
                    + "gives with each request, without deploying them, count together if they have the same class. "
                    + "0 for no limit",
            answer(503, Counter.WEBSOCKETS_OF_ENDPOINT_REFUSED)),
    MAX_WEBSOCKETS_ADDRESS(
            number("sessions", 0),
            "0",
            "WebSocket sessions that one client address (for IPv6 its first 64 bits) may have at one time, in all "
                    + "applications together. Those of `trusted-proxies` are not counted, unless the proxy names the "
                    + "client. 0 for no limit",
            answer(429, Counter.WEBSOCKETS_OF_ADDRESS_REFUSED)),
    MAX_WEBSOCKETS_USER(
            number("sessions", 0),
            "0",
            "WebSocket sessions that one user who is logged in may have at one time, by name and in all applications "
                    + "together. 0 for no limit",
            answer(429, Counter.WEBSOCKETS_OF_USER_REFUSED)),
    TRUSTED_PROXIES(
            text(),
            "none",
            "addresses and networks of proxies, separated by commas, such as `127.0.0.1, 10.0.0.0/8, 2001:db8::/32`. "
                    + "`unix` stands for all clients of a Unix domain socket. The server takes the client's address, "
                    + "and the scheme, host and port that the client used, from the fields of these proxies. `none`: "
                    + "it trusts no proxy"),
    FORWARDED_FIELDS(
            word(TrustedProxies.ForwardedFields.class),
            "x-forwarded",
            "which fields of `trusted-proxies` the server uses: `x-forwarded` (`X-Forwarded-For`, `-Proto`, `-Host`, "
                    + "`-Port`) or `forwarded` (RFC 7239). The server ignores the other kind"),
    PROXY_PROTOCOL(
            onOff(),
            "off",
            "`on`: each connection to `port` and `redirect-port` must begin with a PROXY header, version 1 or 2, and "
                    + "only `trusted-proxies` may connect. The addresses in the header become those of the "
                    + "connection. A listener of `listen` may have its own value",
            effect("closed if there is no valid header", Counter.PROXY_HEADERS_REFUSED)),
    ALLOWED_ADDRESSES(
            text(),
            "all",
            "addresses and networks of the clients that may send requests, separated by commas; `all` for all clients. "
                    + "Behind `trusted-proxies` the server checks the client's own address. If the proxy does not "
                    + "name this address, the request is refused",
            refusal(403, Counter.ADDRESSES_DENIED)),
    DENIED_ADDRESSES(
            text(),
            "none",
            "addresses and networks of the clients that may not send requests, even if `allowed-addresses` contains "
                    + "them; written and checked like `allowed-addresses`",
            refusal(403, Counter.ADDRESSES_DENIED)),
    REQUEST_RATE(
            number("requests", 0),
            "0",
            "requests a second that one client address (for IPv6 its first 64 bits) may send. A refusal says in "
                    + "`Retry-After` how long to wait. 0 for no limit",
            refusal(429, Counter.REQUESTS_TOO_MANY)),
    REQUEST_BURST(
            number("requests", 1),
            "100",
            "requests that an address may send at once before `request-rate` limits it, such as a page with its "
                    + "scripts and pictures"),
    REQUEST_RATE_KEPT(
            number("entries", 1),
            "10000",
            "client addresses whose requests are counted at one time. Beyond it the address with the oldest last "
                    + "request is forgotten",
            effect("the oldest is forgotten", Counter.REQUEST_RATES_FORGOTTEN)),
    UNKNOWN_HOST(
            word(ServerConfig.UnknownHost.class),
            "default",
            "what happens to a request for a host that no context has. `default`: the contexts without a host serve "
                    + "it. `refuse`: it is answered 421. An HTTP/1.0 request without a host always goes to the "
                    + "contexts without a host",
            refusal(421, Counter.HOSTS_UNKNOWN)),
    TRACE_METHOD(
            onOff(),
            "off",
            "`on`: requests with the method TRACE reach the application. A servlet without a `doTrace` of its own "
                    + "sends back the head of the request, with fields that proxies have added. `off`: they are "
                    + "answered 405",
            refusal(405, Counter.TRACES_REFUSED)),
    HTTP2(
            onOff(),
            "on",
            "`on`: listeners with TLS offer HTTP/2 beside HTTP/1.1, and the client chooses. `off`: only HTTP/1.1"),
    H2C(
            onOff(),
            "off",
            "`on`: listeners without TLS also accept HTTP/2 from clients that begin with it (prior knowledge), such as "
                    + "gRPC and proxies. There is no upgrade from HTTP/1.1"),
    MAX_STREAMS(
            number("streams", 1),
            "100",
            "requests of one HTTP/2 connection at one time. A request counts until its servlet has returned, also if "
                    + "its client has reset it",
            effect("the stream is refused, and the client may send the request again", Counter.STREAMS_REFUSED)),
    TLS_CERT(
            text(),
            "none",
            "PEM file with certificate and chain, for HTTPS; several files are separated by commas. `program`: the "
                    + "builder's `tls` provides the certificates"),
    TLS_KEY(
            text(),
            "none",
            "PEM file with the private key of `tls-cert`: RSA, EC or Ed25519, encrypted or not. For several "
                    + "certificates name as many files, in the same order. `none`: each key is in the file of its "
                    + "certificate"),
    TLS_KEYSTORE(
            text(),
            "none",
            "PKCS#12 or JKS file with certificates and keys, instead of `tls-cert` and `tls-key`. The alias that sorts "
                    + "first is the default certificate. `none` for no key store"),
    TLS_KEY_PASSWORD(
            secret(),
            "none",
            "password of encrypted private keys, or of the key store. Set it in the environment, or use "
                    + "`tls-key-password-file`: other users of the machine can read the command line"),
    TLS_KEY_PASSWORD_FILE(
            text(),
            "none",
            "file whose first line is the password of the keys or the key store, in UTF-8; instead of "
                    + "`tls-key-password`"),
    TLS_SELF_SIGNED(
            onOff(),
            "off",
            "`on` makes a certificate for `localhost`, 127.0.0.1 and ::1 at each start, for clients on this machine. "
                    + "It is never stored. On the command line `--tls-self-signed` means `on`"),
    TLS_CLIENT_AUTH(
            word(Tls.ClientAuth.class),
            "none",
            "whether the server asks clients for a certificate. `none`: no. `want`: yes. `need`: yes, and clients "
                    + "without a certificate are refused"),
    TLS_TRUST(
            text(),
            "none",
            "PEM, PKCS#12 or JKS file with the authorities that may sign clients' certificates. `tls-client-auth` "
                    + "requires this file. No other authority is trusted"),
    TLS_TRUST_PASSWORD(secret(), "none", "password of the `tls-trust` file, if it is a key store with a password"),
    TLS_PROTOCOLS(
            text(),
            "TLSv1.3,TLSv1.2",
            "TLS versions that the server speaks, separated by commas. No other versions are supported"),
    TLS_CIPHERS(
            text(),
            "secure",
            "cipher suites that the server speaks, in the order of preference. Write their standard names, such as "
                    + "`TLS_AES_128_GCM_SHA256`, separated by commas. `secure`: all suites with forward secrecy and "
                    + "authenticated encryption"),
    TLS_PROVIDER(
            text(),
            "none",
            "name or class of a security provider on the class path. If the provider implements TLS (JSSE), this "
                    + "server uses it. If it has algorithms only (JCA), it becomes the first provider of the whole "
                    + "process. `none` uses the JDK alone"),
    TLS_OCSP_STAPLING(
            onOff(),
            "off",
            "`on`: each handshake contains the authority's statement that the certificate is not revoked (OCSP). The "
                    + "server asks the authority in advance, so handshakes do not wait"),
    TLS_RELOAD_INTERVAL(
            timeOrZero(),
            "10s",
            "time between two checks of the files of certificates and keys. When two checks in a row find the same "
                    + "changed files, new connections use these files. (One check is not enough, since a change may "
                    + "take several writes.) 0s: the server reads the files only at the start and at a reload"),
    ACME(
            text(),
            "none",
            "hosts for which the server itself gets a certificate from an authority (ACME), separated by commas. The "
                    + "authority must reach `port` as port 443, or `redirect-port` as port 80. By setting this key "
                    + "you agree to the authority's terms of service"),
    ACME_DIRECTORY(
            text(),
            "https://acme-v02.api.letsencrypt.org/directory",
            "URL of the authority's ACME directory; the default is Let's Encrypt"),
    ACME_EMAIL(text(), "none", "address at which the authority can reach the operator"),
    ACME_DIR(
            text(),
            "private",
            "folder for the account and the certificate, with a folder of its own for each authority. `private` is "
                    + "`.penstock/acme` in the user's home"),
    ACME_CHALLENGE(
            word(Acme.Challenge.class),
            "auto",
            "how the server proves to the authority that it controls the hosts: `http-01` at `redirect-port`, or "
                    + "`tls-alpn-01` at `port`. `auto` tries both in turn if there is a `redirect-port`, otherwise "
                    + "only `tls-alpn-01`"),
    ACME_EAB_KID(
            text(),
            "none",
            "id of your account at the authority, if the authority requires one (external account binding)"),
    ACME_EAB_KEY(
            secret(),
            "none",
            "key of the account `acme-eab-kid`, in base64url. Set it in the environment or the file: other users of "
                    + "the machine can read the command line"),
    REDIRECT_PORT(
            text(),
            "off",
            "TCP port without TLS whose requests are redirected to HTTPS; needs a certificate. `0` takes a free port, "
                    + "`off` opens none"),
    REDIRECT_TO_PORT(
            number("", 0, 65535),
            "0",
            "port in the redirects of `redirect-port`. Set it if clients reach the first TLS listener at another port, "
                    + "for example behind NAT. 0: the port of this listener"),
    HSTS(
            text(),
            "off",
            "time for which browsers use only HTTPS for this host (`Strict-Transport-Security`), such as `365d`. "
                    + "`includeSubDomains` and `preload` may follow, separated by commas. The field is in each "
                    + "response over TLS. `0s` makes browsers forget it, `off` sends no field"),
    NODE_NAME(
            text(),
            "none",
            "name of this server among several that serve the same applications, such as `node1`: letters, digits, "
                    + "hyphens and underscores. Access log (`x-node`), start line, metrics, flow board and dump show "
                    + "it"),
    ADMIN_PORT(
            text(),
            "off",
            "TCP port for operators, with the flow board, health and metrics. `0` takes a free port, `off` opens none"),
    ADMIN_HOST(
            text(),
            "127.0.0.1",
            "name or address that the admin port listens on. If it is not a loopback address, every client that "
                    + "reaches the port gets answers, unless there is an `admin-token`"),
    ADMIN_TLS(
            onOff(),
            "off",
            "`on`: the admin port speaks HTTPS, with the certificates of the server and its rules for client "
                    + "certificates. On the command line `--admin-tls` means `on`"),
    ADMIN_TOKEN(
            secret(),
            "none",
            "token that the admin port requires, as a bearer token or as the password in a browser: at least 16 "
                    + "visible characters. `/health` needs no token. `none` requires no token. Set it in the "
                    + "environment or the file: other users of the machine can read the command line"),
    ADMIN_LISTENERS(
            number("pages", 0),
            "8",
            "open pages of the flow board that the server updates at one time",
            answer(503, Counter.ADMIN_LISTENERS_REFUSED)),
    REQUEST_METRICS(
            word(Admin.Measuring.class),
            "auto",
            "whether the server measures each request, for metrics, flow board and JMX: `on` or `off`. `auto`: `on` if "
                    + "there is an admin port, otherwise `off`"),
    VIRTUAL_THREADS(
            onOff(),
            "off",
            "`on`: the workers are virtual threads. Many of them need less memory, so there may be 10,000. Use it for "
                    + "applications that wait a lot, if their libraries support virtual threads. Needs Java 21. On "
                    + "older versions it has no effect, and the log says so"),
    WORKERS(
            number("threads", 1),
            derived(
                    "max(240, 8 * cores); 10000 with `virtual-threads`",
                    earlier -> virtual(earlier) ? 10_000 : Math.max(240, 8 * cores())),
            "most threads that run filters and servlets; they are started when requests wait"),
    REACTORS(
            number("threads", 1),
            derived("max(1, cores / 4)", earlier -> Math.max(1, cores() / 4)),
            "selector threads, which move bytes between sockets and pipes"),
    QUEUE(
            number("requests", 0),
            derived("as many as `max-connections`", earlier -> earlier.number(MAX_CONNECTIONS)),
            "requests that may wait for a worker. The same number of streaming requests may wait in addition, and the "
                    + "same number of requests that wait because of `max-spooling`. `overload-after` and `queue-age` "
                    + "limit the waiting time",
            refusal(503, Counter.QUEUE_FULL)),
    QUEUE_AGE(time(), "10s", "longest time that a request waits for a worker", refusal(503, Counter.QUEUE_AGED)),
    OVERLOAD_AFTER(
            timeOrZero(),
            "2s",
            "time for which requests of a servlet or path may wait without a break. After that, and until none of them "
                    + "waits, fewer may wait: as many as workers take in 400 ms, or 20 for each of the workers that "
                    + "they have (or of 32; of twice the processors while calls compute) if that is more. Other "
                    + "servlets and paths are not affected. 0s: only `queue` and `queue-age` limit the queue",
            refusal(503, Counter.OVERLOADED)),
    HALF_CLOSE(
            onOff(),
            "off",
            "what happens if a client closes its sending direction while its request waits for a worker. `off`: the "
                    + "client counts as gone. If no worker takes the request within a quarter of a second, the "
                    + "request is dropped, and the connection is closed. `on`: the request stays in the queue, for "
                    + "clients that close only this direction (half-close) and then read. A request that a worker has "
                    + "taken is always answered",
            effect("with `off`: the request is dropped", Counter.CLIENTS_GONE)),
    BULKHEAD_QUEUE(
            number("requests", 0),
            "100",
            "requests that may wait for the workers of one bulkhead (`/path:max-workers`), in addition to those of "
                    + "`queue`. `/path:max-queued` overrides it",
            refusal(503, Counter.BULKHEAD_FULL)),
    MAX_STREAMING(
            number("threads", 1),
            halfOfWorkers(),
            "workers that may serve streaming requests at one time. A request is streaming if a worker gets it before "
                    + "its body has arrived. Further streaming requests wait"),
    MAX_SPOOLING(
            number("threads", 1),
            halfOfWorkers(),
            "workers that may run disk-bound servlets at one time. A servlet is disk-bound if at least four of its "
                    + "last 16 responses had to wait for the disk. Further requests for these servlets wait, so that "
                    + "other requests find a worker"),
    STREAMING_PATHS(
            text(),
            "none",
            "URL patterns, separated by commas, of requests that a worker gets before the body has arrived, such as "
                    + "`/upload/*,/live`. Patterns include the context path, and are written as in a URL: "
                    + "`/my%20app/upload/*`"),
    DATA_SOURCES(
            text(),
            "none",
            "file of the data sources that applications find by `@Resource` and JNDI; the configuration reference "
                    + "lists its keys. Needs the optional part for naming, which `penstock.jar` contains"),
    LOG_LEVEL(
            text(),
            "info",
            "lowest level that the server's log writes: `trace`, `debug`, `info`, `warn`, `error` or `off`. Levels of "
                    + "single loggers may follow, separated by commas: `info, io.penstock.deploy=debug`. Only for "
                    + "`penstock.jar`; an embedded server logs as its program does"),
    LOG_FORMAT(
            word(ServerLogging.Format.class),
            "text",
            "format of the server's log: `text`, a line for each record and the stack trace on lines after it, or "
                    + "`json`, one line for each record. Only for `penstock.jar`"),
    ACCESS_LOG(
            text(),
            "none",
            "file that gets a line for each request, also for a refused request. `-` is the standard output. `none`: "
                    + "there is no access log"),
    ACCESS_LOG_FORMAT(
            text(),
            "combined",
            "format of the access log: `common`, `combined`, `json`, or names of fields separated by blanks, such as "
                    + "`date time c-ip cs-method cs-uri-stem sc-status x-total-ms`; `docs/operations.md` lists them. Fields may "
                    + "also follow one of the three: `combined x-total-ms sc(Location)`"),
    ACCESS_LOG_IF(
            text(),
            "none",
            "conditions, separated by commas or blanks; only requests for which one of them holds get a line. A "
                    + "condition is a field of the access log, such as `x-attribute(audit)`, and holds if the request "
                    + "has a value for it; or it is `FIELD=PATTERN`, such as `sc-status=5*`, where `*` is any text. "
                    + "`none`: all requests"),
    ACCESS_LOG_UNLESS(
            text(),
            "none",
            "conditions like those of `access-log-if`; requests for which one of them holds get no line: "
                    + "`cs-uri-stem=/health, c-ip=10.*`"),
    // A larger ring would only use more memory: if lines arrive faster than the disk takes them, every ring becomes
    // full.
    ACCESS_LOG_RING(
            number("requests", 1, 1 << 20),
            "8192",
            "lines that may wait to be written to the access log. No response waits for its line",
            effect("answered, but missing in the access log", Counter.ACCESS_LOG_DROPPED)),
    ACCESS_LOG_ROTATE_SIZE(
            bytes(0),
            "0",
            "size at which the file of the access log is archived and compressed, and a new file begins; 0 for no"
                    + " limit"),
    ACCESS_LOG_ROTATE(
            word(AccessLogging.Rotate.class),
            "never",
            "when the file of the access log is archived, independent of its size: `daily`, with the first request of "
                    + "a new day, or `never`"),
    ACCESS_LOG_KEEP(
            number("files", 0),
            "30",
            "archived files of the access log that are kept. Beyond it the oldest file is deleted. 0 keeps all"),
    SERVER_TIMING(
            onOff(),
            "off",
            "`on` adds a field `Server-Timing` to responses, with the times of head, body, queue and service. The time "
                    + "of service ends when the server makes the head of the response"),
    FLIGHT(
            onOff(),
            "on",
            "`on`: a running recording of Java Flight Recorder gets events for requests, refusals, time limits, writes "
                    + "of bodies to disk, waits of the application for a client, and late selector threads. Without a "
                    + "recording there are no events"),
    PIPE_CAPACITY(
            buffer(1),
            "4M",
            "memory that the body of one request, or one response, may use; the rest goes to disk. If the pipes use "
                    + "much of `pipe-budget`, this limit is lower, down to four segments"),
    PIPE_SEGMENT(buffer(1024), "16K", "size of the buffers of which pipes consist"),
    PIPE_BUDGET(
            bytes(1),
            derived(
                    "max(16M, a quarter of the heap), but at most half of what the JVM allows outside the heap",
                    earlier -> Math.min(
                            Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4), DirectMemory.most() / 2)),
            "memory that all pipes of the server may use together",
            refusal(503, Counter.PIPE_BUDGET_EXCEEDED)),
    TLS_THREADS(
            number("threads", 1),
            derived("max(2, cores / 2)", earlier -> Math.max(2, cores() / 2)),
            "threads for the long computations of TLS handshakes, such as signatures"),
    TLS_TASKS(
            number("handshakes", 1),
            "512",
            "TLS handshakes that may wait for the `tls-threads` or use them at one time",
            effect("closed", Counter.TLS_TASKS_REFUSED)),
    TLS_BUDGET(
            bytes(256 << 10),
            derived(
                    "max(8M, an eighth of the heap)",
                    earlier -> Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8)),
            "memory for TLS: records that are incomplete, not read yet, or not sent yet, and the engines of unfinished "
                    + "handshakes (16 KB each). Handshakes that wait for their clients may hold a quarter of it; beyond "
                    + "that, the one that has waited longest is closed. If memory is short, data is sent in small records",
            effect("reading pauses, or a handshake is closed", Counter.TLS_BUDGET_EXCEEDED)),
    SPOOL_DIR(
            text(),
            "temporary",
            "existing directory for bodies and responses that are too large for memory; `temporary` is the system's "
                    + "temporary directory"),
    SPOOL_LIMIT(
            bytes(0),
            "8G",
            "bytes that all bodies and responses may use on disk together; a request with a larger declared length is "
                    + "answered 413",
            refusal(503, Counter.SPOOL_FULL)),
    RESPONSE_SPOOL_LIMIT(
            bytes(0),
            "64M",
            "bytes that one response may use on disk while its client reads too slowly. Beyond it the worker waits for "
                    + "the client, and counts in `max-streaming`",
            effect("the worker waits", Counter.RESPONSE_SPOOL_EXCEEDED)),
    SPOOL_THREADS(
            number("threads", 1),
            derived("max(2, cores / 2)", earlier -> Math.max(2, cores() / 2)),
            "threads that write bodies and responses to disk"),
    SPOOL_QUEUE(
            number("writes", 1),
            "256",
            "writes to disk that may wait or run at one time",
            effect("reading pauses", Counter.SPOOL_BUSY)),
    REQUEST_LINE_LIMIT(
            buffer(64),
            "8K",
            "length of the request line, without its CRLF",
            refusal(414, Counter.REQUEST_LINE_TOO_LONG)),
    HEADER_BYTES_LIMIT(
            buffer(256),
            "32K",
            "bytes of all header lines of one head together",
            refusal(431, Counter.HEADERS_TOO_LARGE)),
    HEADER_COUNT_LIMIT(number("fields", 1), "100", "header fields of one head", refusal(431, Counter.TOO_MANY_HEADERS)),
    HEAD_BUDGET(
            bytes(64 << 10),
            derived(
                    "max(8M, a quarter of the heap)",
                    earlier -> Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 4)),
            "memory for the heads of all requests, with everything that the server makes of them, from the first bytes "
                    + "of a request to its end; trailer fields are included, and in HTTP/2 the heads of responses that "
                    + "wait for their client. A usual request takes 1K to 4K. A request that takes more than 4K may "
                    + "use only a fifth of the budget, together with all others of this kind. The same applies to "
                    + "trailer fields, and to a client that sends further requests while two of its requests have no "
                    + "response",
            refusal(503, Counter.HEAD_BUDGET_EXCEEDED)),
    CHUNK_EXTENSION_LIMIT(
            buffer(0), "1K", "bytes of the extensions of one chunk", refusal(400, Counter.CHUNK_EXTENSION_TOO_LONG)),
    TRAILER_BYTES_LIMIT(
            buffer(0),
            "8K",
            "bytes of all trailer lines of one body together",
            refusal(431, Counter.TRAILERS_TOO_LARGE)),
    BODY_LIMIT(bytes(0), "2G", "largest request body", refusal(413, Counter.BODY_TOO_LARGE)),
    MAX_COOKIES(number("cookies", 1), "200", "cookies of one request", answer(431, Counter.TOO_MANY_COOKIES)),
    MAX_SESSION_COOKIES(
            number("cookies", 1),
            "4",
            "cookies of one request with the name of the session cookie whose sessions are looked up, one after the "
                    + "other, until one is valid. Browsers send several if applications or hosts with a common parent "
                    + "set cookies with the same name",
            effect("the others are ignored", Counter.SESSION_COOKIES_IGNORED)),
    MAX_PARAMETERS(
            number("parameters", 1),
            "1000",
            "parameters of one request, in query and form together",
            answer(400, Counter.TOO_MANY_PARAMETERS)),
    FORM_LIMIT(
            buffer(0),
            "2M",
            "largest body that the server reads as form parameters",
            answer(413, Counter.FORM_TOO_LARGE)),
    MAX_PARTS(number("parts", 1), "1000", "parts of one multipart body", answer(413, Counter.TOO_MANY_PARTS)),
    PART_HEADER_LIMIT(
            buffer(128), "8K", "bytes of the header lines of one part", answer(413, Counter.PART_HEADER_TOO_LARGE)),
    MULTIPART_HEADER_LIMIT(
            buffer(128),
            "512K",
            "bytes of the header lines of all parts of one multipart body together",
            answer(413, Counter.MULTIPART_HEADERS_TOO_LARGE)),
    PARSED_BUDGET(
            bytes(64 << 10),
            derived(
                    "max(12M, an eighth of the heap)",
                    earlier -> Math.max(12L << 20, Runtime.getRuntime().maxMemory() / 8)),
            "memory for all that applications have read from requests as parameters, parts of forms and cookies, and "
                    + "for the buffers of `getReader`, until the end of each request or upgraded connection. A form "
                    + "can need five times its size while it is read. If you raise `form-limit`, raise this limit, too",
            answer(503, Counter.PARSED_BUDGET_EXCEEDED)),
    REALM_FILE(
            text(),
            "none",
            "file with users, hashes of their passwords, and roles, for the logins of all applications; `none` for no "
                    + "file"),
    REALM_DATA_SOURCE(
            text(),
            "none",
            "name of one of the `data-sources`. Its database has the users, instead of the `realm-file`. Only for "
                    + "`penstock.jar`"),
    REALM_PASSWORD_QUERY(
            text(),
            "select password from users where name = ?",
            "SQL query in the `realm-data-source` for the hash of a user's password, as `--hash-password` makes it"),
    REALM_ROLES_QUERY(
            text(),
            "select role from user_roles where name = ?",
            "SQL query in the `realm-data-source` for the roles of a user, one in each row"),
    REALM_LDAP_URL(
            text(),
            "none",
            "URLs of an LDAP directory that has the users, instead of the `realm-file`, separated by commas, such as "
                    + "`ldaps://a.example.org, ldaps://b.example.org:1636`. If one fails, the next is asked. The "
                    + "server begins with the one that answered last. `none`: no directory"),
    REALM_LDAP_START_TLS(
            onOff(),
            "off",
            "`on`: connections to `ldap://` URLs change to TLS (StartTLS) before a name or password is sent"),
    REALM_LDAP_TRUST(
            text(),
            "none",
            "PEM file with the authorities that may sign the certificate of the directory; `none` for those that Java "
                    + "trusts"),
    REALM_LDAP_USER(
            text(),
            "none",
            "DN of the entry with which the server logs in to the directory and searches users and groups. `none`: "
                    + "users are searched without a login, and the groups as the user who logs in"),
    REALM_LDAP_PASSWORD(
            secret(), "none", "password of the `realm-ldap-user`. Set it in the environment or in the file"),
    REALM_LDAP_USER_PATTERN(
            text(),
            "none",
            "DN of a user, in which `{0}` stands for the name, such as `uid={0},ou=people,dc=example,dc=org`. Several "
                    + "are separated by semicolons, and tried one after the other. `none`: users are searched under "
                    + "`realm-ldap-user-base`"),
    REALM_LDAP_USER_BASE(text(), "none", "DN of the entry under which users are searched"),
    REALM_LDAP_USER_FILTER(
            text(),
            "(uid={0})",
            "filter that finds the entry of a user (RFC 4515), in which `{0}` stands for the name"),
    REALM_LDAP_USER_SUBTREE(
            onOff(),
            "on",
            "`on`: users are searched at any depth below `realm-ldap-user-base`. `off`: only directly below it"),
    REALM_LDAP_USER_ROLES(
            text(),
            "none",
            "attribute of a user's entry whose values are roles, such as `memberOf`. A value is a role as it is, also "
                    + "if it is a DN"),
    REALM_LDAP_ROLE_BASE(
            text(), "none", "DN of the entry under which the groups of a user are searched; `none`: no groups"),
    REALM_LDAP_ROLE_FILTER(
            text(),
            "(member={0})",
            "filter that finds the groups of a user (RFC 4515), in which `{0}` stands for the DN of the user, and "
                    + "`{1}` for the name. At most 1,000 groups"),
    REALM_LDAP_ROLE_NAME(text(), "cn", "attribute of a group whose values are roles"),
    REALM_LDAP_ROLE_SUBTREE(
            onOff(),
            "on",
            "`on`: groups are searched at any depth below `realm-ldap-role-base`. `off`: only directly below it"),
    REALM_LDAP_CONNECT_TIMEOUT(
            time(),
            "3s",
            "longest wait for a connection to the directory; also for its TLS handshake, and for the answer to a "
                    + "password"),
    REALM_LDAP_READ_TIMEOUT(time(), "5s", "longest wait for an answer to a search in the directory"),
    REALM_LDAP_REMEMBERED(
            timeOrZero(),
            "1m",
            "time for which the server remembers that a password was right, and the roles of its user. So not each "
                    + "request with `BASIC` asks the directory. A change of the password or the roles has an effect "
                    + "after this time. 0s: each login asks the directory"),
    LOGIN_FAILURES_USER(
            number("failures", 0),
            "10",
            "failed logins with one user name after which this name is locked out for `login-lockout`. After a time of "
                    + "`login-lockout` without a failure the count begins again. An address from which the user has "
                    + "logged in before has a count of its own for this user. So attackers at other addresses cannot "
                    + "lock the user out there. 0 for no limit",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_FAILURES_ADDRESS(
            number("failures", 0),
            "100",
            "failed logins from one client address (for IPv6 its first 64 bits), with any user names, after which the "
                    + "address is locked out. 0 for no limit",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_LOCKOUT(
            time(),
            "5m",
            "time for which a user or an address cannot log in after too many failures",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_FAILURES_KEPT(
            number("entries", 1),
            "10000",
            "user names, and addresses, whose failed logins are counted at one time. Beyond it the name or address "
                    + "whose last failure is the oldest is forgotten",
            effect("the oldest is forgotten", Counter.LOGIN_FAILURES_FORGOTTEN)),
    PASSWORD_CHECKS(
            number("checks", 1),
            derived(
                    "max(1, cores / 2); with `realm-ldap-url` an eighth of `workers`, at most 16",
                    earlier -> earlier.value(REALM_LDAP_URL).equals("none")
                            ? Math.max(1, cores() / 2)
                            : Math.max(1, Math.min(16, earlier.number(WORKERS) / 8))),
            "passwords that the realm checks at one time. Logins from one client address (for IPv6 its first 64 bits) "
                    + "may use half of these checks, rounded down, but at least one. A further login is refused at "
                    + "once, so no worker waits. A password that was right before needs no check. Raise the limit if "
                    + "the realm waits for another server, or if all clients have the address of a proxy",
            answer(503, Counter.PASSWORD_CHECKS_REFUSED)),
    FORM_LOGIN_TIMEOUT(
            time(),
            "5m",
            "time after which a session that was created for a login form ends, if no user has logged in",
            effect("the session ends", null)),
    SAVED_REQUEST_LIMIT(
            buffer(0),
            "64K",
            "largest body of a request that the server keeps while the user fills in a login form",
            answer(413, Counter.SAVED_REQUEST_TOO_LARGE)),
    SAVED_REQUESTS_BUDGET(
            bytes(0),
            "16M",
            "memory for all requests of one application that wait for a login form. Beyond it the oldest is dropped, "
                    + "and its user is redirected to the application's root. One client address (for IPv6 its first "
                    + "64 bits) may have a quarter of it, but at least one request",
            effect("the oldest is forgotten", Counter.SAVED_REQUESTS_DROPPED)),
    DIGEST_NONCE_TIMEOUT(
            time(),
            "5m",
            "time for which a client may use a nonce of Digest; then the client gets another",
            effect("401 with `stale`", Counter.DIGEST_NONCES_STALE)),
    DIGEST_NONCES(
            number("nonces", 1),
            "10000",
            "nonces of one application that the server remembers with the number of their uses, so that no request can "
                    + "be replayed. Nonces older than a forgotten nonce are stale",
            effect("401 with `stale`", Counter.DIGEST_NONCES_FORGOTTEN)),
    DIGEST_SECRET(
            secret(),
            "none",
            "secret of at least 32 characters that several servers share, so that each accepts the nonces of the "
                    + "others. Set it in the environment or in the file. `none`: the server accepts only its own "
                    + "nonces"),
    FILE_CACHE(
            bytes(0),
            "16M",
            "memory for all small files (up to 16K each) that are cached; 0 caches none",
            effect("the cache is cleared", Counter.FILE_CACHE_CLEARED)),
    COMPRESSION(
            word(Compression.CompressionMode.class),
            "off",
            "which responses are compressed for clients that accept it. `off`: none. `precompressed`: files with a "
                    + "compressed sibling, such as `app.js.br`, `app.js.zst` or `app.js.gz` beside `app.js`. `on`: "
                    + "these and, by gzip, all other responses. An application may have its own setting"),
    COMPRESSION_MIN_SIZE(bytes(0), "1K", "size of the smallest response of known length that is compressed"),
    COMPRESSION_TYPES(
            text(),
            "text/*, application/json, application/*+json, application/xml, application/*+xml, application/javascript, "
                    + "application/yaml, application/wasm, image/svg+xml, image/bmp, image/x-icon, font/ttf, "
                    + "font/otf, application/vnd.ms-fontobject",
            "media types that are compressed, separated by commas. `*` stands for any type, or for any characters of "
                    + "the subtype before a suffix"),
    COMPRESSION_EXCLUDED_AGENTS(
            text(),
            "none",
            "parts of the `User-Agent` of clients that get uncompressed responses, separated by commas"),
    COMPRESSORS(
            number("responses", 1),
            derived("as many as `workers`, at most max(32, 8 * cores)", earlier -> atMost(earlier, 1, 32, 8)),
            "responses that are compressed at one time. Each uses 256 KB outside of the heap until its end",
            effect("sent as it is", Counter.COMPRESSORS_BUSY)),
    MAX_SESSIONS(
            number("sessions", 1),
            "100000",
            "sessions that one application may have, in use or not",
            answer(503, Counter.SESSIONS_REFUSED)),
    MAX_LOGIN_SESSIONS(
            number("sessions", 1),
            "10000",
            "sessions of one application that the server has made only to show a login form. They are not part of "
                    + "`max-sessions` until the user logs in, or the application uses the session. Beyond it the "
                    + "oldest ends. One client address (for IPv6 its first 64 bits) may have a quarter of them; "
                    + "beyond that its own oldest ends. A user whose session has ended can still log in, and is "
                    + "redirected to the application's root",
            effect("the oldest ends", Counter.LOGIN_SESSIONS_DROPPED)),
    SESSION_TIMEOUT(
            timeOrZero(),
            "30m",
            "time without requests after which a session expires, in whole minutes; 0s for never. An application may "
                    + "have its own value",
            effect("the session ends", null)),
    SESSION_COOKIE_NAME(text(), "JSESSIONID", "name of the session cookie. An application may have its own value"),
    SESSION_COOKIE_PATH(
            text(),
            "context",
            "path of the session cookie, as in a URL. `context`: the context path of the application. If several "
                    + "applications have the same path, give each its own `session-cookie-name`; otherwise their "
                    + "cookies replace each other. An application may have its own value"),
    SESSION_COOKIE_SAME_SITE(
            text(),
            "unset",
            "attribute `SameSite` of the session cookie: `lax`, `strict` or `none`. Browsers accept `none` only over "
                    + "HTTPS. `unset`: the cookie has no such attribute. An application may have its own value"),
    SESSION_COOKIE_DOMAIN(
            text(),
            "unset",
            "attribute `Domain` of the session cookie, such as `example.org`: all hosts below it get the cookie, too, and "
                    + "with it everything on these hosts. `unset`: only the host of the request gets it. An application "
                    + "may have its own value"),
    SESSION_COOKIE_MAX_AGE(
            timeOrZero(),
            "0s",
            "time for which browsers keep the session cookie, in whole seconds, from the start of the session, even if "
                    + "the browser is closed. `session-timeout` is the same with and without it. `0s`: until the browser "
                    + "is closed. An application may have its own value"),
    SESSION_COOKIE_HTTP_ONLY(
            onOff(),
            "on",
            "`off`: the session cookie is not `HttpOnly`, so that a script that an attacker brings into a page can "
                    + "steal the session; the log warns of it. An application may have its own value"),
    SESSION_COOKIE_SECURE(
            word(SecureCookie.class),
            "auto",
            "`auto`: the session cookie is `Secure` if the request came over TLS, or a proxy of `trusted-proxies` says so. "
                    + "`on`: it always is, and browsers send it only over HTTPS. An application may have its own value"),
    SESSION_COOKIE_PARTITIONED(
            onOff(),
            "off",
            "`on`: the session cookie has the attribute `Partitioned` (CHIPS). In a frame of another site it belongs to "
                    + "that site alone. Browsers accept it only if the cookie is `Secure`, and send it there only with "
                    + "`session-cookie-same-site = none`. An application may have its own value"),
    SESSION_TRACKING(
            text(),
            "cookie,url",
            "how clients send the id of their session: `cookie`, `url` (a path parameter such as `;jsessionid=...`, "
                    + "which `encodeURL` adds), or `cookie,url`, the URL for clients without the cookie. With `cookie`, no "
                    + "id gets into logs, histories and the field `Referer`. An application may have its own value"),
    SESSION_DIR(
            text(),
            "none",
            "existing directory in which sessions survive the end of the server; `none` keeps sessions in memory only"),
    SESSION_STORE(
            secret(),
            "none",
            "address of a session store that several servers share. The text before the first colon names the kind of "
                    + "store, such as `redis` or `jdbc`; the documentation of the store explains the rest. Needs an "
                    + "optional part. `none`: sessions are in memory or in `session-dir`"),
    SESSION_FORMAT(
            text(),
            "java",
            "format of session attributes in `session-dir` or a session store. `java` is Java's serialization; "
                    + "optional parts bring other formats, such as `json`. Attributes in another format are hidden "
                    + "from the application until it sets them again"),
    SESSION_STORE_THREADS(
            number("threads", 1),
            halfOfWorkers(),
            "threads that may load and save sessions in a session store at one time. Further requests with a session "
                    + "wait while the store answers. While it does not answer, they are refused at once",
            answer(503, Counter.SESSION_STORE_REFUSED)),
    SESSION_STORE_WAIT(
            time(),
            "250ms",
            "time for which requests wait for one of the `session-store-threads` while the store answers no call. If "
                    + "the store answers slowly, a request waits for at most eight times as long. Each waiting "
                    + "request occupies a worker",
            answer(503, Counter.SESSION_STORE_REFUSED)),
    SESSIONS_IN_MEMORY(
            number("sessions", 0),
            "10000",
            "stored sessions of one application that also stay in memory between requests, if there is a `session-dir` "
                    + "or a session store",
            effect("read again from disk or store", Counter.SESSIONS_PASSIVATED)),
    SESSION_ROUTE(
            onOff(),
            "off",
            "`on`: session ids end with a dot and `node-name`, so that a load balancer can send each client to its "
                    + "node. Every node accepts the ids of all nodes"),
    REQUEST_ENCODING(
            text(),
            fixed("UTF-8", "none"),
            "charset of forms and of text in request bodies, if neither the application nor the client names one. "
                    + "`none`: ISO-8859-1, as the specification says"),
    RESPONSE_ENCODING(
            text(),
            fixed("UTF-8", "none"),
            "charset of text that servlets write, if the application names none; not for files. `none`: ISO-8859-1, as "
                    + "the specification says"),
    FILE_ENCODING(
            text(),
            "none",
            "charset in the content type of all text files, including HTML. `none`: HTML files declare their own "
                    + "charset (`<meta charset>`), and other text files are UTF-8"),
    RESPONSE_RULES(
            text(),
            "none",
            "file of rules that add fields to responses by path: `Cache-Control`, `Content-Security-Policy`, CORS and "
                    + "others; `none` for no file"),
    ERROR_PAGES(
            text(),
            "none",
            "folder with pages for errors that no application answers with a page of its own: `404.html` for a status, "
                    + "`4xx.html` and `5xx.html` for the others; HTML in UTF-8, up to 64K each. The server reads them at "
                    + "the start and at a reload. Clients that do not want HTML get the server's own answer. `none`: the "
                    + "server's own pages"),
    REDIRECTS(
            word(ServerConfig.Redirects.class),
            fixed("relative", "absolute"),
            "form of redirects to this server. `relative`: only the path, so that clients behind a proxy with TLS stay "
                    + "with `https:`. `absolute`: scheme, host and port of the request as it arrived"),
    CROSS_CONTEXT(
            word(ServerConfig.CrossContext.class),
            "allow",
            "whether applications reach each other by `ServletContext.getContext`: `allow` or `refuse`"),
    WEBAPPS(
            text(),
            "none",
            "folder of applications. The server serves each `.war` file in it, and each folder with a `WEB-INF`, at "
                    + "the path of its name (`ROOT` at `/`). The server watches the folder: it deploys new "
                    + "applications, redeploys replaced ones, and undeploys removed ones. `none` for no folder"),
    WEBAPPS_INTERVAL(
            timeOrZero(),
            "1s",
            "time between two scans of `webapps`. A file is complete if two scans find it unchanged. 0s scans only at "
                    + "the start"),
    UNDEPLOY_TIMEOUT(
            timeOrZero(),
            "30s",
            "time for which a replaced or undeployed application waits for its running requests. Then asynchronous "
                    + "requests get a timeout",
            effect(
                    "the listeners of asynchronous requests are called; 503 if none of them completes the request",
                    Counter.UNDEPLOY_TIMEOUTS)),
    UNPACKED_LIMIT(
            bytes(0),
            "2G",
            "bytes of all files in a WAR together, counted as they are unpacked; 0 for no limit",
            effect("not deployed", Counter.ARCHIVES_TOO_LARGE)),
    MIGRATE_JAVAX(
            onOff(),
            "off",
            "`on`: an optional part converts a WAR for `javax.servlet` when it is deployed. `off`: such a WAR is "
                    + "refused. On the command line `--migrate-javax` means `on`"),
    MIGRATED_DIR(
            text(),
            "private",
            "folder for converted WARs. Each has the hash of its original in its file name. Only the user of the "
                    + "server may write to the folder. Its files can be deleted at any time. `private` is "
                    + "`.penstock/migrated` in the user's home"),
    EXCLUDE_INITIALIZERS(
            text(),
            "none",
            "classes of initializers (`ServletContainerInitializer`) that do not run in any application: names "
                    + "separated by commas or white space, with `*` for any characters. An application may exclude "
                    + "more"),
    EXCLUDE_SCAN(
            text(),
            "none",
            "file names of libraries in `WEB-INF/lib` whose classes are not read: their annotations have no effect, "
                    + "and initializers do not get these classes. Written like `exclude-initializers`"),
    SHARED_LIBRARIES(
            text(),
            "none",
            "existing folder of libraries that all applications share: its `.jar` files, and its other files as resources. "
                    + "An application's own classes take precedence. Initializers of the jars run in each application, and "
                    + "pages find their tag libraries; their annotations and fragments have no effect. Changes have effect "
                    + "when the server starts again"),
    PROXY_HEADER_TIMEOUT(
            time(),
            "5s",
            "time from the accept to the end of the PROXY header; then `handshake-timeout` or `head-timeout` begins",
            effect("closed", Counter.PROXY_HEADER_TIMEOUTS)),
    HANDSHAKE_TIMEOUT(
            time(),
            "10s",
            "time from the accept, or from the end of the PROXY header, to the end of the TLS handshake; then `head-timeout` "
                    + "begins for the first request. Also the time in which an HTTP/2 client must acknowledge the server's SETTINGS",
            effect("closed", Counter.HANDSHAKE_TIMEOUTS)),
    HEAD_TIMEOUT(
            time(),
            "20s",
            "time from the first byte of a request head to its end. For the first request of a connection it begins "
                    + "with the accept, or with the end of the PROXY header or of the TLS handshake",
            refusal(408, Counter.HEAD_TIMEOUTS)),
    BODY_STALL_TIMEOUT(
            time(),
            "30s",
            "longest time between two arrivals of body bytes while the server waits for them",
            refusal(408, Counter.BODY_STALLS)),
    BODY_TOTAL_TIMEOUT(
            time(),
            "1h",
            "longest time that the server waits for the bytes of one body, all waits together",
            refusal(408, Counter.BODY_TOTAL_TIMEOUTS)),
    BODY_MIN_RATE(
            bytes("bytes per second", 0),
            "1",
            "fewest bytes a second that must arrive while the server waits for a body. The server adds up its waits "
                    + "for the body, and checks the rate each time the sum has grown by `body-stall-timeout`. 0 for "
                    + "no minimum",
            refusal(408, Counter.SLOW_BODIES)),
    KEEP_ALIVE_TIMEOUT(
            time(),
            "1m",
            "longest time that a connection is idle between two requests",
            effect("closed", Counter.KEEP_ALIVE_TIMEOUTS)),
    WRITE_STALL_TIMEOUT(
            time(),
            "30s",
            "longest time in which a client takes no byte of a response",
            effect("closed", Counter.WRITE_STALLS)),
    SERVICE_TIMEOUT(
            timeOrZero(),
            "0s",
            "time after which the server interrupts a call of filters and servlet. If the call still runs after twice "
                    + "this time, the server closes the connection. If the response has not begun, the server answers "
                    + "503 first. 0s for no limit",
            refusal(503, "503, or closed if the response has begun", Counter.SERVICE_TIMEOUTS)),
    ASYNC_TIMEOUT(
            timeOrZero(),
            "30s",
            "longest time that an asynchronous request takes, if the application sets no timeout; 0s for no limit",
            effect(
                    "the listeners of the request are called; 500 if none of them completes the request",
                    Counter.ASYNC_TIMEOUTS)),
    UPGRADE_IDLE_TIMEOUT(
            timeOrZero(),
            "5m",
            "time without any bytes in either direction after which an upgraded connection, such as a WebSocket, is "
                    + "closed. The close may come later, after at most twice that time. 0s for no limit",
            effect("closed", Counter.UPGRADE_IDLE_TIMEOUTS)),
    LINGER_TIMEOUT(
            time(),
            "5s",
            "time for which the server still reads from a client after the last response, and ignores the bytes, so "
                    + "that the client can read the response",
            effect("closed", Counter.LINGER_TIMEOUTS)),
    SHUTDOWN_DELAY(
            timeOrZero(),
            "0s",
            "time for which a stopping server serves as before, but reports that it is not ready, so that a load "
                    + "balancer can turn to other servers. Then the server closes the port. After that, each idle "
                    + "connection may send one more request, for another `shutdown-delay` (at most half of "
                    + "`shutdown-timeout`)"),
    SHUTDOWN_TIMEOUT(
            time(),
            "30s",
            "longest time that a stopping server waits for requests that run or are arriving. Then requests without a "
                    + "response are answered 503",
            refusal(503, Counter.SHUTDOWN_TIMEOUTS));

    /** The environment variable of each key begins with this text. */
    static final String VARIABLE_PREFIX = "PENSTOCK_";

    private final String id = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final Allowed allowed;
    private final Default byDefault;
    private final String meaning;
    private final Consequence consequence;

    Key(Allowed allowed, String byDefault, String meaning) {
        this(allowed, fixed(byDefault), meaning, Consequence.NONE);
    }

    Key(Allowed allowed, Default byDefault, String meaning) {
        this(allowed, byDefault, meaning, Consequence.NONE);
    }

    Key(Allowed allowed, String byDefault, String meaning, Consequence consequence) {
        this(allowed, fixed(byDefault), meaning, consequence);
    }

    Key(Allowed allowed, Default byDefault, String meaning, Consequence consequence) {
        this.allowed = allowed;
        this.byDefault = byDefault;
        this.meaning = meaning;
        this.consequence = consequence;
    }

    /** The name in a configuration file. */
    public String id() {
        return id;
    }

    /** The name on the command line. */
    public String option() {
        return "--" + id;
    }

    /** The name in the environment. */
    public String variable() {
        return VARIABLE_PREFIX + id.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    /** The values that the key can have. */
    Allowed allowed() {
        return allowed;
    }

    public ValueType type() {
        return allowed.type();
    }

    /** The unit of the value; empty if the value has none. */
    public String unit() {
        return allowed.unit();
    }

    /** The default as the documentation shows it: a value or a formula. */
    public String defaultShown() {
        return byDefault.shown();
    }

    public String meaning() {
        return meaning;
    }

    /** Whether the value has a unit: it is a time, a size, or a number of things such as threads. */
    public boolean isMeasured() {
        return !unit().isEmpty();
    }

    /** The consequence of reaching the limit. */
    public Consequence consequence() {
        return consequence;
    }

    /** The key with this name in a configuration file. */
    public static Optional<Key> named(String id) {
        return Arrays.stream(values()).filter(key -> key.id.equals(id)).findFirst();
    }

    /** The names of all keys. */
    public static Stream<String> ids() {
        return Arrays.stream(values()).map(Key::id);
    }

    /**
     * The text that follows a name in an error message if the name is that of a removed key, or of a key that only an application can have.
     * The text says what to write instead. Null for all other names.
     */
    public static @Nullable String replacementOf(String id) {
        return id.equals("https-port")
                ? "is gone: with a certificate (" + TLS_CERT.id + ") the server itself speaks HTTPS, and "
                        + REDIRECT_PORT.id + " opens a port that redirects to it"
                : ApplicationKey.named(id)
                        .map(key -> "is a setting of one "
                                + (key.isOfHost() ? "host" : key.isOfPath() ? "path" : "application")
                                + ": write " + ApplicationKey.written(id)
                                + (key.isOfHost() ? "" : ", or /:" + id + " for the root"))
                        .orElse(null);
    }

    static Optional<Key> ofVariable(String variable) {
        return Arrays.stream(values())
                .filter(key -> key.variable().equals(variable))
                .findFirst();
    }

    String defaultText(Earlier earlier) {
        return byDefault.value().apply(earlier).toString();
    }

    /** The default of {@code penstock.jar} if it differs from the default of an embedded server; otherwise null. */
    @Nullable
    String defaultOfJar() {
        return byDefault.ofJar();
    }

    /** Whether the workers are virtual threads. Versions of Java before 21 have none. */
    private static boolean virtual(Earlier earlier) {
        return Runtime.version().feature() >= 21
                && earlier.value(VIRTUAL_THREADS).toString().equalsIgnoreCase(Switch.ON.name());
    }

    /** A part of the workers, but not more than {@code least}, or {@code forEachCore} for each core if that is more. */
    private static int atMost(Earlier earlier, int part, int least, int forEachCore) {
        return Math.max(1, Math.min(earlier.number(WORKERS) / part, Math.max(least, forEachCore * cores())));
    }

    private static Default halfOfWorkers() {
        return derived("half of `workers`, at most max(16, 4 * cores)", earlier -> atMost(earlier, 2, 16, 4));
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /**
     * The default value of a key.
     *
     * @param shown the text for the documentation
     * @param value the value; it can depend on the machine, and on keys that are declared earlier in {@link Key}
     * @param ofJar the default of {@code penstock.jar} if it differs from the default of an embedded server; otherwise null
     */
    record Default(
            String shown,
            Function<Earlier, Object> value,
            @Nullable String ofJar) {

        static Default fixed(String text) {
            return new Default(text, earlier -> text, null);
        }

        /**
         * Two defaults for one key. {@code penstock.jar} has a default that suits new users. An embedded server has the default that the
         * Servlet specification requires.
         */
        static Default fixed(String ofJar, String embedded) {
            return new Default(
                    "`" + ofJar + "` in `penstock.jar`, `" + embedded + "` when embedded", earlier -> embedded, ofJar);
        }

        static Default derived(String shown, Function<Earlier, Object> value) {
            return new Default(shown, value, null);
        }
    }

    /** The values of the keys that are declared earlier in {@link Key}. */
    interface Earlier {
        Object value(Key key);

        default int number(Key key) {
            return (Integer) value(key);
        }
    }

    /**
     * The consequence of reaching a limit, for the client and the operator.
     *
     * @param status the status of the response; 0 if there is no response
     * @param effect the effect on the client, for the documentation
     * @param counter the counter that counts how often the limit is reached; null for none
     */
    public record Consequence(
            Kind kind, int status, String effect, @Nullable Counter counter) {

        static final Consequence NONE = new Consequence(Kind.NONE, 0, "", null);

        /** The kind of consequence for a client that exceeds a limit. */
        public enum Kind {
            /** The client notices no effect. */
            NONE,
            /** The server answers without a worker, and calls {@code ConnectionEvents.refused}. */
            REFUSAL,
            /** The worker that serves the request sends the response. */
            ANSWER,
            /** An effect other than a response. */
            EFFECT
        }

        static Consequence refusal(int status, Counter counter) {
            return refusal(status, Integer.toString(status), counter);
        }

        static Consequence refusal(int status, String effect, Counter counter) {
            return new Consequence(Kind.REFUSAL, status, effect, counter);
        }

        static Consequence answer(int status, Counter counter) {
            return new Consequence(Kind.ANSWER, status, Integer.toString(status), counter);
        }

        static Consequence effect(String effect, @Nullable Counter counter) {
            return new Consequence(Kind.EFFECT, 0, effect, counter);
        }

        /** Whether the server answers without a worker. */
        public boolean isRefusal() {
            return kind == Kind.REFUSAL;
        }
    }
}
