package io.penstock.limits;

import static io.penstock.limits.Consequence.answer;
import static io.penstock.limits.Consequence.effect;
import static io.penstock.limits.Consequence.refusal;
import static io.penstock.limits.Default.derived;
import static io.penstock.limits.Default.fixed;
import static io.penstock.limits.Default.measured;
import static io.penstock.limits.ValueType.BYTES;
import static io.penstock.limits.ValueType.DURATION;
import static io.penstock.limits.ValueType.NUMBER;
import static io.penstock.limits.ValueType.SECRET;
import static io.penstock.limits.ValueType.TEXT;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every configuration key. This is the only table of keys. Code, command line, error messages and documentation use this table. The name,
 * default, response status and counter of a limit are defined only in this table.
 */
public enum Key {
    HOST("host", TEXT, "", fixed("0.0.0.0"), "name or address that the server listens on", Consequence.NONE),
    PORT(
            "port",
            NUMBER,
            "",
            fixed("8080"),
            "TCP port that the server listens on; 0 takes a free port",
            Consequence.NONE),
    LISTEN(
            "listen",
            TEXT,
            "",
            fixed("none"),
            "listeners; not together with `host` and `port`. Write commas between listeners, or repeat the option. Examples: "
                    + "`http://127.0.0.1:8080`, `https://:8443` (every address), `unix:/run/penstock/http.sock?mode=660`, `inherited:` "
                    + "(the standard input is the listening socket). `none`: one listener, at `host` and `port`",
            Consequence.NONE),
    BACKLOG(
            "backlog",
            NUMBER,
            "connections",
            fixed("4096"),
            "largest number of connections that the kernel holds until the server accepts them",
            Consequence.NONE),
    SEND_BUFFER(
            "send-buffer",
            BYTES,
            "bytes",
            fixed("0"),
            "send buffer of an accepted socket (SO_SNDBUF). 0: the kernel chooses the size",
            Consequence.NONE),
    RECEIVE_BUFFER(
            "receive-buffer",
            BYTES,
            "bytes",
            fixed("0"),
            "receive buffer of an accepted socket (SO_RCVBUF). 0: the kernel chooses the size",
            Consequence.NONE),
    MAX_CONNECTIONS(
            "max-connections",
            NUMBER,
            "connections",
            fixed("20000"),
            "connections that may be open at one time; `max-connections-policy` says what happens to further connections",
            refusal(503, Counter.CONNECTIONS_REFUSED)),
    MAX_CONNECTIONS_POLICY(
            "max-connections-policy",
            TEXT,
            "",
            fixed("refuse"),
            "what happens to a connection beyond `max-connections`. `refuse`: it is answered 503 and closed. `wait`: it waits in "
                    + "the kernel's backlog until another connection is closed. `replace`: the server closes an open connection that only "
                    + "waits for its client, and accepts the new one. If there is no such connection, the new one is refused",
            effect("with `wait`: accepting pauses", Counter.ACCEPT_PAUSES)),

    MAX_CONNECTIONS_ADDRESS(
            "max-connections-address",
            NUMBER,
            "connections",
            fixed("0"),
            "connections that one client address (for IPv6 its first 64 bits) may have open at one time. A further connection is "
                    + "answered and closed. Connections of `trusted-proxies` are not counted. 0 for no limit",
            refusal(429, Counter.CONNECTIONS_OF_ADDRESS_REFUSED)),
    TRUSTED_PROXIES(
            "trusted-proxies",
            TEXT,
            "",
            fixed("none"),
            "addresses and networks of proxies, separated by commas, such as `127.0.0.1, 10.0.0.0/8, 2001:db8::/32`. `unix` "
                    + "stands for all clients of a Unix domain socket. The server takes the client's address, and the scheme, host and "
                    + "port that the client used, from the fields of these proxies. `none`: it trusts no proxy",
            Consequence.NONE),
    FORWARDED_FIELDS(
            "forwarded-fields",
            TEXT,
            "",
            fixed("x-forwarded"),
            "which fields of `trusted-proxies` the server uses: `x-forwarded` (`X-Forwarded-For`, `-Proto`, `-Host`, `-Port`) or "
                    + "`forwarded` (RFC 7239). The server ignores the other kind",
            Consequence.NONE),
    PROXY_PROTOCOL(
            "proxy-protocol",
            TEXT,
            "",
            fixed("off"),
            "`on`: each connection to `port` and `redirect-port` must begin with a PROXY header, version 1 or 2, and only "
                    + "`trusted-proxies` may connect. The addresses in the header become those of the connection. A listener of "
                    + "`listen` may have its own value",
            effect("closed if there is no valid header", Counter.PROXY_HEADERS_REFUSED)),
    ALLOWED_ADDRESSES(
            "allowed-addresses",
            TEXT,
            "",
            fixed("all"),
            "addresses and networks of the clients that may send requests, separated by commas; `all` for all clients. Behind "
                    + "`trusted-proxies` the server checks the client's own address. If the proxy does not name this address, the request "
                    + "is refused",
            refusal(403, Counter.ADDRESSES_DENIED)),
    DENIED_ADDRESSES(
            "denied-addresses",
            TEXT,
            "",
            fixed("none"),
            "addresses and networks of the clients that may not send requests, even if `allowed-addresses` contains them; "
                    + "written and checked like `allowed-addresses`",
            refusal(403, Counter.ADDRESSES_DENIED)),
    REQUEST_RATE(
            "request-rate",
            NUMBER,
            "requests",
            fixed("0"),
            "requests a second that one client address (for IPv6 its first 64 bits) may send. A refusal says in "
                    + "`Retry-After` how long to wait. 0 for no limit",
            refusal(429, Counter.REQUESTS_TOO_MANY)),
    REQUEST_BURST(
            "request-burst",
            NUMBER,
            "requests",
            fixed("100"),
            "requests that an address may send at once before `request-rate` limits it, such as a page with its scripts and "
                    + "pictures",
            Consequence.NONE),
    REQUEST_RATE_KEPT(
            "request-rate-kept",
            NUMBER,
            "entries",
            fixed("10000"),
            "client addresses whose requests are counted at one time. Beyond it the address with the oldest last request is "
                    + "forgotten",
            effect("the oldest is forgotten", Counter.REQUEST_RATES_FORGOTTEN)),
    UNKNOWN_HOST(
            "unknown-host",
            TEXT,
            "",
            fixed("default"),
            "what happens to a request for a host that no context has. `default`: the contexts without a host serve it. "
                    + "`refuse`: it is answered 421. An HTTP/1.0 request without a host always goes to the contexts without a host",
            refusal(421, Counter.HOSTS_UNKNOWN)),
    TRACE_METHOD(
            "trace-method",
            TEXT,
            "",
            fixed("off"),
            "`on`: requests with the method TRACE reach the application. A servlet without a `doTrace` of its own sends back the "
                    + "head of the request, with fields that proxies have added. `off`: they are answered 405",
            refusal(405, Counter.TRACES_REFUSED)),

