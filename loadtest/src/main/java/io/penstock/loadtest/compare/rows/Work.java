package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** The work that a server does in one {@link Turn}, which is one measurement. */
public sealed interface Work {
    /** The name of the work on the command line and in files. */
    String id();

    /** The description of the work in a table. */
    String title();

    /** The maximum number of connections that the client has open at the same time. */
    int connections();

    /** The maximum number of files that a server has open for these connections. */
    default int files() {
        return 0;
    }

    /** The number of threads of each server that run servlets; with 0 the server chooses the number. */
    default int workers() {
        return 0;
    }

    /**
     * Whether each turn needs a newly started server. This is the case if effects of one turn would change the figures of the next turn.
     */
    default boolean needsFreshServer() {
        return false;
    }

    /** Whether the given server has the content that this work needs. */
    default boolean fits(Server server) {
        return !server.isUnderBoot();
    }

    /**
     * Requests over several connections. Each connection sends its next request when it has received the response.
     *
     * @param path the path of the requests
     * @param body the size of each request's body, in bytes; with 0 the method is GET
     * @param answer the size of each response's body, in bytes
     * @param pipelined the number of requests that a connection sends before it waits for their responses
     * @param keepAlive whether a connection serves more than one request
     * @param workers the number of threads of each server that run servlets; with 0 the server chooses the number
     * @param tls whether the connections are encrypted
     */
    record Requests(
            String id,
            String title,
            String path,
            int body,
            long answer,
            int connections,
            int pipelined,
            boolean keepAlive,
            int workers,
            boolean tls)
            implements Work {
        private static final int LARGE = 16 << 10;
        static final int MANY = 512;

        public static Requests get(String id, String title, String path, long answer, int connections) {
            return new Requests(id, title, path, 0, answer, connections, 1, true, 0, false);
        }

        static Requests post(String id, String title, String path, int body, int connections) {
            return new Requests(id, title, path, body, body, connections, 1, true, 0, false);
        }

        Requests pipelining(int requests) {
            return new Requests(id, title, path, body, answer, connections, requests, keepAlive, workers, tls);
        }

        Requests closing() {
            return new Requests(id, title, path, body, answer, connections, pipelined, false, workers, tls);
        }

        Requests withWorkers(int threads) {
            return new Requests(id, title, path, body, answer, connections, pipelined, keepAlive, threads, tls);
        }

        Requests overTls() {
            return new Requests(id, title, path, body, answer, connections, pipelined, keepAlive, workers, true);
        }

        /** Whether the transfer of the bodies is most of the work. */
        boolean isLarge() {
            return Math.max(body, answer) > LARGE;
        }

        /**
         * The time of a turn. With many connections it is three times as long as usual, since opening the connections takes a part of the
         * time.
         */
        Duration turn(Duration usual) {
            return connections > MANY ? usual.multipliedBy(3) : usual;
        }

        @Override
        public int files() {
            return isLarge() ? connections : 0;
        }
    }

    /**
     * New TLS connections. Each connection has one small request and its response.
     *
     * @param version {@code 1.2} or {@code 1.3}
     * @param resumed whether each connection resumes a TLS session; otherwise each handshake is a full handshake
     */
    record Handshakes(String id, String title, int connections, String version, boolean resumed) implements Work {
        private static final int SLOW = 3;

        /**
         * The warm-up time, which is three times as long as usual. Few handshakes are made per second, so the JVM compiles their code late.
         */
        Duration warmUp(Duration usual) {
            return usual.multipliedBy(SLOW);
        }
    }

    /**
     * The start of a server, from the launch of its JVM until its first response. The first Penstock in the list of servers is started as a
     * runnable jar with a folder or a WAR. All other servers are embedded, and have a small servlet.
     *
     * @param served the content of the runnable jar
     * @param archive whether the jar has a class-data archive
     */
    record Start(String id, String title, Served served, boolean archive) implements Work {

        /** The content of the runnable jar. */
        enum Served {
            FOLDER,
            WAR
        }

        @Override
        public int connections() {
            return 1;
        }

        @Override
        public boolean needsFreshServer() {
            return true;
        }
    }

    /** Connections that are idle after one response each. */
    record Idle(String id, String title, int connections) implements Work {
        @Override
        public boolean needsFreshServer() {
            return true;
        }
    }

    /**
     * Slow readers, which are clients that read their response slowly, and normal requests at the same time. All slow readers connect at
     * the same time.
     *
     * @param readers the number of slow readers
     * @param bytes the size of the response to each slow reader, in bytes
     * @param requests the number of normal requests
     */
    record Burst(String id, String title, int readers, long bytes, int requests) implements Work {
        @Override
        public int connections() {
            return readers + requests;
        }

        @Override
        public int files() {
            return readers;
        }

        @Override
        public boolean needsFreshServer() {
            return true;
        }
    }

