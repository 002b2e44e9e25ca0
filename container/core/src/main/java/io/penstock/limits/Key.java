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

import java.util.Locale;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Every configuration key: the only table for code, command line, error messages and documentation. A limit gets its name, its default, its
 * status and its counter only here.
 */
public enum Key {
    HOST(
            "host",
            TEXT,
            "",
            fixed("0.0.0.0"),
            "name or address to listen on, if there is one listener",
            Consequence.NONE),
    PORT(
            "port",
            NUMBER,
            "",
            fixed("8080"),
            "TCP port to listen on, if there is one listener; 0 takes a free one",
            Consequence.NONE),
    LISTEN(
            "listen",
            TEXT,
            "",
            fixed("none"),
            "listeners in place of `host` and `port`, separated by commas, or each as an option of its own: `http://127.0.0.1:8080`, "
                    + "`https://:8443` (every address), `unix:/run/penstock/http.sock?mode=660`, `inherited:` (the listening socket that is the "
                    + "standard input). `none` listens at `host` and `port`",
            Consequence.NONE),
    BACKLOG(
            "backlog",
            NUMBER,
            "connections",
            fixed("4096"),
            "connections that the kernel holds until they are accepted",
            Consequence.NONE),
    SEND_BUFFER(
            "send-buffer",
            BYTES,
            "bytes",
            fixed("0"),
            "send buffer of an accepted socket (SO_SNDBUF); 0 leaves it to the kernel",
            Consequence.NONE),
    RECEIVE_BUFFER(
            "receive-buffer",
            BYTES,
            "bytes",
            fixed("0"),
            "receive buffer of an accepted socket (SO_RCVBUF); 0 leaves it to the kernel",
            Consequence.NONE),
    MAX_CONNECTIONS(
            "max-connections",
            NUMBER,
            "connections",
            fixed("20000"),
            "connections open at one time; `max-connections-policy` says what happens to one more",
            refusal(503, Counter.CONNECTIONS_REFUSED)),
    MAX_CONNECTIONS_POLICY(
            "max-connections-policy",
            TEXT,
            "",
            fixed("refuse"),
            "what happens to a connection beyond `max-connections`: `refuse` answers it 503 and closes it; `wait` leaves it "
                    + "in the kernel's backlog until another has closed; `replace` closes a connection that only waits for its "
                    + "client, and refuses the new one if there is none",
            effect("with `wait`: accepting pauses", Counter.ACCEPT_PAUSES)),

    MAX_CONNECTIONS_ADDRESS(
            "max-connections-address",
            NUMBER,
            "connections",
            fixed("0"),
            "connections of one client address (for IPv6 its first 64 bits) open at one time; one more is answered and closed. Those of "
                    + "`trusted-proxies` are not counted; 0 for no limit",
            refusal(429, Counter.CONNECTIONS_OF_ADDRESS_REFUSED)),
    TRUSTED_PROXIES(
            "trusted-proxies",
            TEXT,
            "",
            fixed("none"),
            "addresses and networks of proxies, separated by commas, such as `127.0.0.1, 10.0.0.0/8, "
                    + "2001:db8::/32`; `unix` is each client of a Unix domain socket. The server believes their fields "
                    + "about a client: its address, and the scheme, host and port that it used. `none` believes no field",
            Consequence.NONE),
    FORWARDED_FIELDS(
            "forwarded-fields",
            TEXT,
            "",
            fixed("x-forwarded"),
            "the fields of `trusted-proxies` that the server believes: `x-forwarded` (`X-Forwarded-For`, "
                    + "`-Proto`, `-Host`, `-Port`) or `forwarded` (RFC 7239). It ignores the others",
            Consequence.NONE),
    PROXY_PROTOCOL(
            "proxy-protocol",
            TEXT,
            "",
            fixed("off"),
            "`on` expects a PROXY header, version 1 or 2, before anything else on each connection to `port` and `redirect-port`, and accepts "
                    + "connections from `trusted-proxies` only. The addresses in it count as those of the connection. A listener of `listen` may "
                    + "have its own value",
            effect("no proper header: closed", Counter.PROXY_HEADERS_REFUSED)),
    ALLOWED_ADDRESSES(
            "allowed-addresses",
            TEXT,
            "",
            fixed("all"),
            "addresses and networks of the clients that may send requests, separated by commas. Behind one of "
                    + "`trusted-proxies` the client's own address counts; a client whose address the proxy does not tell "
                    + "is refused. `all` for all clients",
            refusal(403, Counter.ADDRESSES_DENIED)),
    DENIED_ADDRESSES(
            "denied-addresses",
            TEXT,
            "",
            fixed("none"),
            "the same for the clients that may not, even if they are among `allowed-addresses`",
            refusal(403, Counter.ADDRESSES_DENIED)),
    REQUEST_RATE(
            "request-rate",
            NUMBER,
            "requests",
            fixed("0"),
            "that one client address (for IPv6 its first 64 bits) may send a second. A refusal says in "
                    + "`Retry-After` how long to wait; 0 for no limit",
            refusal(429, Counter.REQUESTS_TOO_MANY)),
    REQUEST_BURST(
            "request-burst",
            NUMBER,
            "requests",
            fixed("100"),
            "that an address may send at one time before `request-rate` counts, such as a page with its scripts "
                    + "and pictures",
            Consequence.NONE),
    REQUEST_RATE_KEPT(
            "request-rate-kept",
            NUMBER,
            "entries",
            fixed("10000"),
            "addresses whose requests are remembered at one time; the one whose last request is the oldest is forgotten first",
            effect("the oldest is forgotten", Counter.REQUEST_RATES_FORGOTTEN)),
    UNKNOWN_HOST(
            "unknown-host",
            TEXT,
            "",
            fixed("default"),
            "what happens to a request for a host that no context has. `default`: the contexts without a host "
                    + "serve it. `refuse`: it is answered 421. A request of HTTP/1.0 that names no host is for the default "
                    + "host",
            refusal(421, Counter.HOSTS_UNKNOWN)),