    HTTP2(
            "http2",
            TEXT,
            "",
            fixed("on"),
            "`on`: listeners with TLS offer HTTP/2 beside HTTP/1.1, and the client chooses. `off`: only HTTP/1.1",
            Consequence.NONE),
    H2C(
            "h2c",
            TEXT,
            "",
            fixed("off"),
            "`on`: listeners without TLS also accept HTTP/2 from clients that begin with it (prior knowledge), such as gRPC and "
                    + "proxies. There is no upgrade from HTTP/1.1",
            Consequence.NONE),
    MAX_STREAMS(
            "max-streams",
            NUMBER,
            "streams",
            fixed("100"),
            "requests of one HTTP/2 connection at one time. A request counts until its servlet has returned, also if its client "
                    + "has reset it",
            effect("the stream is refused, and the client may send the request again", Counter.STREAMS_REFUSED)),
    TLS_CERT(
            "tls-cert",
            TEXT,
            "",
            fixed("none"),
            "PEM file with certificate and chain, for HTTPS; several files are separated by commas. `program`: the builder's "
                    + "`tls` provides the certificates",
            Consequence.NONE),
    TLS_KEY(
            "tls-key",
            TEXT,
            "",
            fixed("none"),
            "PEM file with the private key of `tls-cert`: RSA, EC or Ed25519, encrypted or not. For several certificates "
                    + "name as many files, in the same order. `none`: each key is in the file of its certificate",
            Consequence.NONE),
    TLS_KEYSTORE(
            "tls-keystore",
            TEXT,
            "",
            fixed("none"),
            "PKCS#12 or JKS file with certificates and keys, instead of `tls-cert` and `tls-key`. The alias that sorts first "
                    + "is the default certificate. `none` for no key store",
            Consequence.NONE),
    TLS_KEY_PASSWORD(
            "tls-key-password",
            SECRET,
            "",
            fixed("none"),
            "password of encrypted private keys, or of the key store. Set it in the environment, or use "
                    + "`tls-key-password-file`: other users of the machine can read the command line",
            Consequence.NONE),
    TLS_KEY_PASSWORD_FILE(
            "tls-key-password-file",
            TEXT,
            "",
            fixed("none"),
            "file whose first line is the password of the keys or the key store, in UTF-8; instead of `tls-key-password`",
            Consequence.NONE),
    TLS_SELF_SIGNED(
            "tls-self-signed",
            TEXT,
            "",
            fixed("off"),
            "`on` makes a certificate for `localhost`, 127.0.0.1 and ::1 at each start, for clients on this machine. It is "
                    + "never stored. On the command line `--tls-self-signed` means `on`",
            Consequence.NONE),
    TLS_CLIENT_AUTH(
            "tls-client-auth",
            TEXT,
            "",
            fixed("none"),
            "whether the server asks clients for a certificate. `none`: no. `want`: yes. `need`: yes, and clients without a "
                    + "certificate are refused",
            Consequence.NONE),
    TLS_TRUST(
            "tls-trust",
            TEXT,
            "",
            fixed("none"),
            "PEM, PKCS#12 or JKS file with the authorities that may sign clients' certificates. `tls-client-auth` requires this "
                    + "file. No other authority is trusted",
            Consequence.NONE),
    TLS_TRUST_PASSWORD(
            "tls-trust-password",
            SECRET,
            "",
            fixed("none"),
            "password of the `tls-trust` file, if it is a key store with a password",
            Consequence.NONE),
    TLS_PROTOCOLS(
            "tls-protocols",
            TEXT,
            "",
            fixed("TLSv1.3,TLSv1.2"),
            "TLS versions that the server speaks, separated by commas. No other versions are supported",
            Consequence.NONE),
    TLS_CIPHERS(
            "tls-ciphers",
            TEXT,
            "",
            fixed("secure"),
            "cipher suites that the server speaks, in the order of preference. Write their standard names, such as "
                    + "`TLS_AES_128_GCM_SHA256`, separated by commas. `secure`: all suites with forward secrecy and authenticated "
                    + "encryption",
            Consequence.NONE),
    TLS_PROVIDER(
            "tls-provider",
            TEXT,
            "",
            fixed("none"),
            "name or class of a security provider on the class path. If the provider implements TLS (JSSE), this server uses it. "
                    + "If it has algorithms only (JCA), it becomes the first provider of the whole process. `none` uses the JDK alone",
            Consequence.NONE),
    TLS_RELOAD_INTERVAL(
            "tls-reload-interval",
            DURATION,
            "time",
            fixed("10s"),
            "time between two checks of the files of certificates and keys. When two checks in a row find the same changed "
                    + "files, new connections use these files. (One check is not enough, since a change may take several writes.) 0s: the "
                    + "server reads the files only at the start and at a reload",
            Consequence.NONE),
    ACME(
            "acme",
            TEXT,
            "",
            fixed("none"),
            "hosts for which the server itself gets a certificate from an authority (ACME), separated by commas. The "
                    + "authority must reach `port` as port 443, or `redirect-port` as port 80. By setting this key you agree to the "
                    + "authority's terms of service",
            Consequence.NONE),
    ACME_DIRECTORY(
            "acme-directory",
            TEXT,
            "",
            fixed("https://acme-v02.api.letsencrypt.org/directory"),
            "URL of the authority's ACME directory; the default is Let's Encrypt",
            Consequence.NONE),
    ACME_EMAIL(
            "acme-email",
            TEXT,
            "",
            fixed("none"),
            "address at which the authority can reach the operator",
            Consequence.NONE),
    ACME_DIR(
            "acme-dir",
            TEXT,
            "",
            fixed("private"),
            "folder for the account and the certificate, with a folder of its own for each authority. `private` is "
                    + "`.penstock/acme` in the user's home",
            Consequence.NONE),
    ACME_CHALLENGE(
            "acme-challenge",
            TEXT,
            "",
            fixed("auto"),
            "how the server proves to the authority that it controls the hosts: `http-01` at `redirect-port`, or `tls-alpn-01` "
                    + "at `port`. `auto` tries both in turn if there is a `redirect-port`, otherwise only `tls-alpn-01`",
            Consequence.NONE),
    ACME_EAB_KID(
            "acme-eab-kid",
            TEXT,
            "",
            fixed("none"),
            "id of your account at the authority, if the authority requires one (external account binding)",
            Consequence.NONE),
    ACME_EAB_KEY(
            "acme-eab-key",
            SECRET,
            "",
            fixed("none"),
            "key of the account `acme-eab-kid`, in base64url. Set it in the environment or the file: other users of the "
                    + "machine can read the command line",
            Consequence.NONE),
    REDIRECT_PORT(
            "redirect-port",
            TEXT,
            "",
            fixed("off"),
            "TCP port without TLS whose requests are redirected to HTTPS; needs a certificate. `0` takes a free port, `off` "
                    + "opens none",
            Consequence.NONE),
    REDIRECT_TO_PORT(
            "redirect-to-port",
            NUMBER,
            "",
            fixed("0"),
            "port in the redirects of `redirect-port`. Set it if clients reach the first TLS listener at another port, for "
                    + "example behind NAT. 0: the port of this listener",
            Consequence.NONE),
    HSTS(
            "hsts",
            TEXT,
            "",
            fixed("off"),
            "time for which browsers use only HTTPS for this host (`Strict-Transport-Security`), such as `365d`. "
                    + "`includeSubDomains` and `preload` may follow, separated by commas. The field is in each response over TLS. `0s` "
                    + "makes browsers forget it, `off` sends no field",
            Consequence.NONE),