    /**
     * Calls of several kinds at the same time.
     *
     * @param boot whether a Spring Boot application answers them
     * @param warm whether the server is warmed up, by the first kind of calls; otherwise the measurement begins when it has started
     * @param turns the time of a turn, as a multiple of the usual time
     * @param calls only the first kind may have a rate
     */
    record Mix(String id, String title, boolean boot, boolean warm, int turns, List<Calls> calls) implements Work {
        static Mix of(String id, String title, Calls... calls) {
            return new Mix(id, title, false, true, 3, List.of(calls));
        }

        Mix underBoot() {
            return new Mix(id, title, true, warm, turns, calls);
        }

        /** The same calls to a server that has just started. */
        Mix fromTheStart() {
            return new Mix(id + "-start", title + ", from the start", boot, false, 1, calls);
        }

        Mix within(Size size) {
            List<Calls> small = calls.stream()
                    .map(kind -> new Calls(
                            kind.path(), users(kind.connections(), size), Math.min(kind.rate(), size.most() * 10)))
                    .toList();
            return new Mix(id, title, boot, warm, turns, small);
        }

        @Override
        public int connections() {
            return calls.stream().mapToInt(Calls::connections).sum();
        }

        @Override
        public boolean needsFreshServer() {
            return true;
        }

        @Override
        public boolean fits(Server server) {
            return server.isUnderBoot() == boot;
        }
    }

    /**
     * GET requests for one path.
     *
     * @param connections the maximum number of connections
     * @param rate the number of requests per second; with 0, each connection sends its next request when it has received the response
     */
    record Calls(String path, int connections, int rate) {
        Calls(String path, int connections) {
            this(path, connections, 0);
        }
    }

    /**
     * The sizes of the works: numbers of connections, and sizes of files and responses.
     *
     * @param most the maximum number of connections of a {@link Requests} or {@link Handshakes}
     * @param idle the number of connections of {@link Idle}
     * @param file the size of the file for the work {@code file}, in bytes
     * @param tlsFile the size of the file for the works over TLS, in bytes
     * @param readers the number of slow readers of {@link Burst}
     * @param bytes the size of the response to each slow reader, in bytes
     */
    record Size(int most, int idle, int file, int tlsFile, int readers, int bytes) {
        static final Size FULL = new Size(8192, 10_000, 100_000_000, 1 << 20, 400, 16 << 20);
        /** Small sizes, for a smoke test. */
        static final Size SMOKE = new Size(8, 50, 2_000_000, 1 << 20, 10, 1 << 20);
    }

    /** The time for which the servlet of the work {@code sleep} waits. */
    int SLEEP_MILLIS = 20;

    /** The number of threads of each server for the work {@code sleep}. */
    int SLEEP_WORKERS = 200;

    /** The maximum number of connections of the client for the work {@code sleep}. */
    int SLEEP_USERS = 1000;

    /** The maximum number of handshakes at the same time. It is enough to use all processors. */
    int HANDSHAKING = 16;

    /** The name of the file in the folder that the servers serve. */
    String FILE = "rows.txt";

    /** All works, in the order of the table. */
    static List<Work> all(Size size) {
        return List.of(
                hello(64, size),
                hello(256, size),
                hello(1024, size),
                hello(8192, size),
                echo("echo-1k", 1, size),
                echo("echo-64k", 64, size),
                echo("echo-256k", 256, size),
                echo("echo-1m", 1024, size),
                output("output-64k", 64, size),
                output("output-1m", 1024, size),
                Requests.get("pipelined", "hello, pipelined 16 deep", "/hello", 13, users(64, size))
                        .pipelining(16),
                Requests.get("new-connection", "hello, a new connection for each", "/hello", 13, users(64, size))
                        .closing(),
                Requests.get(
                                "sleep",
                                String.format(
                                        Locale.ROOT,
                                        "a servlet that waits %d ms, %d threads, %,d connections",
                                        SLEEP_MILLIS,
                                        SLEEP_WORKERS,
                                        users(SLEEP_USERS, size)),
                                "/work?millis=" + SLEEP_MILLIS,
                                4,
                                users(SLEEP_USERS, size))
                        .withWorkers(SLEEP_WORKERS),
                Requests.get(
                        "file",
                        String.format(Locale.ROOT, "a file of %,d bytes", size.file()),
                        "/files/" + FILE,
                        size.file(),
                        2),
                new Start("start-folder", "start, penstock.jar with a folder", Start.Served.FOLDER, false),
                new Start("start-war", "start, penstock.jar with a WAR", Start.Served.WAR, false),
                new Start("start-folder-archive", "the same with a folder and an archive", Start.Served.FOLDER, true),
                new Start("start-war-archive", "the same with a WAR and an archive", Start.Served.WAR, true),
                new Idle("idle", "an idle connection", size.idle()),
                new Burst(
                        "burst",
                        size.readers() + " slow readers of " + (size.bytes() >> 20) + " MB at once",
                        size.readers(),
                        size.bytes(),
                        20));
    }

    /** The works over TLS, in the order of their table. */
    static List<Work> overTls(Size size) {
        return List.of(
                tlsHello(64, size),
                tlsHello(256, size),
                tlsFile(64, size),
                tlsFile(256, size),
                handshakes("1.3", false, size),
                handshakes("1.3", true, size),
                handshakes("1.2", false, size),
                handshakes("1.2", true, size));
    }