    TLS_CERT(
            "tls-cert",
            TEXT,
            "",
            fixed("none"),
            "PEM file with certificate and chain, for HTTPS; several are separated by commas; `program` is what the builder's `tls` has",
            Consequence.NONE),
    TLS_KEY(
            "tls-key",
            TEXT,
            "",
            fixed("none"),
            "PEM file with the private key of `tls-cert`: RSA, EC or Ed25519, encrypted or not; of several certificates as many files, in the "
                    + "same order. `none` reads each key from the file of its certificate",
            Consequence.NONE),
    TLS_KEYSTORE(
            "tls-keystore",
            TEXT,
            "",
            fixed("none"),
            "PKCS#12 or JKS file with certificates and keys, in place of `tls-cert` and `tls-key`. The alias "
                    + "that sorts first is the default certificate. `none` for none",
            Consequence.NONE),
    TLS_KEY_PASSWORD(
            "tls-key-password",
            SECRET,
            "",
            fixed("none"),
            "password of encrypted private keys, or of the key store. Set it in the environment, or use `tls-key-password-file`: others on "
                    + "the machine can read the command line",
            Consequence.NONE),
    TLS_KEY_PASSWORD_FILE(
            "tls-key-password-file",
            TEXT,
            "",
            fixed("none"),
            "file whose first line is that password, in UTF-8",
            Consequence.NONE),
    TLS_SELF_SIGNED(
            "tls-self-signed",
            TEXT,
            "",
            fixed("off"),
            "`on` makes a certificate for `localhost`, 127.0.0.1 and ::1 at each start, for programs on this machine. It is never stored. On "
                    + "the command line `--tls-self-signed` means `on`",
            Consequence.NONE),
    TLS_CLIENT_AUTH(
            "tls-client-auth",
            TEXT,
            "",
            fixed("none"),
            "whether clients are asked for a certificate: `none`, `want`, or `need`, which refuses clients without one",
            Consequence.NONE),
    TLS_TRUST(
            "tls-trust",
            TEXT,
            "",
            fixed("none"),
            "PEM, PKCS#12 or JKS file with the authorities of clients' certificates, which `tls-client-auth` requires; no other authority is "
                    + "trusted",
            Consequence.NONE),
    TLS_TRUST_PASSWORD(
            "tls-trust-password",
            SECRET,
            "",
            fixed("none"),
            "password of that file, if it is a key store with one",
            Consequence.NONE),
    TLS_PROTOCOLS(
            "tls-protocols",
            TEXT,
            "",
            fixed("TLSv1.3,TLSv1.2"),
            "versions of TLS that are spoken, separated by commas; there are no others",
            Consequence.NONE),
    TLS_CIPHERS(
            "tls-ciphers",
            TEXT,
            "",
            fixed("secure"),
            "cipher suites that are spoken, separated by commas, the preferred first, by their standard names, such as "
                    + "`TLS_AES_128_GCM_SHA256`. `secure` are those with forward secrecy and authenticated encryption",
            Consequence.NONE),
    TLS_PROVIDER(
            "tls-provider",
            TEXT,
            "",
            fixed("none"),
            "name or class of a security provider on the class path. One with TLS of its own (JSSE) is used for this server; one with algorithms "
                    + "only (JCA) becomes the first of the whole process. `none` uses the JDK alone",
            Consequence.NONE),
    TLS_RELOAD_INTERVAL(
            "tls-reload-interval",
            DURATION,
            "time",
            fixed("10s"),
            "between two looks at the files of certificates and keys; files that have changed, and that two looks find alike, are used for "
                    + "new connections; 0s looks only on demand",
            Consequence.NONE),
    ACME(
            "acme",
            TEXT,
            "",
            fixed("none"),
            "hosts for which the server gets a certificate from an authority by itself (ACME), separated by commas; the authority must reach "
                    + "`port` as port 443, or `redirect-port` as port 80. By setting it you agree to the authority's terms of service",
            Consequence.NONE),
    ACME_DIRECTORY(
            "acme-directory",
            TEXT,
            "",
            fixed("https://acme-v02.api.letsencrypt.org/directory"),
            "URL of the authority's directory; the default is that of Let's Encrypt",
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
            "folder in which the account and the certificate are kept, for each authority in a folder of its own; `private` is "
                    + "`.penstock/acme` in the user's home",
            Consequence.NONE),
    ACME_CHALLENGE(
            "acme-challenge",
            TEXT,
            "",
            fixed("auto"),
            "kind of proof for the hosts: `http-01` at `redirect-port`, `tls-alpn-01` at `port`, or `auto` for both in turns, if there is a "
                    + "`redirect-port`",
            Consequence.NONE),
    ACME_EAB_KID(
            "acme-eab-kid",
            TEXT,
            "",
            fixed("none"),
            "id of the operator's account with the authority, if the authority asks for one (external account binding)",
            Consequence.NONE),
    ACME_EAB_KEY(
            "acme-eab-key",
            SECRET,
            "",
            fixed("none"),
            "key of that account, in base64url. Set it in the environment or the file: others on the machine can read the command line",
            Consequence.NONE),
    REDIRECT_PORT(
            "redirect-port",
            TEXT,
            "",
            fixed("off"),
            "TCP port without TLS whose requests are redirected to HTTPS, for a server with a certificate; `0` takes a free one, `off` opens "
                    + "none",
            Consequence.NONE),
    REDIRECT_TO_PORT(
            "redirect-to-port",
            NUMBER,
            "",
            fixed("0"),
            "port of HTTPS in these redirects, if clients reach the first listener with TLS by another number; 0 is its own port",
            Consequence.NONE),
    HSTS(
            "hsts",
            TEXT,
            "",
            fixed("off"),
            "time for which browsers use nothing but HTTPS for this host (`Strict-Transport-Security`), such as `365d`, perhaps followed by "
                    + "`includeSubDomains` and `preload`, with commas between them. It is in each response over TLS. `0s` makes browsers forget it, "
                    + "`off` sends none",
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
            "TCP port for operators: the flow board, health, metrics, what the server does at this moment; `0` takes a free "
                    + "one, `off` opens none",
            Consequence.NONE),
    ADMIN_HOST(
            "admin-host",
            TEXT,
            "",
            fixed("127.0.0.1"),
            "name or address that the admin port listens on; if it is not a loopback address, the port answers everybody who "
                    + "can reach it, unless there is an `admin-token`",
            Consequence.NONE),
    ADMIN_TLS(
            "admin-tls",
            TEXT,
            "",
            fixed("off"),
            "`on` makes the admin port speak HTTPS, with the certificates of the server and its rules for certificates of clients. On the command "
                    + "line `--admin-tls` means `on`",
            Consequence.NONE),
    ADMIN_TOKEN(
            "admin-token",
            SECRET,
            "",
            fixed("none"),
            "token that the admin port requires, as a bearer token or as the password that a browser asks for: at least 16 "
                    + "visible characters; `/health` needs none. `none` requires no token. Set it in the environment or the "
                    + "file: others on the machine can read the command line",
            Consequence.NONE),
    ADMIN_LISTENERS(
            "admin-listeners",
            NUMBER,
            "pages",
            fixed("8"),
            "pages that may follow the flow board at one time",
            answer(503, Counter.ADMIN_LISTENERS_REFUSED)),
    REQUEST_METRICS(
            "request-metrics",
            TEXT,
            "",
            fixed("auto"),
            "whether each request is measured, for metrics, the flow board and management: `on`, `off`, or `auto`, which is on where there "
                    + "is an admin port",
            Consequence.NONE),