    NODE_NAME(
            "node-name",
            TEXT,
            "",
            fixed("none"),
            "name of this server among several that serve the same applications, such as `node1`: letters, digits, hyphens and underscores. "
                    + "Access log (`x-node`), start line, metrics, flow board and dump show it",
            Consequence.NONE),
    ADMIN_PORT(
            "admin-port",
            TEXT,
            "",
            fixed("off"),
            "TCP port for operators, with the flow board, health and metrics. `0` takes a free port, `off` opens none",
            Consequence.NONE),
    ADMIN_HOST(
            "admin-host",
            TEXT,
            "",
            fixed("127.0.0.1"),
            "name or address that the admin port listens on. If it is not a loopback address, every client that reaches the "
                    + "port gets answers, unless there is an `admin-token`",
            Consequence.NONE),
    ADMIN_TLS(
            "admin-tls",
            TEXT,
            "",
            fixed("off"),
            "`on`: the admin port speaks HTTPS, with the certificates of the server and its rules for client certificates. "
                    + "On the command line `--admin-tls` means `on`",
            Consequence.NONE),
    ADMIN_TOKEN(
            "admin-token",
            SECRET,
            "",
            fixed("none"),
            "token that the admin port requires, as a bearer token or as the password in a browser: at least 16 visible "
                    + "characters. `/health` needs no token. `none` requires no token. Set it in the environment or the file: other "
                    + "users of the machine can read the command line",
            Consequence.NONE),
    ADMIN_LISTENERS(
            "admin-listeners",
            NUMBER,
            "pages",
            fixed("8"),
            "open pages of the flow board that the server updates at one time",
            answer(503, Counter.ADMIN_LISTENERS_REFUSED)),
    REQUEST_METRICS(
            "request-metrics",
            TEXT,
            "",
            fixed("auto"),
            "whether the server measures each request, for metrics, flow board and JMX: `on` or `off`. `auto`: `on` if there is "
                    + "an admin port, otherwise `off`",
            Consequence.NONE),

    VIRTUAL_THREADS(
            "virtual-threads",
            TEXT,
            "",
            fixed("off"),
            "`on`: the workers are virtual threads. Many of them need less memory, so there may be 10,000. Use it for applications that wait a lot, if their libraries support virtual threads. Needs Java 21. On "
                    + "older versions it has no effect, and the log says so",
            Consequence.NONE),
    WORKERS(
            "workers",
            NUMBER,
            "threads",
            derived(
                    "max(240, 8 * cores); 10000 with `virtual-threads`",
                    earlier -> Integer.toString(virtual(earlier) ? 10_000 : Math.max(240, 8 * cores()))),
            "most threads that run filters and servlets; they are started when requests wait",
            Consequence.NONE),
    REACTORS(
            "reactors",
            NUMBER,
            "threads",
            measured("max(1, cores / 4)", () -> Math.max(1, cores() / 4)),
            "selector threads, which move bytes between sockets and pipes",
            Consequence.NONE),
    QUEUE(
            "queue",
            NUMBER,
            "requests",
            derived("as many as `max-connections`", earlier -> Integer.toString(earlier.number(MAX_CONNECTIONS))),
            "requests that may wait for a worker. The same number of streaming requests may wait in addition, and the same "
                    + "number of requests that wait because of `max-spooling`. `overload-after` and `queue-age` limit the waiting time",
            refusal(503, Counter.QUEUE_FULL)),
    QUEUE_AGE(
            "queue-age",
            DURATION,
            "time",
            fixed("10s"),
            "longest time that a request waits for a worker",
            refusal(503, Counter.QUEUE_AGED)),
    OVERLOAD_AFTER(
            "overload-after",
            DURATION,
            "time",
            fixed("2s"),
            "time for which requests of a servlet or path may wait without a break. After that, and until none of them waits, fewer "
                    + "may wait: as many as workers take in 400 ms, or 20 for each of the workers that they have (or of 32) if that is "
                    + "more. Other servlets and paths are not affected. 0s: only `queue` and `queue-age` limit the queue",
            refusal(503, Counter.OVERLOADED)),
    HALF_CLOSE(
            "half-close",
            TEXT,
            "",
            fixed("off"),
            "what happens if a client closes its sending direction while its request waits for a worker. `off`: the client counts as "
                    + "gone. If no worker takes the request within a quarter of a second, the request is dropped, and the connection "
                    + "is closed. `on`: the request stays in the queue, for clients that close only this direction (half-close) and "
                    + "then read. A request that a worker has taken is always answered",
            effect("with `off`: the request is dropped", Counter.CLIENTS_GONE)),
    BULKHEAD_QUEUE(
            "bulkhead-queue",
            NUMBER,
            "requests",
            fixed("100"),
            "requests that may wait for the workers of one bulkhead (`/path:max-workers`), in addition to those of `queue`. "
                    + "`/path:max-queued` overrides it",
            refusal(503, Counter.BULKHEAD_FULL)),
    MAX_STREAMING(
            "max-streaming",
            NUMBER,
            "threads",
            derived(
                    "half of `workers`, at most max(16, 4 * cores)",
                    earlier -> Integer.toString(atMost(earlier, 2, 16, 4))),
            "workers that may serve streaming requests at one time. A request is streaming if a worker gets it before its body "
                    + "has arrived. Further streaming requests wait",
            Consequence.NONE),
    MAX_SPOOLING(
            "max-spooling",
            NUMBER,
            "threads",
            derived(
                    "half of `workers`, at most max(16, 4 * cores)",
                    earlier -> Integer.toString(atMost(earlier, 2, 16, 4))),
            "workers that may run disk-bound servlets at one time. A servlet is disk-bound if at least four of its last 16 "
                    + "responses had to wait for the disk. Further requests for these servlets wait, so that other requests find a worker",
            Consequence.NONE),