    /**
     * The works in which servlets wait or compute, in the order of their table. Each is measured from the start of the server, and with a
     * warm server.
     *
     * @param virtual whether servlets run on virtual threads; quick requests beside slow servlets are then left out
     */
    static List<Work> waiting(Size size, boolean virtual) {
        Calls quick = new Calls("/hello", 256, 200);
        Calls slow = new Calls("/slow/1?millis=5000", 400);
        String beside = "200 quick requests a second, beside ";
        List<Calls> eight = new ArrayList<>(List.of(quick, slow));
        for (int servlet = 2; servlet <= 8; servlet++) {
            eight.add(new Calls("/slow/" + servlet + "?millis=5000", 400));
        }
        return Stream.of(
                        Mix.of("wait-20", "waits 20 ms, 400 connections", new Calls("/work?millis=20", 400)),
                        Mix.of("wait-100", "waits 100 ms, 400 connections", new Calls("/work?millis=100", 400)),
                        Mix.of("wait-1000", "waits 1 s, 1,000 connections", new Calls("/work?millis=1000", 1000)),
                        Mix.of("boot-150", "Spring Boot: waits 1 s, 150 users", new Calls("/slow/1?millis=1000", 150))
                                .underBoot(),
                        Mix.of("boot-800", "Spring Boot: waits 1 s, 800 users", new Calls("/slow/1?millis=1000", 800))
                                .underBoot(),
                        Mix.of(
                                "mixed",
                                "4,000 quick requests a second, beside 500 connections that wait 50 ms",
                                new Calls("/hello", 500, 4000),
                                new Calls("/work?millis=50", 500)),
                        Mix.of("beside-400", beside + "400 calls of 5 s", quick, slow),
                        Mix.of(
                                "beside-2000",
                                beside + "2,000 calls of 5 s",
                                quick,
                                new Calls("/slow/1?millis=5000", 2000)),
                        Mix.of(
                                "beside-2-servlets",
                                beside + "400 calls of 5 s to each of two servlets",
                                quick,
                                slow,
                                new Calls("/slow/2?millis=5000", 400)),
                        Mix.of(
                                "beside-8-servlets",
                                beside + "400 calls of 5 s to each of eight servlets",
                                eight.toArray(Calls[]::new)),
                        Mix.of(
                                        "beside-2-paths",
                                        "Spring Boot: " + beside + "400 calls of 5 s to each of two paths",
                                        new Calls("/greeting", 256, 200),
                                        slow,
                                        new Calls("/slow/2?millis=5000", 400))
                                .underBoot(),
                        Mix.of(
                                "compute",
                                "computes, 1,000 requests a second, answered within 2 s",
                                new Calls("/work?rounds=2000000", 2000, 1000)),
                        Mix.of("quick", "13 bytes, 256 connections", new Calls("/hello", 256)),
                        Mix.of("one", "13 bytes, one request a second", new Calls("/hello", 1, 1)))
                .filter(work -> !virtual || !work.id().startsWith("beside"))
                .map(work -> work.within(size))
                .<Work>mapMulti((work, each) -> {
                    each.accept(work.fromTheStart());
                    each.accept(work);
                })
                .toList();
    }

    private static Work tlsHello(int connections, Size size) {
        int users = users(connections, size);
        return Requests.get("tls-hello-" + connections, "hello, " + users + " connections", "/hello", 13, users)
                .overTls();
    }

    private static Work tlsFile(int connections, Size size) {
        int users = users(connections, size);
        String title = String.format(Locale.ROOT, "a file of %,d bytes, %d connections", size.tlsFile(), users);
        return Requests.get("tls-file-" + connections, title, "/files/" + FILE, size.tlsFile(), users)
                .overTls();
    }

    private static Work handshakes(String version, boolean resumed, Size size) {
        String kind = resumed ? "resumed" : "full";
        return new Handshakes(
                "tls-" + kind + "-" + version,
                kind + " handshakes, TLS " + version,
                users(HANDSHAKING, size),
                version,
                resumed);
    }

    private static Work hello(int connections, Size size) {
        int users = users(connections, size);
        return Requests.get(
                "hello-" + connections,
                String.format(Locale.ROOT, "hello, %,d connections", users),
                "/hello",
                13,
                users);
    }

    private static Work echo(String id, int kilobytes, Size size) {
        return Requests.post(id, "POST and echo " + inWords(kilobytes), "/echo", kilobytes << 10, users(64, size));
    }

    private static Work output(String id, int kilobytes, Size size) {
        int bytes = kilobytes << 10;
        return Requests.get(
                id, "a servlet that writes " + inWords(kilobytes), "/generated?bytes=" + bytes, bytes, users(64, size));
    }

    private static int users(int wanted, Size size) {
        return Math.min(wanted, size.most());
    }

    private static String inWords(int kilobytes) {
        return kilobytes < 1024 ? kilobytes + " KB" : kilobytes / 1024 + " MB";
    }
}