    WORKERS(
            "workers",
            NUMBER,
            "threads",
            measured("max(32, 8 * cores)", () -> Math.max(32, 8 * cores())),
            "threads that run filters and servlets, whatever the number of clients",
            Consequence.NONE),
    VIRTUAL_THREADS(
            "virtual-threads",
            TEXT,
            "",
            fixed("off"),
            "`on` makes the workers virtual threads, from Java 21 on: as many as `workers` says, behind the same "
                    + "queue and bounds. Many of them cost little memory: for applications that wait a lot and whose "
                    + "libraries support virtual threads. On older versions it has no effect, and the log says so",
            Consequence.NONE),
    REACTORS(
            "reactors",
            NUMBER,
            "threads",
            measured("max(1, cores / 4)", () -> Math.max(1, cores() / 4)),
            "threads that move bytes between sockets and pipes",
            Consequence.NONE),
    QUEUE(
            "queue",
            NUMBER,
            "requests",
            derived("as many as `max-connections`", earlier -> Integer.toString(earlier.applyAsInt(MAX_CONNECTIONS))),
            "requests that may wait for a worker. As many streaming requests may wait beside them, and as many "
                    + "that `max-spooling` holds back. `overload-after` and `queue-age` bound the time",
            refusal(503, Counter.QUEUE_FULL)),
    QUEUE_AGE(
            "queue-age",
            DURATION,
            "time",
            fixed("10s"),
            "for which a request may wait for a worker",
            refusal(503, Counter.QUEUE_AGED)),
    OVERLOAD_AFTER(
            "overload-after",
            DURATION,
            "time",
            fixed("2s"),
            "for which requests may wait for workers without a break. After that, until none waits, only as many may wait as "
                    + "the workers take in 400 ms, or 20 for each worker. Zero: `queue` alone is the limit",
            refusal(503, Counter.OVERLOADED)),
    BULKHEAD_QUEUE(
            "bulkhead-queue",
            NUMBER,
            "requests",
            fixed("100"),
            "requests that may wait for the workers of one bulkhead (`/path:max-workers`), beside those of `queue`, where its `max-queued` "
                    + "says nothing else",
            refusal(503, Counter.BULKHEAD_FULL)),
    MAX_STREAMING(
            "max-streaming",
            NUMBER,
            "threads",
            derived("half of `workers`", earlier -> Integer.toString(Math.max(1, earlier.applyAsInt(WORKERS) / 2))),
            "workers that may be busy with streaming requests at one time; a further one waits",
            Consequence.NONE),
    MAX_SPOOLING(
            "max-spooling",
            NUMBER,
            "threads",
            derived("half of `workers`", earlier -> Integer.toString(Math.max(1, earlier.applyAsInt(WORKERS) / 2))),
            "workers that may be busy at one time with servlets whose latest responses have waited for the disk. "
                    + "A further such request waits, so that other requests find a worker",
            Consequence.NONE),