    STREAMING_PATHS(
            "streaming-paths",
            TEXT,
            "",
            fixed("none"),
            "URL patterns, separated by commas, of requests that a worker gets before the body has arrived, such as "
                    + "`/upload/*,/live`. Patterns include the context path, and are written as in a URL: `/my%20app/upload/*`",
            Consequence.NONE),
    DATA_SOURCES(
            "data-sources",
            TEXT,
            "",
            fixed("none"),
            "file of the data sources that applications find by `@Resource` and JNDI; the configuration reference lists its "
                    + "keys. Needs the optional part for naming, which `penstock.jar` contains",
            Consequence.NONE),

    LOG_LEVEL(
            "log-level",
            TEXT,
            "",
            fixed("info"),
            "lowest level that the server's log writes: `trace`, `debug`, `info`, `warn`, `error` or `off`. Levels of single "
                    + "loggers may follow, separated by commas: `info, io.penstock.deploy=debug`. Only for `penstock.jar`; an embedded "
                    + "server logs as its program does",
            Consequence.NONE),
    LOG_FORMAT(
            "log-format",
            TEXT,
            "",
            fixed("text"),
            "format of the server's log: `text`, a line for each record and the stack trace on lines after it, or `json`, "
                    + "one line for each record. Only for `penstock.jar`",
            Consequence.NONE),
    ACCESS_LOG(
            "access-log",
            TEXT,
            "",
            fixed("none"),
            "file that gets a line for each request, also for a refused request. `-` is the standard output. `none`: there is no "
                    + "access log",
            Consequence.NONE),
    ACCESS_LOG_FORMAT(
            "access-log-format",
            TEXT,
            "",
            fixed("combined"),
            "format of the access log: `common`, `combined`, `json`, or names of fields separated by blanks, such as `date "
                    + "time c-ip cs-method cs-uri-stem sc-status x-total-ms`; `docs/operations.md` lists them",
            Consequence.NONE),
    ACCESS_LOG_RING(
            "access-log-ring",
            NUMBER,
            "requests",
            fixed("8192"),
            "lines that may wait to be written to the access log. No response waits for its line",
            effect("answered, but missing in the access log", Counter.ACCESS_LOG_DROPPED)),
    ACCESS_LOG_ROTATE_SIZE(
            "access-log-rotate-size",
            BYTES,
            "bytes",
            fixed("0"),
            "size at which the file of the access log is archived and compressed, and a new file begins; 0 for no limit",
            Consequence.NONE),
    ACCESS_LOG_ROTATE(
            "access-log-rotate",
            TEXT,
            "",
            fixed("never"),
            "when the file of the access log is archived, independent of its size: `daily`, with the first request of a new day, "
                    + "or `never`",
            Consequence.NONE),
    ACCESS_LOG_KEEP(
            "access-log-keep",
            NUMBER,
            "files",
            fixed("30"),
            "archived files of the access log that are kept. Beyond it the oldest file is deleted. 0 keeps all",
            Consequence.NONE),
    SERVER_TIMING(
            "server-timing",
            TEXT,
            "",
            fixed("off"),
            "`on` adds a field `Server-Timing` to responses, with the times of head, body, queue and service. The time of "
                    + "service ends when the server makes the head of the response",
            Consequence.NONE),
    FLIGHT(
            "flight",
            TEXT,
            "",
            fixed("on"),
            "`on`: a running recording of Java Flight Recorder gets events for requests, refusals, time limits, writes of bodies "
                    + "to disk, waits of the application for a client, and late selector threads. Without a recording there are no events",
            Consequence.NONE),

