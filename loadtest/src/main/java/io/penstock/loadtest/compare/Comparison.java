package io.penstock.loadtest.compare;

import static io.penstock.loadtest.compare.Works.Over.HTTP2;
import static io.penstock.loadtest.compare.Works.Over.PLAIN;
import static io.penstock.loadtest.compare.Works.Over.TLS;

import io.penstock.loadtest.compare.Works.Over;
import io.penstock.loadtest.peers.Server;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A comparison of servers: an entry of the table of all comparisons. Each is a command, or an option of a command.
 *
 * @param command the name of the command
 * @param variant the option of the command that chooses this comparison; empty without such an option
 * @param explanation what is measured, in sentences
 * @param servers the names of the servers to compare if the user names none; the targets are for the first Penstock
 * @param heap the heap of each server if the user names none
 * @param sizes the sizes of the comparison, which are options of the command
 * @param works a function that makes the works, in their order
 */
record Comparison(
        String command,
        String variant,
        String explanation,
        String servers,
        String heap,
        List<Size<?>> sizes,
        Function<Sizes, List<Work>> works) {
    private static final String TUNED = "penstock,tomcat7,tomcat,jetty,undertow,tomcat-virtual,jetty-virtual";
    private static final String DEFAULTS =
            "penstock-defaults,tomcat7-defaults,tomcat-defaults,jetty-defaults,undertow-defaults";
    private static final String CURRENT = "penstock-defaults,tomcat,jetty,undertow";
    private static final String BOOT = "boot-penstock,boot-tomcat,boot-jetty";
    private static final String BOOT_VIRTUAL = "boot-penstock-virtual,boot-tomcat-virtual,boot-jetty-virtual";

    private static final String USUAL_HEAP = "512m";

    /** With little heap there is no room for thousands of request bodies and responses. */
    private static final String SMALL_HEAP = "256m";

    private static final String STREAMS =
            "Requests over HTTP/2, which the client begins without an upgrade: 1, 16 and 100 streams on each of 64 and"
                    + " 256 connections. Only h2load sends these requests.";
    private static final String WAITING =
            "Servlets and Spring Boot controllers that wait, like applications that wait for a database, with the"
                    + " default settings of all servers. Each work is measured from the start of the server, and with a"
                    + " warm server for three times as long. Quick requests come at a constant rate; the slow calls"
                    + " beside them begin a second before them.";
    private static final String IDLE =
            "The memory of an idle connection that has had one response, and no request for 3 s. The heap is all live"
                    + " objects after two full collections, with the connections minus without them. Resident memory"
                    + " outside the heap has no memory of the kernel for sockets. The server is warmed up first:"
                    + " requests, then as many connections, of which a tenth is open at a time.";
    private static final String UPLOADS = "Clients that send a body slowly.";
    private static final String READERS = "Clients that read a response slowly.";
    private static final String HEADS = "Clients that have sent half a head.";
    private static final String HANDSHAKES = "Clients that do not finish their TLS handshake, and slow readers. Half of"
            + " these clients send half of their first message, the others do not send the second one.";
    private static final String SPRING_BOOT = "Slow clients of a Spring Boot controller, with Boot's default settings:"
            + " JPA, a pool of ten database connections, open-in-view.";
    private static final String POOL = "Slow clients of a servlet that has ten permits, like a pool of database"
            + " connections. Normal requests need a permit, too. The longest time of a permit is also measured for fast"
            + " clients alone.";
    private static final String SLOW =
            " Normal requests come at a constant rate, alone and beside slow clients in turns. Latency counts from the"
                    + " moment at which a request was due. The requests beside slow clients begin when all slow clients"
                    + " are connected. Calls of service, threads and memory are the largest values, read each half"
                    + " second. Allowed p99: the larger of three times the p99 alone, and that p99 plus 5 ms. Allowed"
                    + " memory: the heap, 64 MB for pipes, and 256 MB for everything else.";

    /** All comparisons, in the order of the help. A variant follows its command. */
    static final List<Comparison> ALL = List.of(
            of(
                    "rows",
                    "All kinds of work in one table: small requests over 64 to 8,192 connections, bodies, pipelining,"
                            + " new connections, a servlet that waits, a large file, the start of penstock.jar, idle"
                            + " connections, a burst of slow readers.",
                    "penstock-defaults,penstock,tomcat,jetty,undertow",
                    times(3, "4s", "2s"),
                    Works::rows),
            of(
                    "--tls",
                    "Work over TLS in one table: small requests and a file of 1 MB, full and resumed handshakes. All"
                            + " servers use the JDK's TLS engine, a key on P-256, TLS_AES_128_GCM_SHA256 and"
                            + " TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256. Handshakes are made by one thread of C with"
                            + " OpenSSL; they need cc and the headers of OpenSSL. A handshake counts only if it was of"
                            + " the kind in the row. Its warm-up is three times as long.",
                    CURRENT,
                    times(3, "4s", "2s"),
                    Works::tls),
            of("http2", STREAMS, CURRENT, times(3, "4s", "2s"), sizes -> Works.http2(sizes, false)),
            of("http2", STREAMS + " Over TLS.", CURRENT, times(3, "4s", "2s"), sizes -> Works.http2(sizes, true))
                    .by("--tls"),
            of(
                    "websocket",
                    "Messages over WebSocket, each also compressed, and the memory of idle sessions. An echo sends the"
                            + " next message when it has the last one back. In a broadcast, the next message comes when"
                            + " all readers have the last one, and each reader's message counts. The client does not"
                            + " decompress. An idle session has had one message of 2 KB back.",
                    "penstock-defaults,tomcat,jetty",
                    and(times(3, "4s", "2s"), Works.SESSIONS),
                    Works::webSocket),
            of(
                    "ws-readers",
                    "WebSocket readers beside readers that never read. One thread of the server sends to all, one after"
                            + " the other; a call that fails is not repeated. The turn ends when all is sent and read"
                            + " and the readers that never read are closed, or at the limit of time. All servers have"
                            + " their default settings.",
                    "penstock-defaults,tomcat-defaults,jetty-defaults",
                    and(rounds(1), DeadReaders.SIZES),
                    Works::deadReaders),
            of(
                    "waiting",
                    WAITING,
                    "penstock-defaults,tomcat-defaults,jetty-defaults,undertow-defaults," + BOOT,
                    times(3, "4s", "10s"),
                    sizes -> Works.waiting(sizes, false)),
            of(
                            "waiting",
                            WAITING + " On virtual threads, without the works whose names begin with beside.",
                            "penstock-virtual-defaults,tomcat-virtual-defaults,jetty-virtual-defaults," + BOOT_VIRTUAL,
                            times(3, "4s", "10s"),
                            sizes -> Works.waiting(sizes, true))
                    .by("--virtual-threads"),
            of(
                    "users",
                    "Users, each with a connection, who send requests without pauses. A connect error is an attempt"
                            + " that has no connection within 1 s; errors count from the first user's start.",
                    TUNED + "," + DEFAULTS,
                    and(times(3, "4s", "4s"), Works.USERS, Works.RAMP_UP),
                    Works::users),
            of("idle", IDLE, TUNED, and(rounds(3), Idle.CONNECTIONS, Idle.TO_GATHER, Idle.WARM_UP), Works::idle),
            of(
                            "idle",
                            IDLE + " The TLS engine of a connection is measured alone, in a JVM of its own."
                                    + TLS.explanation,
                            TLS.servers,
                            and(rounds(3), Idle.CONNECTIONS, Idle.TO_GATHER, Idle.WARM_UP),
                            Works::idleTls)
                    .by("--tls"),
            slow("slow-upload", UPLOADS, Works::slowUpload, PLAIN, Works.SLOW),
            slow("slow-upload", UPLOADS, Works::slowUpload, HTTP2, Works.SLOW),
            slow("slow-read", READERS, Works::slowRead, PLAIN, Works.SLOW),
            slow("slow-read", READERS, Works::slowRead, TLS, Works.SLOW),
            slow("slow-read", READERS, Works::slowRead, HTTP2, Works.SLOW),
            slow("slow-head", HEADS, Works::slowHead, PLAIN, Works.SLOW),
            slow("slow-handshake", HANDSHAKES, Works::slowHandshake, TLS, Works.HALF_HANDSHAKES, Works.READERS)
                    .by(""),
            mixed(PLAIN),
            mixed(TLS),
            mixed(HTTP2),
            slow("pooled", POOL, Works::pooled, PLAIN, Works.SLOW),
            slow("pooled", POOL, Works::pooled, TLS, Works.SLOW),
            slow("pooled", POOL, Works::pooled, HTTP2, Works.SLOW),
            of(
                    "overload",
                    "Many more requests than a server can answer, with the default settings of all servers except for"
                            + " the number of threads. Good answers come in time, while the overload lasts. Latency"
                            + " counts from the moment at which a request was due. A server is normal again with the"
                            + " first of 20 answers in a row that take at most twice the median from before.",
                    DEFAULTS,
                    and(rounds(1), Overload.SIZES),
                    Works::overload),
            of(
                    "renewal",
                    "Certificate files that are replaced under load: whether requests fail, and when new handshakes get"
                            + " the new certificate. Penstock only: the other servers do not reload their files.",
                    "penstock",
                    and(rounds(1), Renewal.SIZES),
                    Works::renewal),
            of(
                    "startup",
                    "The time from the launch of a server's JVM to its first response.",
                    TUNED,
                    rounds(5),
                    Works::startup),
            of("files", "Files of 10 KB, 1 MB and 100 MB.", TUNED, times(3, "3s", "5s"), Works::files),
            of(
                    "sessions",
                    "Two ways to keep sessions in Redis: that of Penstock, and Tomcat with Spring Session. Needs"
                            + " redis-server. A call is a script, or a command outside of scripts. Lost updates: clients"
                            + " change one session in parallel; each request sets an attribute that only its client uses"
                            + " (own), adds one to a counter under a lock of the JVM, and adds one to an object without"
                            + " setting it again (in place). With two nodes each client uses both in turns; then a lock"
                            + " of the JVM does not protect the counters.",
                    "penstock-redis,tomcat-spring",
                    and(rounds(3), Sessions.SIZES),
                    Works::sessions),
            slow("boot", SPRING_BOOT, (sizes, over) -> Works.boot(sizes), PLAIN, Works.SLOW)
                    .among(BOOT + "," + BOOT_VIRTUAL),
            of(
                            "boot",
                            "The start of a Spring Boot application with default settings, its memory, and requests for"
                                    + " a small JSON object of a controller without database.",
                            BOOT + "," + BOOT_VIRTUAL,
                            and(rounds(1), BootStart.SIZES),
                            Works::bootStart)
                    .by("--start"));

    private static Comparison of(
            String command,
            String explanation,
            String servers,
            List<Size<?>> sizes,
            Function<Sizes, List<Work>> works) {
        return new Comparison(command, "", explanation, servers, USUAL_HEAP, sizes, works);
    }

    private static Comparison slow(
            String command,
            String explanation,
            BiFunction<Sizes, Over, List<Work>> works,
            Over over,
            Size<?>... crowd) {
        String text = explanation + over.explanation + SLOW;
        List<Size<?>> sizes = and(and(rounds(1), crowd), Beside.SIZES);
        return of(command, text, over.servers, sizes, own -> works.apply(own, over))
                .by(over.option);
    }

    private static Comparison mixed(Over over) {
        Size<?>[] crowd = {Works.UPLOADS, Works.READERS, Works.FILE_READERS, Works.HALF_HEADS};
        Comparison usual = slow("slow-mixed", "Slow clients of every kind.", Works::slowMixed, over, crowd);
        return new Comparison(
                usual.command, usual.variant, usual.explanation, usual.servers, SMALL_HEAP, usual.sizes, usual.works);
    }

    private Comparison among(String others) {
        return new Comparison(command, variant, explanation, others, heap, sizes, works);
    }

    private Comparison by(String option) {
        return new Comparison(command, option, explanation, servers, heap, sizes, works);
    }

    private static List<Size<?>> rounds(int full) {
        return List.of(Size.count("--rounds", full, 1, "Number of turns of each server for each work."));
    }

    private static List<Size<?>> times(int rounds, String warmUp, String duration) {
        return and(
                rounds(rounds),
                Size.time("--warm-up", warmUp, "200ms", "Warm-up time of each server for each work."),
                Size.time("--duration", duration, "300ms", "Measured time of each turn."));
    }

    private static List<Size<?>> and(List<Size<?>> first, Size<?>... more) {
        return and(first, Arrays.asList(more));
    }

    private static List<Size<?>> and(List<Size<?>> first, List<Size<?>> more) {
        List<Size<?>> all = new ArrayList<>(first);
        all.addAll(more);
        return List.copyOf(all);
    }

    /** The name of the comparison in files, and with the prefix {@code compare-} of its section in the documents. */
    String name() {
        return command.replaceFirst("^-+", "") + variant.replaceFirst("^-", "");
    }

    /** The servers that the user has named. In a comparison of default settings, each has its own default settings. */
    List<Server> among(List<Server> wished) {
        return servers.equals(DEFAULTS)
                ? wished.stream().map(Server::withDefaults).distinct().toList()
                : wished;
    }

    List<Server> usual() {
        return Arrays.stream(servers.split(","))
                .map(id -> Server.named(id).orElseThrow())
                .toList();
    }
}