    STREAMING_PATHS(
            "streaming-paths",
            TEXT,
            "",
            fixed("none"),
            "URL patterns, separated by commas, of requests that are handed over before their body has arrived, such as "
                    + "`/upload/*,/live`; paths include the context's",
            Consequence.NONE),
    DATA_SOURCES(
            "data-sources",
            TEXT,
            "",
            fixed("none"),
            "file of the data sources that applications find by `@Resource` and JNDI, as the user guide describes it; read by the "
                    + "optional part for naming, which the standalone jar has",
            Consequence.NONE),

    LOG_LEVEL(
            "log-level",
            TEXT,
            "",
            fixed("info"),
            "lowest level that the server's log writes: `trace`, `debug`, `info`, `warn`, `error` or `off`; "
                    + "separated by commas also for loggers by name, as in `info, io.penstock.deploy=debug`. Read by the "
                    + "standalone jar; an embedded server logs as its program does",
            Consequence.NONE),
    LOG_FORMAT(
            "log-format",
            TEXT,
            "",
            fixed("text"),
            "how a record of the server's log is written: `text`, a line with the lines of a stack trace behind it, or `json`, one line. "
                    + "Read by the standalone jar",
            Consequence.NONE),
    ACCESS_LOG(
            "access-log",
            TEXT,
            "",
            fixed("none"),
            "file to which a line is added for each request, also for one that was refused; `-` is the standard output, `none` none",
            Consequence.NONE),
    ACCESS_LOG_FORMAT(
            "access-log-format",
            TEXT,
            "",
            fixed("combined"),
            "what such a line looks like: `common`, `combined`, `json`, or the names of fields with blanks between them, such as "
                    + "`date time c-ip cs-method cs-uri-stem sc-status x-total-ms`; the user guide lists them",
            Consequence.NONE),
    ACCESS_LOG_RING(
            "access-log-ring",
            NUMBER,
            "requests",
            fixed("8192"),
            "whose line may wait to be written; no request waits for its line",
            effect("answered, but missing in the access log", Counter.ACCESS_LOG_DROPPED)),
    ACCESS_LOG_ROTATE_SIZE(
            "access-log-rotate-size",
            BYTES,
            "bytes",
            fixed("0"),
            "size at which the access log's file is archived and compressed, and a new file begins; 0 for no "
                    + "limit",
            Consequence.NONE),
    ACCESS_LOG_ROTATE(
            "access-log-rotate",
            TEXT,
            "",
            fixed("never"),
            "when the access log's file is archived, whatever its size: `daily`, with the first request of a new "
                    + "day, or `never`",
            Consequence.NONE),
    ACCESS_LOG_KEEP(
            "access-log-keep",
            NUMBER,
            "files",
            fixed("30"),
            "archived files of the access log that are kept; the oldest is deleted; 0 keeps all",
            Consequence.NONE),
    SERVER_TIMING(
            "server-timing",
            TEXT,
            "",
            fixed("off"),
            "`on` adds a field `Server-Timing` to responses: how long head, body, queue and service took until "
                    + "the response's head was made",
            Consequence.NONE),
    FLIGHT(
            "flight",
            TEXT,
            "",
            fixed("on"),
            "`on` writes events of requests, refusals, timeouts, spills and stalls to the recordings of Java Flight Recorder that run",
            Consequence.NONE),