    PIPE_CAPACITY(
            "pipe-capacity",
            BYTES,
            "bytes",
            fixed("4M"),
            "memory that the body of one request, or one response, may use; the rest goes to disk. If the pipes use much of "
                    + "`pipe-budget`, this limit is lower, down to four segments",
            Consequence.NONE),
    PIPE_SEGMENT(
            "pipe-segment",
            BYTES,
            "bytes",
            fixed("16K"),
            "size of the buffers of which pipes consist",
            Consequence.NONE),
    PIPE_BUDGET(
            "pipe-budget",
            BYTES,
            "bytes",
            measured(
                    "max(16M, a quarter of the heap), but at most half of what the JVM allows outside the heap",
                    () -> Math.min(Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4), DirectMemory.most() / 2)),
            "memory that all pipes of the server may use together",
            refusal(503, Counter.PIPE_BUDGET_EXCEEDED)),

    TLS_THREADS(
            "tls-threads",
            NUMBER,
            "threads",
            measured("max(2, cores / 2)", () -> Math.max(2, cores() / 2)),
            "threads for the long computations of TLS handshakes, such as signatures",
            Consequence.NONE),
    TLS_TASKS(
            "tls-tasks",
            NUMBER,
            "handshakes",
            fixed("512"),
            "TLS handshakes that may wait for the `tls-threads` or use them at one time",
            effect("closed", Counter.TLS_TASKS_REFUSED)),
    TLS_BUDGET(
            "tls-budget",
            BYTES,
            "bytes",
            measured(
                    "max(8M, an eighth of the heap)",
                    () -> Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8)),
            "memory for all TLS records that are incomplete, not read yet, or not sent yet. Beyond it data is sent in small "
                    + "records",
            effect("reading pauses", Counter.TLS_BUDGET_EXCEEDED)),

    SPOOL_DIR(
            "spool-dir",
            TEXT,
            "",
            fixed("temporary"),
            "existing directory for bodies and responses that are too large for memory; `temporary` is the system's "
                    + "temporary directory",
            Consequence.NONE),
    SPOOL_LIMIT(
            "spool-limit",
            BYTES,
            "bytes",
            fixed("8G"),
            "bytes that all bodies and responses may use on disk together; a request with a larger declared length is "
                    + "answered 413",
            refusal(503, Counter.SPOOL_FULL)),
    RESPONSE_SPOOL_LIMIT(
            "response-spool-limit",
            BYTES,
            "bytes",
            fixed("64M"),
            "bytes that one response may use on disk while its client reads too slowly. Beyond it the worker waits for the "
                    + "client, and counts in `max-streaming`",
            effect("the worker waits", Counter.RESPONSE_SPOOL_EXCEEDED)),
    SPOOL_THREADS(
            "spool-threads",
            NUMBER,
            "threads",
            measured("max(2, cores / 2)", () -> Math.max(2, cores() / 2)),
            "threads that write bodies and responses to disk",
            Consequence.NONE),
    SPOOL_QUEUE(
            "spool-queue",
            NUMBER,
            "writes",
            fixed("256"),
            "writes to disk that may wait or run at one time",
            effect("reading pauses", Counter.SPOOL_BUSY)),

    REQUEST_LINE_LIMIT(
            "request-line-limit",
            BYTES,
            "bytes",
            fixed("8K"),
            "length of the request line, without its CRLF",
            refusal(414, Counter.REQUEST_LINE_TOO_LONG)),
    HEADER_BYTES_LIMIT(
            "header-bytes-limit",
            BYTES,
            "bytes",
            fixed("32K"),
            "bytes of all header lines of one head together",
            refusal(431, Counter.HEADERS_TOO_LARGE)),
    HEADER_COUNT_LIMIT(
            "header-count-limit",
            NUMBER,
            "fields",
            fixed("100"),
            "header fields of one head",
            refusal(431, Counter.TOO_MANY_HEADERS)),
    HEAD_BUDGET(
            "head-budget",
            BYTES,
            "bytes",
            measured(
                    "max(8M, a quarter of the heap)",
                    () -> Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 4)),
            "memory for the heads of all requests, with everything that the server makes of them, from the first bytes of a request to its "
                    + "end; trailer fields are included. A usual request takes 1K to 4K. A request that takes more than 4K may use only a fifth "
                    + "of the budget, together with all others of this kind. The same applies to trailer fields, and to a client that sends "
                    + "further requests while two of its requests have no response",
            refusal(503, Counter.HEAD_BUDGET_EXCEEDED)),
    CHUNK_EXTENSION_LIMIT(
            "chunk-extension-limit",
            BYTES,
            "bytes",
            fixed("1K"),
            "bytes of the extensions of one chunk",
            refusal(400, Counter.CHUNK_EXTENSION_TOO_LONG)),
    TRAILER_BYTES_LIMIT(
            "trailer-bytes-limit",
            BYTES,
            "bytes",
            fixed("8K"),
            "bytes of all trailer lines of one body together",
            refusal(431, Counter.TRAILERS_TOO_LARGE)),
    BODY_LIMIT("body-limit", BYTES, "bytes", fixed("2G"), "largest request body", refusal(413, Counter.BODY_TOO_LARGE)),

    MAX_COOKIES(
            "max-cookies",
            NUMBER,
            "cookies",
            fixed("200"),
            "cookies of one request",
            answer(431, Counter.TOO_MANY_COOKIES)),
    MAX_SESSION_COOKIES(
            "max-session-cookies",
            NUMBER,
            "cookies",
            fixed("4"),
            "cookies of one request with the name of the session cookie whose sessions are looked up, one after the other, until one is "
                    + "valid. Browsers send several if applications or hosts with a common parent set cookies with the same name",
            effect("the others are ignored", Counter.SESSION_COOKIES_IGNORED)),
    MAX_PARAMETERS(
            "max-parameters",
            NUMBER,
            "parameters",
            fixed("1000"),
            "parameters of one request, in query and form together",
            answer(400, Counter.TOO_MANY_PARAMETERS)),
    FORM_LIMIT(
            "form-limit",
            BYTES,
            "bytes",
            fixed("2M"),
            "largest body that the server reads as form parameters",
            answer(413, Counter.FORM_TOO_LARGE)),
    MAX_PARTS(
            "max-parts",
            NUMBER,
            "parts",
            fixed("1000"),
            "parts of one multipart body",
            answer(413, Counter.TOO_MANY_PARTS)),
    PART_HEADER_LIMIT(
            "part-header-limit",
            BYTES,
            "bytes",
            fixed("8K"),
            "bytes of the header lines of one part",
            answer(413, Counter.PART_HEADER_TOO_LARGE)),
    MULTIPART_HEADER_LIMIT(
            "multipart-header-limit",
            BYTES,
            "bytes",
            fixed("512K"),
            "bytes of the header lines of all parts of one multipart body together",
            answer(413, Counter.MULTIPART_HEADERS_TOO_LARGE)),
    PARSED_BUDGET(
            "parsed-budget",
            BYTES,
            "bytes",
            measured(
                    "max(12M, an eighth of the heap)",
                    () -> Math.max(12L << 20, Runtime.getRuntime().maxMemory() / 8)),
            "memory for all that applications have read from requests as parameters, parts of forms and cookies, and for the "
                    + "buffers of `getReader`, until the end of each request or upgraded connection. A form can need five times its size while it is read. "
                    + "If you raise `form-limit`, raise this limit, too",
            answer(503, Counter.PARSED_BUDGET_EXCEEDED)),

    REALM_FILE(
            "realm-file",
            TEXT,
            "",
            fixed("none"),
            "file with users, hashes of their passwords, and roles, for the logins of all applications; `none` for no file",
            Consequence.NONE),
    REALM_DATA_SOURCE(
            "realm-data-source",
            TEXT,
            "",
            fixed("none"),
            "name of one of the `data-sources`. Its database has the users, instead of the `realm-file`. Only for `penstock.jar`",
            Consequence.NONE),
    REALM_PASSWORD_QUERY(
            "realm-password-query",
            TEXT,
            "",
            fixed("select password from users where name = ?"),
            "SQL query in the `realm-data-source` for the hash of a user's password, as `--hash-password` makes it",
            Consequence.NONE),
    REALM_ROLES_QUERY(
            "realm-roles-query",
            TEXT,
            "",
            fixed("select role from user_roles where name = ?"),
            "SQL query in the `realm-data-source` for the roles of a user, one in each row",
            Consequence.NONE),
    LOGIN_FAILURES_USER(
            "login-failures-user",
            NUMBER,
            "failures",
            fixed("10"),
            "failed logins with one user name after which this name is locked out for `login-lockout`. After a time of "
                    + "`login-lockout` without a failure the count begins again. An address from which the user has logged in before has a "
                    + "count of its own for this user. So attackers at other addresses cannot lock the user out there. 0 for no limit",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_FAILURES_ADDRESS(
            "login-failures-address",
            NUMBER,
            "failures",
            fixed("100"),
            "failed logins from one client address (for IPv6 its first 64 bits), with any user names, after which the address is "
                    + "locked out. 0 for no limit",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_LOCKOUT(
            "login-lockout",
            DURATION,
            "time",
            fixed("5m"),
            "time for which a user or an address cannot log in after too many failures",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_FAILURES_KEPT(
            "login-failures-kept",
            NUMBER,
            "entries",
            fixed("10000"),
            "user names, and addresses, whose failed logins are counted at one time. Beyond it the name or address whose last "
                    + "failure is the oldest is forgotten",
            effect("the oldest is forgotten", Counter.LOGIN_FAILURES_FORGOTTEN)),
    PASSWORD_CHECKS(
            "password-checks",
            NUMBER,
            "checks",
            measured("max(1, cores / 2)", () -> Math.max(1, cores() / 2)),
            "passwords that the realm checks at one time. Logins from one client address (for IPv6 its first 64 bits) may use "
                    + "half of these checks, rounded down, but at least one. A further login is refused at once, so no worker waits. A "
                    + "password that was right before needs no check. Raise the limit if the realm waits for another server, or if all "
                    + "clients have the address of a proxy",
            answer(503, Counter.PASSWORD_CHECKS_REFUSED)),
    FORM_LOGIN_TIMEOUT(
            "form-login-timeout",
            DURATION,
            "time",
            fixed("5m"),
            "time after which a session that was created for a login form ends, if no user has logged in",
            effect("the session ends", null)),
    SAVED_REQUEST_LIMIT(
            "saved-request-limit",
            BYTES,
            "bytes",
            fixed("64K"),
            "largest body of a request that the server keeps while the user fills in a login form",
            answer(413, Counter.SAVED_REQUEST_TOO_LARGE)),
    SAVED_REQUESTS_BUDGET(
            "saved-requests-budget",
            BYTES,
            "bytes",
            fixed("16M"),
            "memory for all requests of one application that wait for a login form. Beyond it the oldest is dropped, and its "
                    + "user is redirected to the application's root. One client address (for IPv6 its first 64 bits) may have a quarter of "
                    + "it, but at least one request",
            effect("the oldest is forgotten", Counter.SAVED_REQUESTS_DROPPED)),
    DIGEST_NONCE_TIMEOUT(
            "digest-nonce-timeout",
            DURATION,
            "time",
            fixed("5m"),
            "time for which a client may use a nonce of Digest; then the client gets another",
            effect("401 with `stale`", Counter.DIGEST_NONCES_STALE)),
    DIGEST_NONCES(
            "digest-nonces",
            NUMBER,
            "nonces",
            fixed("10000"),
            "nonces of one application that the server remembers with the number of their uses, so that no request can be "
                    + "replayed. Nonces older than a forgotten nonce are stale",
            effect("401 with `stale`", Counter.DIGEST_NONCES_FORGOTTEN)),
    DIGEST_SECRET(
            "digest-secret",
            SECRET,
            "",
            fixed("none"),
            "secret of at least 32 characters that several servers share, so that each accepts the nonces of the others. Set "
                    + "it in the environment or in the file. `none`: the server accepts only its own nonces",
            Consequence.NONE),

    FILE_CACHE(
            "file-cache",
            BYTES,
            "bytes",
            fixed("16M"),
            "memory for all small files (up to 16K each) that are cached; 0 caches none",
            effect("the cache is cleared", Counter.FILE_CACHE_CLEARED)),

    COMPRESSION(
            "compression",
            TEXT,
            "",
            fixed("off"),
            "which responses are compressed for clients that accept it. `off`: none. `precompressed`: files with a "
                    + "compressed sibling, such as `app.js.br`, `app.js.zst` or `app.js.gz` beside `app.js`. `on`: these and, by gzip, "
                    + "all other responses. An application may have its own setting",
            Consequence.NONE),
    COMPRESSION_MIN_SIZE(
            "compression-min-size",
            BYTES,
            "bytes",
            fixed("1K"),
            "size of the smallest response of known length that is compressed",
            Consequence.NONE),
    COMPRESSION_TYPES(
            "compression-types",
            TEXT,
            "",
            fixed(
                    "text/*, application/json, application/*+json, application/xml, application/*+xml, application/javascript, "
                            + "application/yaml, application/wasm, image/svg+xml, image/bmp, image/x-icon, font/ttf, font/otf, "
                            + "application/vnd.ms-fontobject"),
            "media types that are compressed, separated by commas. `*` stands for any type, or for any characters of the "
                    + "subtype before a suffix",
            Consequence.NONE),
    COMPRESSION_EXCLUDED_AGENTS(
            "compression-excluded-agents",
            TEXT,
            "",
            fixed("none"),
            "parts of the `User-Agent` of clients that get uncompressed responses, separated by commas",
            Consequence.NONE),
    COMPRESSORS(
            "compressors",
            NUMBER,
            "responses",
            derived(
                    "as many as `workers`, at most max(32, 8 * cores)",
                    earlier -> Integer.toString(atMost(earlier, 1, 32, 8))),
            "responses that are compressed at one time. Each uses 256 KB outside of the heap until its end",
            effect("sent as it is", Counter.COMPRESSORS_BUSY)),

    MAX_SESSIONS(
            "max-sessions",
            NUMBER,
            "sessions",
            fixed("100000"),
            "sessions that one application may have, in use or not",
            answer(503, Counter.SESSIONS_REFUSED)),
    MAX_LOGIN_SESSIONS(
            "max-login-sessions",
            NUMBER,
            "sessions",
            fixed("10000"),
            "sessions of one application that the server has made only to show a login form. They are not part of `max-sessions` until "
                    + "the user logs in, or the application uses the session. Beyond it the oldest ends. One client address (for IPv6 its "
                    + "first 64 bits) may have a quarter of them; beyond that its own oldest ends. A user whose session has ended can "
                    + "still log in, and is redirected to the application's root",
            effect("the oldest ends", Counter.LOGIN_SESSIONS_DROPPED)),
    SESSION_TIMEOUT(
            "session-timeout",
            DURATION,
            "time",
            fixed("30m"),
            "time without requests after which a session expires, in whole minutes; 0s for never. An application may have its own value",
            effect("the session ends", null)),
    SESSION_COOKIE_NAME(
            "session-cookie-name",
            TEXT,
            "",
            fixed("JSESSIONID"),
            "name of the session cookie. An application may have its own value",
            Consequence.NONE),
    SESSION_COOKIE_PATH(
            "session-cookie-path",
            TEXT,
            "",
            fixed("context"),
            "path of the session cookie, as in a URL. `context`: the context path of the application. If several applications have "
                    + "the same path, give each its own `session-cookie-name`; otherwise their cookies replace each other. An "
                    + "application may have its own value",
            Consequence.NONE),
    SESSION_COOKIE_SAME_SITE(
            "session-cookie-same-site",
            TEXT,
            "",
            fixed("unset"),
            "attribute `SameSite` of the session cookie: `lax`, `strict` or `none`. Browsers accept `none` only over HTTPS. `unset`: the "
                    + "cookie has no such attribute. An application may have its own value",
            Consequence.NONE),
    SESSION_DIR(
            "session-dir",
            TEXT,
            "",
            fixed("none"),
            "existing directory in which sessions survive the end of the server; `none` keeps sessions in memory only",
            Consequence.NONE),
    SESSION_STORE(
            "session-store",
            SECRET,
            "",
            fixed("none"),
            "address of a session store that several servers share. The text before the first colon names the kind of store, "
                    + "such as `redis` or `jdbc`; the documentation of the store explains the rest. Needs an optional part. `none`: "
                    + "sessions are in memory or in `session-dir`",
            Consequence.NONE),
    SESSION_FORMAT(
            "session-format",
            TEXT,
            "",
            fixed("java"),
            "format of session attributes in `session-dir` or a session store. `java` is Java's serialization; optional "
                    + "parts bring other formats, such as `json`. Attributes in another format are hidden from the application until "
                    + "it sets them again",
            Consequence.NONE),
    SESSION_STORE_THREADS(
            "session-store-threads",
            NUMBER,
            "threads",
            derived(
                    "half of `workers`, at most max(16, 4 * cores)",
                    earlier -> Integer.toString(atMost(earlier, 2, 16, 4))),
            "threads that may load and save sessions in a session store at one time. Further requests with a session wait while "
                    + "the store answers. While it does not answer, they are refused at once",
            answer(503, Counter.SESSION_STORE_REFUSED)),
    SESSION_STORE_WAIT(
            "session-store-wait",
            DURATION,
            "time",
            fixed("250ms"),
            "time for which requests wait for one of the `session-store-threads` while the store answers no call. If the store "
                    + "answers slowly, a request waits for at most eight times as long. Each waiting request occupies a worker",
            answer(503, Counter.SESSION_STORE_REFUSED)),
    SESSIONS_IN_MEMORY(
            "sessions-in-memory",
            NUMBER,
            "sessions",
            fixed("10000"),
            "stored sessions of one application that also stay in memory between requests, if there is a `session-dir` or a "
                    + "session store",
            effect("read again from disk or store", Counter.SESSIONS_PASSIVATED)),
    SESSION_ROUTE(
            "session-route",
            TEXT,
            "",
            fixed("off"),
            "`on`: session ids end with a dot and `node-name`, so that a load balancer can send each client to its node. "
                    + "Every node accepts the ids of all nodes",
            Consequence.NONE),
    REQUEST_ENCODING(
            "request-encoding",
            TEXT,
            "",
            fixed("UTF-8", "none"),
            "charset of forms and of text in request bodies, if neither the application nor the client names one. `none`: "
                    + "ISO-8859-1, as the specification says",
            Consequence.NONE),
    RESPONSE_ENCODING(
            "response-encoding",
            TEXT,
            "",
            fixed("UTF-8", "none"),
            "charset of text that servlets write, if the application names none; not for files. `none`: ISO-8859-1, as the "
                    + "specification says",
            Consequence.NONE),
    FILE_ENCODING(
            "file-encoding",
            TEXT,
            "",
            fixed("none"),
            "charset in the content type of all text files, including HTML. `none`: HTML files declare their own charset "
                    + "(`<meta charset>`), and other text files are UTF-8",
            Consequence.NONE),
    RESPONSE_RULES(
            "response-rules",
            TEXT,
            "",
            fixed("none"),
            "file of rules that add fields to responses by path: `Cache-Control`, `Content-Security-Policy`, CORS and "
                    + "others; `none` for no file",
            Consequence.NONE),
    REDIRECTS(
            "redirects",
            TEXT,
            "",
            fixed("relative", "absolute"),
            "form of redirects to this server. `relative`: only the path, so that clients behind a proxy with TLS stay with "
                    + "`https:`. `absolute`: scheme, host and port of the request as it arrived",
            Consequence.NONE),
    CROSS_CONTEXT(
            "cross-context",
            TEXT,
            "",
            fixed("allow"),
            "whether applications reach each other by `ServletContext.getContext`: `allow` or `refuse`",
            Consequence.NONE),
    WEBAPPS(
            "webapps",
            TEXT,
            "",
            fixed("none"),
            "folder of applications. The server serves each `.war` file in it, and each folder with a `WEB-INF`, at the "
                    + "path of its name (`ROOT` at `/`). The server watches the folder: it deploys new applications, redeploys "
                    + "replaced ones, and undeploys removed ones. `none` for no folder",
            Consequence.NONE),
    WEBAPPS_INTERVAL(
            "webapps-interval",
            DURATION,
            "time",
            fixed("1s"),
            "time between two scans of `webapps`. A file is complete if two scans find it unchanged. 0s scans only at the "
                    + "start",
            Consequence.NONE),
    UNDEPLOY_TIMEOUT(
            "undeploy-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "time for which a replaced or undeployed application waits for its running requests. Then asynchronous requests "
                    + "get a timeout",
            effect(
                    "the listeners of asynchronous requests are called; 503 if none of them completes the request",
                    Counter.UNDEPLOY_TIMEOUTS)),

    UNPACKED_LIMIT(
            "unpacked-limit",
            BYTES,
            "bytes",
            fixed("2G"),
            "bytes of all files in a WAR together, counted as they are unpacked; 0 for no limit",
            effect("not deployed", Counter.ARCHIVES_TOO_LARGE)),
    MIGRATE_JAVAX(
            "migrate-javax",
            TEXT,
            "",
            fixed("off"),
            "`on`: an optional part converts a WAR for `javax.servlet` when it is deployed. `off`: such a WAR is refused. On the "
                    + "command line `--migrate-javax` means `on`",
            Consequence.NONE),
    MIGRATED_DIR(
            "migrated-dir",
            TEXT,
            "",
            fixed("private"),
            "folder for converted WARs. Each has the hash of its original in its file name. Only the user of the "
                    + "server may write to the folder. Its files can be deleted at any time. `private` is `.penstock/migrated` in "
                    + "the user's home",
            Consequence.NONE),
    EXCLUDE_INITIALIZERS(
            "exclude-initializers",
            TEXT,
            "",
            fixed("none"),
            "classes of initializers (`ServletContainerInitializer`) that do not run in any application: names separated by "
                    + "commas or white space, with `*` for any characters. An application may exclude more",
            Consequence.NONE),
    EXCLUDE_SCAN(
            "exclude-scan",
            TEXT,
            "",
            fixed("none"),
            "file names of libraries in `WEB-INF/lib` whose classes are not read: their annotations have no effect, and "
                    + "initializers do not get these classes. Written like `exclude-initializers`",
            Consequence.NONE),

    PROXY_HEADER_TIMEOUT(
            "proxy-header-timeout",
            DURATION,
            "time",
            fixed("5s"),
            "time from the accept to the end of the PROXY header; then `handshake-timeout` or `head-timeout` begins",
            effect("closed", Counter.PROXY_HEADER_TIMEOUTS)),
    HANDSHAKE_TIMEOUT(
            "handshake-timeout",
            DURATION,
            "time",
            fixed("10s"),
            "time from the accept, or from the end of the PROXY header, to the end of the TLS handshake; then `head-timeout` "
                    + "begins for the first request. Also the time in which an HTTP/2 client must acknowledge the server's SETTINGS",
            effect("closed", Counter.HANDSHAKE_TIMEOUTS)),
    HEAD_TIMEOUT(
            "head-timeout",
            DURATION,
            "time",
            fixed("20s"),
            "time from the first byte of a request head to its end. For the first request of a connection it begins with the "
                    + "accept, or with the end of the PROXY header or of the TLS handshake",
            refusal(408, Counter.HEAD_TIMEOUTS)),
    BODY_STALL_TIMEOUT(
            "body-stall-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "longest time between two arrivals of body bytes while the server waits for them",
            refusal(408, Counter.BODY_STALLS)),
    BODY_TOTAL_TIMEOUT(
            "body-total-timeout",
            DURATION,
            "time",
            fixed("1h"),
            "longest time that the server waits for the bytes of one body, all waits together",
            refusal(408, Counter.BODY_TOTAL_TIMEOUTS)),
    BODY_MIN_RATE(
            "body-min-rate",
            BYTES,
            "bytes per second",
            fixed("1"),
            "fewest bytes a second that must arrive while the server waits for a body. The server adds up its "
                    + "waits for the body, and checks the rate each time the sum has grown by `body-stall-timeout`. 0 for no minimum",
            refusal(408, Counter.SLOW_BODIES)),
    KEEP_ALIVE_TIMEOUT(
            "keep-alive-timeout",
            DURATION,
            "time",
            fixed("1m"),
            "longest time that a connection is idle between two requests",
            effect("closed", Counter.KEEP_ALIVE_TIMEOUTS)),
    WRITE_STALL_TIMEOUT(
            "write-stall-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "longest time in which a client takes no byte of a response",
            effect("closed", Counter.WRITE_STALLS)),
    SERVICE_TIMEOUT(
            "service-timeout",
            DURATION,
            "time",
            fixed("0s"),
            "time after which the server interrupts a call of filters and servlet. If the call still runs after twice this "
                    + "time, the server closes the connection. If the response has not begun, the server answers 503 first. 0s for no limit",
            refusal(503, "503, or closed if the response has begun", Counter.SERVICE_TIMEOUTS)),
    ASYNC_TIMEOUT(
            "async-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "longest time that an asynchronous request takes, if the application sets no timeout; 0s for no limit",
            effect(
                    "the listeners of the request are called; 500 if none of them completes the request",
                    Counter.ASYNC_TIMEOUTS)),
    UPGRADE_IDLE_TIMEOUT(
            "upgrade-idle-timeout",
            DURATION,
            "time",
            fixed("5m"),
            "time without any bytes in either direction after which an upgraded connection, such as a WebSocket, is closed. The "
                    + "close may come later, after at most twice that time. 0s for no limit",
            effect("closed", Counter.UPGRADE_IDLE_TIMEOUTS)),
    LINGER_TIMEOUT(
            "linger-timeout",
            DURATION,
            "time",
            fixed("5s"),
            "time for which the server still reads from a client after the last response, and ignores the bytes, so that the "
                    + "client can read the response",
            effect("closed", Counter.LINGER_TIMEOUTS)),
    SHUTDOWN_DELAY(
            "shutdown-delay",
            DURATION,
            "time",
            fixed("0s"),
            "time for which a stopping server serves as before, but reports that it is not ready, so that a load balancer can "
                    + "turn to other servers. Then the server closes the port. After that, each idle connection may send one "
                    + "more request, for another `shutdown-delay` (at most half of `shutdown-timeout`)",
            Consequence.NONE),
    SHUTDOWN_TIMEOUT(
            "shutdown-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "longest time that a stopping server waits for requests that run or are arriving. Then requests without a response "
                    + "are answered 503",
            refusal(503, Counter.SHUTDOWN_TIMEOUTS));

    /** The environment variable of each key begins with this text. */
    static final String VARIABLE_PREFIX = "PENSTOCK_";

    private final String id;
    private final ValueType type;
    private final String unit;
    private final Default byDefault;
    private final String meaning;
    private final Consequence consequence;

    Key(String id, ValueType type, String unit, Default byDefault, String meaning, Consequence consequence) {
        this.id = id;
        this.type = type;
        this.unit = unit;
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

    public ValueType type() {
        return type;
    }

    /** The unit of the value; empty if the value has none. */
    public String unit() {
        return unit;
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
        return !unit.isEmpty();
    }

    /** The consequence of reaching the limit. */
    public Consequence consequence() {
        return consequence;
    }

    /** The key with this name in a configuration file. */
    public static Optional<Key> named(String id) {
        for (Key key : values()) {
            if (key.id.equals(id)) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
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

    static @Nullable Key ofVariable(String variable) {
        for (Key key : values()) {
            if (key.variable().equals(variable)) {
                return key;
            }
        }
        return null;
    }

    String defaultText(Default.Earlier earlier) {
        return byDefault.text().given(earlier);
    }

    /** The default of {@code penstock.jar} if it differs from the default of an embedded server; otherwise null. */
    @Nullable
    String defaultOfJar() {
        return byDefault.ofJar();
    }

    /** Whether the workers are virtual threads. Versions of Java before 21 have none. */
    private static boolean virtual(Default.Earlier earlier) {
        return Runtime.version().feature() >= 21
                && earlier.value(VIRTUAL_THREADS).toString().equalsIgnoreCase(Switch.ON.name());
    }

    /** A part of the workers, but not more than {@code least}, or {@code forEachCore} for each core if that is more. */
    private static int atMost(Default.Earlier earlier, int part, int least, int forEachCore) {
        return Math.max(1, Math.min(earlier.number(WORKERS) / part, Math.max(least, forEachCore * cores())));
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