    PIPE_CAPACITY(
            "pipe-capacity",
            BYTES,
            "bytes",
            fixed("4M"),
            "most memory of one request's body, and of one response; larger ones go to disk. It is less while pipes hold much "
                    + "of `pipe-budget`, down to four segments",
            Consequence.NONE),
    PIPE_SEGMENT(
            "pipe-segment",
            BYTES,
            "bytes",
            fixed("16K"),
            "size of the buffers that pipes are made of",
            Consequence.NONE),
    PIPE_BUDGET(
            "pipe-budget",
            BYTES,
            "bytes",
            measured(
                    "max(16M, a quarter of the heap), but at most half of what the JVM allows outside the heap",
                    () -> Math.min(Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4), DirectMemory.most() / 2)),
            "memory of all pipes of the server together",
            refusal(503, Counter.PIPE_BUDGET_EXCEEDED)),

    TLS_THREADS(
            "tls-threads",
            NUMBER,
            "threads",
            measured("max(2, cores / 2)", () -> Math.max(2, cores() / 2)),
            "threads for the long arithmetic of TLS handshakes, such as signatures",
            Consequence.NONE),
    TLS_TASKS(
            "tls-tasks",
            NUMBER,
            "handshakes",
            fixed("512"),
            "TLS handshakes that may wait for these threads, or have one",
            effect("closed", Counter.TLS_TASKS_REFUSED)),
    TLS_BUDGET(
            "tls-budget",
            BYTES,
            "bytes",
            measured(
                    "max(8M, an eighth of the heap)",
                    () -> Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8)),
            "memory of all TLS records that are incomplete, not read yet, or not sent yet. Beyond it data is "
                    + "sent in small records",
            effect("reading pauses", Counter.TLS_BUDGET_EXCEEDED)),

    SPOOL_DIR(
            "spool-dir",
            TEXT,
            "",
            fixed("temporary"),
            "existing directory for bodies that are too large for memory; `temporary` is the system's temporary directory",
            Consequence.NONE),
    SPOOL_LIMIT(
            "spool-limit",
            BYTES,
            "bytes",
            fixed("8G"),
            "all bodies on disk together; a request with a larger declared length is answered 413",
            refusal(503, Counter.SPOOL_FULL)),
    RESPONSE_SPOOL_LIMIT(
            "response-spool-limit",
            BYTES,
            "bytes",
            fixed("64M"),
            "bytes of one response on disk while its client does not keep up. Beyond it the worker waits for the "
                    + "client, and counts as streaming",
            effect("waited for", Counter.RESPONSE_SPOOL_EXCEEDED)),
    SPOOL_THREADS(
            "spool-threads",
            NUMBER,
            "threads",
            measured("max(2, cores / 2)", () -> Math.max(2, cores() / 2)),
            "threads that write bodies to disk",
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
            "longest request line, without its CRLF",
            refusal(414, Counter.REQUEST_LINE_TOO_LONG)),
    HEADER_BYTES_LIMIT(
            "header-bytes-limit",
            BYTES,
            "bytes",
            fixed("32K"),
            "all header lines of one head together",
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
                    "max(8M, an eighth of the heap)",
                    () -> Math.max(8L << 20, Runtime.getRuntime().maxMemory() / 8)),
            "memory of all heads larger than 2K, and of requests that clients send ahead of their answers "
                    + "(pipelining), from their first bytes to the end of their requests. Requests sent ahead count from "
                    + "the second that waits, and use at most half of it",
            refusal(503, Counter.HEAD_BUDGET_EXCEEDED)),
    CHUNK_EXTENSION_LIMIT(
            "chunk-extension-limit",
            BYTES,
            "bytes",
            fixed("1K"),
            "extensions of one chunk",
            refusal(400, Counter.CHUNK_EXTENSION_TOO_LONG)),
    TRAILER_BYTES_LIMIT(
            "trailer-bytes-limit",
            BYTES,
            "bytes",
            fixed("8K"),
            "all trailer lines of one body together",
            refusal(431, Counter.TRAILERS_TOO_LARGE)),
    BODY_LIMIT("body-limit", BYTES, "bytes", fixed("2G"), "largest request body", refusal(413, Counter.BODY_TOO_LARGE)),

    MAX_COOKIES(
            "max-cookies",
            NUMBER,
            "cookies",
            fixed("200"),
            "cookies of one request",
            answer(431, Counter.TOO_MANY_COOKIES)),
    MAX_PARAMETERS(
            "max-parameters",
            NUMBER,
            "parameters",
            fixed("1000"),
            "parameters of one request, query and form together",
            answer(400, Counter.TOO_MANY_PARAMETERS)),
    FORM_LIMIT(
            "form-limit",
            BYTES,
            "bytes",
            fixed("2M"),
            "largest body that is read as form parameters",
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
            "header lines of one part",
            answer(413, Counter.PART_HEADER_TOO_LARGE)),

    REALM_FILE(
            "realm-file",
            TEXT,
            "",
            fixed("none"),
            "file of users, their passwords' hashes and their roles, for the logins of all applications; `none` for none",
            Consequence.NONE),
    REALM_DATA_SOURCE(
            "realm-data-source",
            TEXT,
            "",
            fixed("none"),
            "one of the `data-sources`; its database has the users instead of a file; read by the " + "standalone jar",
            Consequence.NONE),
    REALM_PASSWORD_QUERY(
            "realm-password-query",
            TEXT,
            "",
            fixed("select password from users where name = ?"),
            "asks the `realm-data-source` for the hash of a user's password, as `--hash-password` makes it",
            Consequence.NONE),
    REALM_ROLES_QUERY(
            "realm-roles-query",
            TEXT,
            "",
            fixed("select role from user_roles where name = ?"),
            "asks the `realm-data-source` for a user's roles, a row each",
            Consequence.NONE),
    LOGIN_FAILURES_USER(
            "login-failures-user",
            NUMBER,
            "failures",
            fixed("10"),
            "failed logins of one user, each within `login-lockout` after the one before; then the user is locked "
                    + "out for `login-lockout`. Failures are counted apart for an address from which the user has "
                    + "logged in before, so attackers elsewhere cannot lock the user out. 0 for no limit",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_FAILURES_ADDRESS(
            "login-failures-address",
            NUMBER,
            "failures",
            fixed("100"),
            "failed logins from one client address (for IPv6 its first 64 bits), of any users, after which "
                    + "the address is locked out; 0 for no limit",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_LOCKOUT(
            "login-lockout",
            DURATION,
            "time",
            fixed("5m"),
            "for which a user or an address that has failed too often cannot log in",
            answer(429, Counter.LOGINS_LOCKED_OUT)),
    LOGIN_FAILURES_KEPT(
            "login-failures-kept",
            NUMBER,
            "entries",
            fixed("10000"),
            "names, and addresses, whose failed logins are remembered at one time; the one with the oldest "
                    + "failure is forgotten first",
            effect("the oldest is forgotten", Counter.LOGIN_FAILURES_FORGOTTEN)),
    PASSWORD_CHECKS(
            "password-checks",
            NUMBER,
            "checks",
            measured("max(1, cores / 2)", () -> Math.max(1, cores() / 2)),
            "passwords that the realm checks at one time. One client address (of IPv6 its first 64 bits) has at most half of "
                    + "them, rounded down, and at least one. No worker waits for a place. A password that was right before "
                    + "needs no place. Raise it for a realm that waits for another server, and behind a proxy, where all "
                    + "clients have one address",
            answer(503, Counter.PASSWORD_CHECKS_REFUSED)),
    FORM_LOGIN_TIMEOUT(
            "form-login-timeout",
            DURATION,
            "time",
            fixed("5m"),
            "after which a session that was begun for a login form ends, unless its user has logged in",
            effect("the session ends", null)),
    SAVED_REQUEST_LIMIT(
            "saved-request-limit",
            BYTES,
            "bytes",
            fixed("64K"),
            "largest body of a request that is kept while its user fills in a login form",
            answer(413, Counter.SAVED_REQUEST_TOO_LARGE)),
    SAVED_REQUESTS_BUDGET(
            "saved-requests-budget",
            BYTES,
            "bytes",
            fixed("16M"),
            "memory of all requests of one application that wait for a login form; beyond it the oldest is "
                    + "dropped, and its user is redirected to the application's root",
            effect("the oldest is forgotten", Counter.SAVED_REQUESTS_DROPPED)),
    DIGEST_NONCE_TIMEOUT(
            "digest-nonce-timeout",
            DURATION,
            "time",
            fixed("5m"),
            "for which a client may use one nonce of the Digest scheme; then it gets another",
            effect("401 with `stale`", Counter.DIGEST_NONCES_STALE)),
    DIGEST_NONCES(
            "digest-nonces",
            NUMBER,
            "nonces",
            fixed("10000"),
            "nonces of one application whose counts are remembered at one time, so that no request can be "
                    + "replayed; nonces older than a forgotten one are stale",
            effect("401 with `stale`", Counter.DIGEST_NONCES_FORGOTTEN)),
    DIGEST_SECRET(
            "digest-secret",
            SECRET,
            "",
            fixed("none"),
            "at least 32 characters that several servers share, so that each accepts the nonces of the others. Set it in the environment or in "
                    + "the file. `none` accepts those of this process only",
            Consequence.NONE),

    FILE_CACHE(
            "file-cache",
            BYTES,
            "bytes",
            fixed("16M"),
            "memory of all small files (up to 16K each) that are cached; 0 caches none",
            effect("begun anew", Counter.FILE_CACHE_CLEARED)),

    COMPRESSION(
            "compression",
            TEXT,
            "",
            fixed("off"),
            "what is sent compressed to clients that accept it: `off` nothing; `precompressed` files with a compressed sibling, such as "
                    + "`app.js.br`, `app.js.zst` or `app.js.gz` beside `app.js`; `on` also all other responses, by gzip. An application may have "
                    + "its own setting",
            Consequence.NONE),
    COMPRESSION_MIN_SIZE(
            "compression-min-size",
            BYTES,
            "bytes",
            fixed("1K"),
            "size from which on a response of known length is compressed",
            Consequence.NONE),
    COMPRESSION_TYPES(
            "compression-types",
            TEXT,
            "",
            fixed(
                    "text/*, application/json, application/*+json, application/xml, application/*+xml, application/javascript, "
                            + "application/yaml, application/wasm, image/svg+xml, image/bmp, image/x-icon, font/ttf, font/otf, "
                            + "application/vnd.ms-fontobject"),
            "media types that are compressed, separated by commas, with `*` for any type or for any characters of the subtype before a suffix",
            Consequence.NONE),
    COMPRESSION_EXCLUDED_AGENTS(
            "compression-excluded-agents",
            TEXT,
            "",
            fixed("none"),
            "parts of the `User-Agent` of clients that get nothing compressed, separated by commas",
            Consequence.NONE),
    COMPRESSORS(
            "compressors",
            NUMBER,
            "responses",
            derived("as many as `workers`", earlier -> Integer.toString(earlier.applyAsInt(WORKERS))),
            "responses that are compressed at one time; each has 256 KB outside of the heap until its end. A further one is sent as it is",
            effect("sent as it is", Counter.COMPRESSORS_BUSY)),

    MAX_SESSIONS(
            "max-sessions",
            NUMBER,
            "sessions",
            fixed("100000"),
            "sessions of one application, in use and at rest",
            answer(503, Counter.SESSIONS_REFUSED)),
    SESSION_DIR(
            "session-dir",
            TEXT,
            "",
            fixed("none"),
            "existing directory in which sessions outlive the server; `none` keeps them in memory only",
            Consequence.NONE),
    SESSION_STORE(
            "session-store",
            SECRET,
            "",
            fixed("none"),
            "place of sessions that several servers share, in a store of an optional part. The text before "
                    + "the first colon names the kind of store; the part's documentation explains the rest. `none` is "
                    + "memory or `session-dir`",
            Consequence.NONE),
    SESSION_FORMAT(
            "session-format",
            TEXT,
            "",
            fixed("java"),
            "form of session attributes in `session-dir` or a session store: `java` is Java's serialization; optional parts bring others, "
                    + "such as `json`. Attributes in another form are hidden from the application until it sets them again",
            Consequence.NONE),
    SESSION_STORE_THREADS(
            "session-store-threads",
            NUMBER,
            "threads",
            derived("half of `workers`", earlier -> Integer.toString(Math.max(1, earlier.applyAsInt(WORKERS) / 2))),
            "that load and save sessions in a session store at one time. Further requests with a session wait while the store answers; "
                    + "while it does not, they are answered at once",
            answer(503, Counter.SESSION_STORE_REFUSED)),
    SESSIONS_IN_MEMORY(
            "sessions-in-memory",
            NUMBER,
            "sessions",
            fixed("10000"),
            "sessions of one application that also stay in memory between their requests, if `session-dir` "
                    + "or a session store keeps them",
            effect("read again from disk or store", Counter.SESSIONS_PASSIVATED)),
    SESSION_ROUTE(
            "session-route",
            TEXT,
            "",
            fixed("off"),
            "`on`: the session ids that clients get end with a dot and `node-name`, so that a balancer can send each session to its node. Any "
                    + "node accepts the ids of all others",
            Consequence.NONE),
    REQUEST_ENCODING(
            "request-encoding",
            TEXT,
            "",
            fixed("UTF-8", "none"),
            "charset of forms and of text in request bodies if neither the application nor the client names "
                    + "one; `none` is the specification's ISO-8859-1",
            Consequence.NONE),
    RESPONSE_ENCODING(
            "response-encoding",
            TEXT,
            "",
            fixed("UTF-8", "none"),
            "charset of text that servlets write, but not of files, if the application names none. `none` "
                    + "is the specification's ISO-8859-1",
            Consequence.NONE),
    FILE_ENCODING(
            "file-encoding",
            TEXT,
            "",
            fixed("none"),
            "charset in the content type of all text files, including HTML. With `none`, HTML files declare "
                    + "their own (`<meta charset>`), and other text is UTF-8",
            Consequence.NONE),
    RESPONSE_RULES(
            "response-rules",
            TEXT,
            "",
            fixed("none"),
            "file of rules for the fields of responses, by path: `Cache-Control`, `Content-Security-Policy`, CORS and others; `none` for none",
            Consequence.NONE),
    REDIRECTS(
            "redirects",
            TEXT,
            "",
            fixed("relative", "absolute"),
            "form of redirects on this server: `relative` has only the path, so that clients behind a proxy "
                    + "with TLS stay with `https:`; `absolute` has scheme, host and port of the request as it arrived",
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
            "folder whose `.war` files, and folders with a `WEB-INF`, are served, each at its name (`ROOT` at `/`). It is "
                    + "watched: new applications are deployed, replaced ones redeployed, removed ones undeployed; `none` for "
                    + "none",
            Consequence.NONE),
    WEBAPPS_INTERVAL(
            "webapps-interval",
            DURATION,
            "time",
            fixed("1s"),
            "between two scans of `webapps`; a file that two scans find unchanged is complete; 0s scans "
                    + "only at the start",
            Consequence.NONE),
    UNDEPLOY_TIMEOUT(
            "undeploy-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "for which a replaced or undeployed application waits for its running requests; then the "
                    + "time-out listeners of asynchronous ones are called",
            effect("asynchronous ones: their listeners are called, else 503", Counter.UNDEPLOY_TIMEOUTS)),

    UNPACKED_LIMIT(
            "unpacked-limit",
            BYTES,
            "bytes",
            fixed("2G"),
            "all members of an unpacked WAR together, counted as they are written; 0 for no limit",
            effect("not deployed", Counter.ARCHIVES_TOO_LARGE)),
    MIGRATE_JAVAX(
            "migrate-javax",
            TEXT,
            "",
            fixed("off"),
            "`on` converts a WAR for `javax.servlet` at its deployment, by an optional part; `off` refuses "
                    + "it. On the command line `--migrate-javax` means `on`",
            Consequence.NONE),
    MIGRATED_DIR(
            "migrated-dir",
            TEXT,
            "",
            fixed("private"),
            "folder in which converted WARs are kept, by the hash of the original; only the server's user may write to it, and its files "
                    + "can be deleted at any time; `private` is `.penstock/migrated` in the user's home",
            Consequence.NONE),
    EXCLUDE_INITIALIZERS(
            "exclude-initializers",
            TEXT,
            "",
            fixed("none"),
            "classes of initializers (`ServletContainerInitializer`) that do not run in any application: names separated by commas or "
                    + "white space, `*` for any characters; an application may have more",
            Consequence.NONE),
    EXCLUDE_SCAN(
            "exclude-scan",
            TEXT,
            "",
            fixed("none"),
            "file names of libraries in `WEB-INF/lib` whose classes are not read: their annotations do not "
                    + "count, and initializers do not get their classes; written as `exclude-initializers`",
            Consequence.NONE),

    PROXY_HEADER_TIMEOUT(
            "proxy-header-timeout",
            DURATION,
            "time",
            fixed("5s"),
            "from accept to the end of the PROXY header; then `handshake-timeout` or `head-timeout` begins",
            effect("closed", Counter.PROXY_HEADER_TIMEOUTS)),
    HANDSHAKE_TIMEOUT(
            "handshake-timeout",
            DURATION,
            "time",
            fixed("10s"),
            "from accept, or from the end of the PROXY header, to the end of the TLS handshake; then `head-timeout` begins for the first request",
            effect("closed", Counter.HANDSHAKE_TIMEOUTS)),
    HEAD_TIMEOUT(
            "head-timeout",
            DURATION,
            "time",
            fixed("20s"),
            "from the first byte of a request head, or from accept, the end of the PROXY header or the end of the TLS handshake, to its end",
            refusal(408, Counter.HEAD_TIMEOUTS)),
    BODY_STALL_TIMEOUT(
            "body-stall-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "between two arrivals of body bytes while the server waits for them",
            refusal(408, Counter.BODY_STALLS)),
    BODY_TOTAL_TIMEOUT(
            "body-total-timeout",
            DURATION,
            "time",
            fixed("1h"),
            "for which the server waits for the bytes of one body, all waits together",
            refusal(408, Counter.BODY_TOTAL_TIMEOUTS)),
    BODY_MIN_RATE(
            "body-min-rate",
            BYTES,
            "bytes per second",
            fixed("1"),
            "that must arrive while the server waits for a body, checked each time that it has waited for "
                    + "`body-stall-timeout`; 0 for no minimum",
            refusal(408, Counter.SLOW_BODIES)),
    KEEP_ALIVE_TIMEOUT(
            "keep-alive-timeout",
            DURATION,
            "time",
            fixed("1m"),
            "for which a connection may be idle between two requests",
            effect("closed", Counter.KEEP_ALIVE_TIMEOUTS)),
    WRITE_STALL_TIMEOUT(
            "write-stall-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "for which a client may take no byte of a response",
            effect("closed", Counter.WRITE_STALLS)),
    SERVICE_TIMEOUT(
            "service-timeout",
            DURATION,
            "time",
            fixed("0s"),
            "after which a call of filters and servlet is interrupted; if it still runs after as much time "
                    + "again, the server answers in its place or closes the connection; 0s for no limit",
            refusal(503, "503, or closed if the response has begun", Counter.SERVICE_TIMEOUTS)),
    ASYNC_TIMEOUT(
            "async-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "for which an asynchronous request may go on if the application sets no timeout; 0s for no limit",
            effect("its listeners are called, else 500", Counter.ASYNC_TIMEOUTS)),
    UPGRADE_IDLE_TIMEOUT(
            "upgrade-idle-timeout",
            DURATION,
            "time",
            fixed("5m"),
            "without any bytes in either direction after which an upgraded connection, such as a WebSocket, "
                    + "is closed; noticed before twice that time has passed; 0s for no limit",
            effect("closed", Counter.UPGRADE_IDLE_TIMEOUTS)),
    LINGER_TIMEOUT(
            "linger-timeout",
            DURATION,
            "time",
            fixed("5s"),
            "for which the server reads and ignores bytes of a client after the last response of its "
                    + "connection, so that the client can read that response",
            effect("closed", Counter.LINGER_TIMEOUTS)),
    SHUTDOWN_DELAY(
            "shutdown-delay",
            DURATION,
            "time",
            fixed("0s"),
            "for which a stopping server serves on. It is no longer ready, so that a load balancer can turn to other servers. "
                    + "Then it accepts no more connections, and for as long again each idle one may send a last request",
            Consequence.NONE),
    SHUTDOWN_TIMEOUT(
            "shutdown-timeout",
            DURATION,
            "time",
            fixed("30s"),
            "for which a stopping server waits for requests that run or are arriving; then requests without "
                    + "a response are answered 503",
            refusal(503, Counter.SHUTDOWN_TIMEOUTS));

    /** The beginning of each key's environment variable. */
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

    /** The unit of the value; empty for a name. */
    public String unit() {
        return unit;
    }

    /** The default for the documentation: a value, or its formula. */
    public String defaultShown() {
        return byDefault.shown();
    }

    public String meaning() {
        return meaning;
    }

    /** Whether the value is a number, a size or a time. */
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

    /** What replaces a former key, behind its name in an error; null if there was none of that name. */
    public static @Nullable String replacementOf(String id) {
        return id.equals("https-port")
                ? "is gone: with a certificate (" + TLS_CERT.id + ") the server itself speaks HTTPS, and "
                        + REDIRECT_PORT.id + " opens a port that redirects to it"
                : null;
    }

    static @Nullable Key ofVariable(String variable) {
        for (Key key : values()) {
            if (key.variable().equals(variable)) {
                return key;
            }
        }
        return null;
    }

    String defaultText(ToIntFunction<Key> earlier) {
        return byDefault.text().given(earlier);
    }

    /** The default of {@code penstock.jar}, if it differs from that of an embedded server; else null. */
    @Nullable
    String defaultOfJar() {
        return byDefault.ofJar();
    }

    private static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }
}
