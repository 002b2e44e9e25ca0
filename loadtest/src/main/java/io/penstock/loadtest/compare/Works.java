package io.penstock.loadtest.compare;

import static io.penstock.loadtest.compare.Work.Bar.atLeast;
import static io.penstock.loadtest.compare.Work.Bar.atMost;
import static io.penstock.loadtest.compare.Work.Bar.timesTheBest;
import static io.penstock.loadtest.compare.Work.Bar.timesTheBestAtMost;

import io.penstock.loadtest.compare.Beside.Slow;
import io.penstock.loadtest.compare.Messages.Way;
import io.penstock.loadtest.compare.Work.Bar;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/** The tables of works. Each method has the works of one comparison, in their order. */
final class Works {
    private static final String HELLO = "/hello";
    private static final String PICTURE = BootStart.PRODUCT + "/picture";
    private static final int MEGABYTE = 1 << 20;
    private static final int SMOKE_RATE = 80;

    /** The burst of an upload: more than a server keeps in memory before it calls the servlet. */
    private static final int BURST = 128 << 10;

    private static final String OVER_TLS = " over TLS";
    private static final String OVER_TLS_ID = "-tls";
    private static final String WITHOUT_TLS = " without TLS";
    private static final String WITHOUT_TLS_ID = "-without-tls";

    private static final int STREAMED = 4;

    private static final Predicate<Server> SERVLETS = server -> !server.isUnderBoot() && !server.needsSessionStore();
    private static final Predicate<Server> PENSTOCK = server -> SERVLETS.test(server) && server.isPenstock();

    static final Size<Integer> SLOW = Size.count("--slow", 400, 20, "Number of slow clients.");
    static final Size<Integer> UPLOADS =
            Size.number("--uploads", 4000, 10, "Number of slow uploads. Every second one begins with a burst.");
    static final Size<Integer> READERS = Size.number("--readers", 2000, 5, "Number of slow readers of 1 MB.");
    static final Size<Integer> FILE_READERS =
            Size.number("--file-readers", 2000, 5, "Number of slow readers of a 16 MB file.");
    static final Size<Integer> HALF_HEADS =
            Size.number("--half-heads", 1000, 5, "Number of clients that send half a request head.");
    static final Size<Integer> HALF_HANDSHAKES =
            Size.number("--handshakes", 4000, 20, "Number of clients that do not finish their handshake.");
    static final Size<Integer> SESSIONS = Size.count("--sessions", 5000, 20, "Number of idle sessions.");
    static final Size<String> USERS = Size.text(
            "--users", "200,400,600,800,1200,1600,2000,4000,8000", "20,50", "Numbers of users, separated by commas.");
    static final Size<Duration> RAMP_UP = Size.time("--ramp-up", "2s", "200ms", "Time within which all users come.");

    private Works() {}

    static List<Work> rows(Sizes sizes) {
        int users = sizes.connections(64);
        int waiting = sizes.connections(1000);
        long file = sizes.smoke() ? 2_000_000 : 100_000_000;
        Requests sleep = Requests.get("/work?millis=20", 4, waiting).withWorkers(200);
        int connections = sizes.smoke() ? 50 : 10_000;
        Idle idle = new Idle(connections, sizes.warmUp(), Duration.ofMinutes(1), false, SERVLETS, SlowClient.IDLE);
        Burst burst = sizes.smoke() ? new Burst(10, MEGABYTE, 20) : new Burst(400, 16 * MEGABYTE, 20);
        String readers = format("%d slow readers of %d MB at once", burst.readers(), burst.bytes() >> 20);
        return List.of(
                hello(64, sizes, 1.35),
                hello(256, sizes, 1.5)
                        .row(Figure.CPU, new Bar(Bar.Against.EPOLL_LOOP, false, 1.85))
                        .row(Figure.SWITCHES, atMost(0.15))
                        .row(Figure.ALLOCATED, atMost(2048))
                        .row(Figure.TAIL, atMost(4))
                        .row(Figure.REQUESTS, new Bar(Bar.Against.ALL_ON, false, 1.03)),
                hello(1024, sizes, 1.35),
                hello(8192, sizes, 1.3),
                echo("1k", "1 KB", 1 << 10, users, 1.6),
                echo("64k", "64 KB", 64 << 10, users, 1.3),
                echo("256k", "256 KB", 256 << 10, users, 1.2),
                echo("1m", "1 MB", MEGABYTE, users, 1.2),
                upload(8, sizes),
                upload(64, sizes),
                output("64k", "64 KB", 64 << 10, users, 1.3),
                output("1m", "1 MB", MEGABYTE, users, 1.2),
                requests("pipelined", "hello, pipelined 16 deep", hello(users).pipelining(16), 2),
                requests(
                        "new-connection",
                        "hello, a new connection for each",
                        hello(users).closing(),
                        1.1),
                // The threads can answer 10,000 requests a second at most.
                Work.of("sleep", format("a servlet that waits 20 ms, 200 threads, %,d connections", waiting), sleep)
                        .row(Figure.REQUESTS, atLeast(9700)),
                Work.of("file", format("a file of %,d bytes", file), Requests.get("/files/rows.txt", file, 2))
                        .row(Figure.GIGABYTES, timesTheBest(1)),
                start("start-folder", "start, penstock.jar with a folder", Start.Served.FOLDER, false)
                        .row(Figure.START, timesTheBestAtMost(0.8)),
                start("start-war", "start, penstock.jar with a WAR", Start.Served.WAR, false)
                        .row(Figure.START, timesTheBestAtMost(1)),
                start("start-folder-archive", "the same with a folder and an archive", Start.Served.FOLDER, true)
                        .row(Figure.START, timesTheBestAtMost(0.5))
                        .row(Figure.START, atMost(500)),
                start("start-war-archive", "the same with a WAR and an archive", Start.Served.WAR, true)
                        .row(Figure.START, timesTheBestAtMost(0.6))
                        .row(Figure.START, atMost(600)),
                Work.of("idle", "an idle connection", idle).row(Figure.HEAP_EACH, atMost(1024)),
                Work.of("burst", readers, burst)
                        .row(Figure.IN_TIME, atLeast(20))
                        .row(Figure.LONGEST, atMost(1000)));
    }

    /** @param ratio the bar of the requests per second, as a multiple of the best other server */
    private static Work requests(String id, String title, Requests requests, double ratio) {
        return Work.of(id, title, requests).row(Figure.REQUESTS, timesTheBest(ratio));
    }

    private static Requests hello(int users) {
        return Requests.get(HELLO, 13, users);
    }

    private static Work hello(int connections, Sizes sizes, double ratio) {
        int users = sizes.connections(connections);
        return requests("hello-" + connections, format("hello, %,d connections", users), hello(users), ratio);
    }

    private static Work echo(String id, String size, int bytes, int users, double ratio) {
        return requests("echo-" + id, "POST and echo " + size, Requests.post("/echo", bytes, bytes, users), ratio);
    }

    private static Work upload(int connections, Sizes sizes) {
        Requests upload = Requests.post("/upload", MEGABYTE, 7, sizes.connections(connections));
        String title = format("upload of 1 MB, %d connections", upload.connections());
        return requests("upload-1m-" + connections, title, upload, 1.1);
    }

    private static Work output(String id, String size, int bytes, int users, double ratio) {
        Requests output = Requests.get(generated(bytes), bytes, users);
        return requests("output-" + id, "a servlet that writes " + size, output, ratio);
    }

    private static Work start(String id, String title, Start.Served served, boolean archive) {
        return Work.of(id, title, new Start(served, archive));
    }

    /** Requests, files and handshakes over TLS. Each work has the processor time in a row without a bar. */
    static List<Work> tls(Sizes sizes) {
        List<Work> works = new ArrayList<>();
        for (int connections : new int[] {64, 256}) {
            int users = sizes.connections(connections);
            String title = "hello, " + users + " connections";
            works.add(requests("tls-hello-" + connections, title, hello(users).overTls(), 1.2)
                    .show(Figure.CPU));
        }
        for (int connections : new int[] {64, 256}) {
            int users = sizes.connections(connections);
            String title = format("a file of %,d bytes, %d connections", MEGABYTE, users);
            Requests file = Requests.get("/files/tls.txt", MEGABYTE, users).overTls();
            works.add(file("tls-file-" + connections, title, file));
        }
        for (String version : List.of("1.3", "1.2")) {
            for (String kind : List.of("full", "resumed")) {
                // 16 handshakes at the same time are enough to use all processors.
                works.add(Work.of(
                                "tls-" + kind + "-" + version,
                                kind + " handshakes, TLS " + version,
                                new Handshakes(sizes.connections(16), version, kind.equals("resumed")))
                        .row(Figure.HANDSHAKES, timesTheBest(0.95))
                        .show(Figure.HANDSHAKE_CPU));
            }
        }
        return works;
    }

    /** Requests over HTTP/2: from clients that begin with it, or over TLS. */
    static List<Work> http2(Sizes sizes, boolean tls) {
        List<Work> works = new ArrayList<>();
        for (int streams : new int[] {1, 16, 100}) {
            for (int connections : new int[] {64, 256}) {
                int users = sizes.connections(connections);
                Requests output = Requests.get(generated(16 << 10), 16 << 10, users);
                String id = "-" + connections + "-" + streams;
                works.add(http2("hello" + id, "hello", hello(users), streams, tls, 1.3));
                works.add(http2("output-16k" + id, "a servlet that writes 16 KB", output, streams, tls, 1.3));
            }
        }
        Requests output = Requests.get(generated(MEGABYTE), MEGABYTE, sizes.connections(8));
        Requests upload = Requests.post("/upload", MEGABYTE, 7, sizes.connections(8));
        works.add(http2("output-1m", "a servlet that writes 1 MB", output, 16, tls, 1.1));
        works.add(http2("upload-1m", "upload of 1 MB", upload, 16, tls, 1.1));
        return works;
    }

    private static Work http2(String id, String title, Requests requests, int streams, boolean tls, double ratio) {
        Requests over = requests.overHttp2(streams);
        String all = format("%s, %d connections, streams of each: %d", title, requests.connections(), streams);
        return requests("h2-" + id, all, tls ? over.overTls() : over, ratio);
    }

    static List<Work> webSocket(Sizes sizes) {
        List<Work> works = new ArrayList<>();
        for (boolean deflated : new boolean[] {false, true}) {
            for (int sessions : new int[] {64, 1000}) {
                works.add(messages("echo-16-" + sessions, Way.ECHO_TEXT, 16, sizes.connections(sessions), deflated));
            }
            works.add(messages("echo-64k", Way.ECHO_BINARY, 64 << 10, sizes.connections(16), deflated));
            for (Way way : List.of(Way.BROADCAST_BASIC, Way.BROADCAST_ASYNC)) {
                String id = way == Way.BROADCAST_BASIC ? "broadcast" : "broadcast-async";
                // Penstock compresses only messages above 1 KB.
                int bytes = deflated ? 4 << 10 : 1 << 10;
                works.add(messages(id, way, bytes, sizes.connections(200), deflated));
            }
            SlowClient kind = deflated ? SlowClient.WS_IDLE_DEFLATED : SlowClient.WS_IDLE;
            int sessions = sizes.of(SESSIONS);
            Idle idle = new Idle(sessions, sizes.warmUp(), Duration.ofMinutes(1), false, Server::hasWebSocket, kind);
            String title = format("%,d idle sessions", sessions) + compressed(deflated);
            works.add(Work.of("ws-idle" + end(deflated), title, idle).show(Figure.HEAP_EACH, Figure.RESIDENT_EACH));
        }
        return works;
    }

    private static Work messages(String id, Way way, int bytes, int sessions, boolean deflated) {
        String size = bytes < 1 << 10 ? bytes + " B" : (bytes >> 10) + " KB";
        String title = format("%s, %s, %,d %s", way.title(), size, sessions, way.isEcho() ? "sessions" : "readers");
        Messages messages = new Messages(way, bytes, sessions, deflated);
        return Work.of("ws-" + id + end(deflated), title + compressed(deflated), messages)
                .show(Figure.MESSAGES, Figure.MESSAGE_CPU);
    }

    private static String end(boolean deflated) {
        return deflated ? "-deflate" : "";
    }

    private static String compressed(boolean deflated) {
        return deflated ? ", compressed" : "";
    }

    static List<Work> deadReaders(Sizes sizes) {
        String beside = format(
                "%d readers beside %d that never read, ", sizes.of(DeadReaders.READERS), sizes.of(DeadReaders.DEAD));
        return List.of(
                deadReaders("basic", beside + "getBasicRemote", new DeadReaders(sizes, false)),
                deadReaders("async", beside + "getAsyncRemote", new DeadReaders(sizes, true)));
    }

    private static Work deadReaders(String id, String title, DeadReaders job) {
        return Work.of(id, title, job)
                .show(Figure.READ, Figure.FEWEST_READ, Figure.CALL_P999, Figure.CALL_MOST)
                .show(Figure.DEAD_CLOSED, Figure.HEAP);
    }

    /**
     * Servlets that wait or compute. Each work is measured from the start of the server, and with a warm server.
     *
     * @param virtual whether servlets run on virtual threads; quick requests beside slow servlets are then left out
     */
    static List<Work> waiting(Sizes sizes, boolean virtual) {
        Mixes mixes = new Mixes(sizes, virtual, new ArrayList<>());
        mixes.add("wait-20", "waits 20 ms, 400 connections", calls("/work?millis=20", 400));
        mixes.add("wait-100", "waits 100 ms, 400 connections", calls("/work?millis=100", 400));
        mixes.add("wait-1000", "waits 1 s, 1,000 connections", calls("/work?millis=1000", 1000));
        mixes.add("boot-150", "Spring Boot: waits 1 s, 150 users", calls("/slow/1?millis=1000", 150));
        mixes.add("boot-800", "Spring Boot: waits 1 s, 800 users", calls("/slow/1?millis=1000", 800));
        String mixed = "4,000 quick requests a second, beside 500 connections that wait 50 ms";
        mixes.add("mixed", mixed, new Mix.Calls(HELLO, 500, 4000), calls("/work?millis=50", 500));
        if (!virtual) {
            String quick = "200 quick requests a second, beside ";
            mixes.addBeside("beside-400", quick + "400 calls of 5 s", HELLO, 400, 1);
            mixes.addBeside("beside-2000", quick + "2,000 calls of 5 s", HELLO, 2000, 1);
            String each = quick + "400 calls of 5 s to each of ";
            mixes.addBeside("beside-2-servlets", each + "two servlets", HELLO, 400, 2);
            mixes.addBeside("beside-8-servlets", each + "eight servlets", HELLO, 400, 8);
            mixes.addBeside("beside-2-paths", "Spring Boot: " + each + "two paths", "/greeting", 400, 2);
        }
        String compute = "computes, 1,000 requests a second, answered within 2 s";
        mixes.add("compute", compute, new Mix.Calls("/work?rounds=2000000", 2000, 1000));
        mixes.add("quick", "13 bytes, 256 connections", calls(HELLO, 256));
        mixes.add("one", "13 bytes, one request a second", new Mix.Calls(HELLO, 1, 1));
        return mixes.works();
    }

    /** The works of {@link #waiting}. Each is added twice: from the start of the server, and with a warm server. */
    private record Mixes(Sizes sizes, boolean virtual, List<Work> works) {
        void addBeside(String id, String title, String quick, int connections, int servlets) {
            List<Mix.Calls> calls = new ArrayList<>(List.of(new Mix.Calls(quick, 256, 200)));
            for (int servlet = 1; servlet <= servlets; servlet++) {
                calls.add(calls("/slow/" + servlet + "?millis=5000", connections));
            }
            add(id, title, calls.toArray(Mix.Calls[]::new));
        }

        void add(String id, String title, Mix.Calls... calls) {
            List<Mix.Calls> sized = Arrays.stream(calls)
                    .map(kind -> new Mix.Calls(
                            kind.path(),
                            sizes.connections(kind.connections()),
                            sizes.smoke() ? Math.min(kind.rate(), SMOKE_RATE) : kind.rate()))
                    .toList();
            boolean boot = title.startsWith("Spring Boot");
            works.add(judged(Work.of(id + "-start", title + ", from the start", new Mix(boot, false, sized)), virtual));
            works.add(judged(Work.of(id, title, new Mix(boot, true, sized)), virtual));
        }
    }

    private static Mix.Calls calls(String path, int connections) {
        return new Mix.Calls(path, connections, 0);
    }

    private static Work judged(Work work, boolean virtual) {
        String id = work.id();
        if (id.startsWith("one") || id.startsWith("quick")) {
            return work.show(Figure.RESIDENT, Figure.THREADS);
        }
        Work judged = id.startsWith("beside")
                ? work.row(Figure.QUICK_TAIL, atMost(20))
                : work.row(Figure.REQUESTS, timesTheBest(1));
        if (id.startsWith("mixed")) {
            judged = judged.row(Figure.QUICK_TAIL, virtual ? Bar.none() : timesTheBestAtMost(0.1));
        }
        boolean mayRefuse = id.startsWith("compute") || id.startsWith("wait-1000") && !virtual;
        return judged.row(Figure.FAILED, mayRefuse ? Bar.none() : atMost(0));
    }

    /** Users of a file and of a servlet, for each number of users. */
    static List<Work> users(Sizes sizes) {
        List<Work> works = new ArrayList<>();
        for (String number : sizes.of(USERS).split(",", -1)) {
            if (!number.matches("[1-9][0-9]{0,4}")) {
                throw new IllegalArgumentException("--users must be numbers from 1 to 99999, not " + sizes.of(USERS));
            }
            int users = Integer.parseInt(number);
            String title = format("%,d users", users);
            Map<String, Long> file = Map.of("text.txt", 4096L);
            works.add(users("text", title + ", a file of 4 KB", users, "/files/text.txt", file, sizes));
            works.add(users("servlet", title + ", 13 bytes of a servlet", users, HELLO, Map.of(), sizes));
        }
        return works;
    }

    private static Work users(
            String content, String title, int users, String path, Map<String, Long> file, Sizes sizes) {
        return Work.of(content + "-" + users, title, new Users(users, path, file, sizes.of(RAMP_UP)))
                .show(Figure.REQUESTS, Figure.CONNECT_ERRORS);
    }

    static List<Work> files(Sizes sizes) {
        return List.of(
                file("10k", 10_000, 64),
                file("1m", 1_000_000, 16),
                file("100m", sizes.smoke() ? 5_000_000 : 100_000_000, 2));
    }

    private static Work file(String name, long bytes, int users) {
        String title = format("a file of %,d bytes, %d connections", bytes, users);
        return file("file-" + name, title, Requests.get("/files/" + name + ".txt", bytes, users));
    }

    private static Work file(String id, String title, Requests file) {
        return Work.of(id, title, file).row(Figure.GIGABYTES, timesTheBest(1)).show(Figure.CPU);
    }

    static List<Work> startup(Sizes sizes) {
        return List.of(start("startup", "a small servlet, embedded", Start.Served.EMBEDDED, false)
                .show(Figure.START));
    }

    static List<Work> idle(Sizes sizes) {
        return List.of(Work.of("idle", "an idle connection", Idle.of(sizes, false, SERVLETS))
                .row(Figure.HEAP_EACH, atMost(1024))
                .row(Figure.RESIDENT_EACH, atMost(1300)));
    }

    /** Idle connections over TLS. Penstock is measured without TLS, too. */
    static List<Work> idleTls(Sizes sizes) {
        return List.of(
                Work.of("idle-tls", "an idle TLS connection", Idle.of(sizes, true, SERVLETS))
                        .row(Figure.BESIDE_ENGINE, atMost(2048)),
                Work.of("idle", "without TLS", Idle.of(sizes, false, PENSTOCK)).row(Figure.HEAP_EACH, atMost(1024)));
    }

    /** More requests than a server can answer. Every server has its own default settings, except for the number of threads. */
    static List<Work> overload(Sizes sizes) {
        Duration age = sizes.of(Overload.QUEUE_AGE);
        String inWords = Size.written(age);
        String queue = sizes.of(Overload.QUEUE).toString();
        Overload aged = new Overload(sizes, Map.of("queue-age", inWords), age.toNanos());
        Overload queued = new Overload(sizes, Map.of("queue", queue), Overload.NO_AGE);
        return List.of(
                overload("overload", "defaults", new Overload(sizes, Map.of(), Overload.NO_AGE)),
                overload("overload-queue-age", "queue-age=" + inWords, aged).row(Figure.AGED_P999, atMost(50)),
                overload("overload-queue", "queue=" + queue, queued));
    }

    private static Work overload(String id, String title, Overload job) {
        return Work.of(id, title, job)
                .row(Figure.SHARE, atLeast(95))
                .row(Figure.REFUSED_P999, atMost(50))
                .row(Figure.RECOVERY, atMost(1000));
    }

    static List<Work> renewal(Sizes sizes) {
        return List.of(Work.of("renewal", "a new certificate under load", new Renewal(sizes))
                .row(Figure.FAILED, atMost(0)));
    }

    static List<Work> sessions(Sizes sizes) {
        return List.of(Work.of("sessions", "a session in Redis", new Sessions(sizes))
                .row(Figure.REQUESTS, timesTheBest(1))
                .show(Figure.CPU, Figure.REDIS_CPU)
                .row(Figure.ONE_OWN, atMost(0))
                .row(Figure.TWO_OWN, atMost(0)));
    }

    static List<Work> bootStart(Sizes sizes) {
        return List.of(Work.of("boot-start", "Spring Boot: start, and JSON", BootStart.of(sizes))
                .show(Figure.START, Figure.RESIDENT)
                .row(Figure.REQUESTS, timesTheBest(1.1)));
    }

    // ---- Normal requests beside slow clients

    /** The connections of slow clients: the option that chooses them, further words of an explanation, and the usual servers. */
    enum Over {
        /** Without TLS; some servers have a handler that reads the body of a request before it calls the servlet. */
        PLAIN(
                "",
                "",
                "penstock,tomcat7,tomcat,jetty,jetty-eager,undertow,undertow-buffering,tomcat-virtual,jetty-virtual"),
        TLS("--tls", " Over TLS; Penstock is measured without TLS, too.", "penstock,tomcat,jetty,undertow"),
        HTTP2(
                "--http2",
                " Over HTTP/2: the slow clients are streams, many on each of a few connections, and one on each. Normal"
                        + " requests use HTTP/1.1.",
                "penstock,tomcat,jetty,undertow,tomcat-virtual,jetty-virtual");

        final String option;
        final String explanation;
        final String servers;

        Over(String option, String explanation, String servers) {
            this.option = option;
            this.explanation = explanation;
            this.servers = servers;
        }

        private Slow uploads(int size, String path) {
            return new Slow(size, this == HTTP2 ? SlowClient.H2_UPLOAD : SlowClient.UPLOAD, path);
        }

        private Slow readers(int size, String path) {
            return new Slow(size, this == HTTP2 ? SlowClient.H2_READER : SlowClient.READER, path);
        }
    }

    /** @param path the path of the normal requests */
    private static Work beside(
            Sizes sizes, String id, String title, boolean tls, Predicate<Server> which, String path, Slow... slow) {
        return Work.of(id, title, new Beside(sizes, path, List.of(slow), tls, which))
                .row(Figure.FAILED, atMost(0))
                .row(Figure.P99_OF_ALLOWED, atMost(1));
    }

    /** Over TLS, the same slow clients are also measured without TLS, for Penstock only. */
    private static List<Work> beside(Sizes sizes, Over over, String id, String title, String path, Slow... slow) {
        if (over != Over.TLS) {
            return List.of(beside(sizes, id, title, false, SERVLETS, path, slow));
        }
        return List.of(
                beside(sizes, id + OVER_TLS_ID, title + OVER_TLS, true, SERVLETS, path, slow),
                beside(sizes, id + WITHOUT_TLS_ID, title + WITHOUT_TLS, false, PENSTOCK, path, slow));
    }

    /** Slow clients of one kind. As streams of HTTP/2, they are on few connections, and on a connection each. */
    private static List<Work> ofAKind(Sizes sizes, Over over, String kind, String path, Slow slow) {
        String title = slow.size() + " slow " + kind;
        if (over != Over.HTTP2) {
            return beside(sizes, over, kind, title, path, slow);
        }
        String id = "h2-" + kind;
        String few = title + " on " + STREAMED + " connections";
        String apart = title + " on as many connections";
        List<Work> works = new ArrayList<>(beside(sizes, over, id, few, path, slow.on(STREAMED)));
        works.addAll(beside(sizes, over, id + "-apart", apart, path, slow.on(slow.size())));
        return works;
    }

    static List<Work> slowUpload(Sizes sizes, Over over) {
        int size = sizes.of(SLOW);
        Slow uploads = over.uploads(size, "/upload");
        List<Work> works = new ArrayList<>(ofAKind(sizes, over, "uploads", HELLO, uploads));
        if (over == Over.PLAIN) {
            String title = size + " slow uploads behind a burst";
            works.addAll(beside(sizes, over, "burst-uploads", title, HELLO, uploads.withBurst(BURST)));
        }
        return works;
    }

    static List<Work> slowRead(Sizes sizes, Over over) {
        Slow readers = over.readers(sizes.of(SLOW), generated(16 * MEGABYTE));
        return ofAKind(sizes, over, "readers", HELLO, readers);
    }

    static List<Work> slowHead(Sizes sizes, Over over) {
        int size = sizes.of(SLOW);
        Slow heads = new Slow(size, SlowClient.HALF_HEAD, HELLO);
        return beside(sizes, over, "half-heads", size + " half-sent heads", HELLO, heads);
    }

    static List<Work> slowMixed(Sizes sizes, Over over) {
        int uploads = sizes.of(UPLOADS);
        Slow readers = over.readers(sizes.of(READERS), generated(MEGABYTE));
        Slow files = over.readers(sizes.of(FILE_READERS), Beside.FILE);
        Slow heads = new Slow(sizes.of(HALF_HEADS), SlowClient.HALF_HEAD, HELLO);
        String title = format(
                "%d uploads, %d readers, %d file readers, %d half heads",
                uploads, readers.size(), files.size(), heads.size());
        if (over == Over.HTTP2) {
            Slow all = over.uploads(uploads, "/upload");
            return beside(sizes, over, "h2-mixed", title, HELLO, streams(all), streams(readers), streams(files), heads);
        }
        Slow even = over.uploads(uploads - uploads / 2, "/upload");
        Slow bursts = over.uploads(uploads / 2, "/upload").withBurst(BURST);
        return beside(sizes, over, "mixed", title, HELLO, even, bursts, readers, files, heads);
    }

    /** The same clients as streams, with twenty on each connection. */
    private static Slow streams(Slow slow) {
        return slow.on(Math.max(1, slow.size() / 20));
    }

    /** Over TLS, half-done handshakes; and without TLS for Penstock, half-sent heads in their place. */
    static List<Work> slowHandshake(Sizes sizes, Over over) {
        int size = sizes.of(HALF_HANDSHAKES);
        Slow hellos = new Slow(size / 2, SlowClient.HALF_HELLO, HELLO);
        Slow handshakes = new Slow(size - size / 2, SlowClient.HALF_HANDSHAKE, HELLO);
        Slow heads = new Slow(size, SlowClient.HALF_HEAD, HELLO);
        Slow readers = over.readers(sizes.of(READERS), generated(MEGABYTE));
        String beside = ", " + readers.size() + " readers";
        String half = size + " half handshakes" + beside + OVER_TLS;
        String without = size + " half heads" + beside + WITHOUT_TLS;
        return List.of(
                beside(sizes, "handshakes" + OVER_TLS_ID, half, true, SERVLETS, HELLO, hellos, handshakes, readers),
                beside(sizes, "heads" + WITHOUT_TLS_ID, without, false, PENSTOCK, HELLO, heads, readers));
    }

    static List<Work> pooled(Sizes sizes, Over over) {
        int size = sizes.of(SLOW);
        String small = Beside.POOLED + 13;
        List<Work> works = new ArrayList<>(ofAKind(sizes, over, "uploads", small, over.uploads(size, small)));
        works.addAll(ofAKind(sizes, over, "readers", small, over.readers(size, Beside.POOLED + MEGABYTE)));
        return works;
    }

    static List<Work> boot(Sizes sizes) {
        int size = sizes.of(SLOW);
        String uploads = size + " slow uploads, ";
        Predicate<Server> boot = Server::isUnderBoot;
        String path = BootStart.PRODUCT;
        Slow bodies = Over.PLAIN.uploads(size, PICTURE);
        Slow streams = Over.PLAIN.uploads(size, PICTURE + "-stream");
        Slow readers = Over.PLAIN.readers(size, PICTURE);
        return List.of(
                beside(sizes, "boot-uploads", uploads + "@RequestBody", false, boot, path, bodies),
                beside(sizes, "boot-streams", uploads + "InputStream", false, boot, path, streams),
                beside(sizes, "boot-readers", size + " slow readers", false, boot, path, readers));
    }

    private static String generated(long bytes) {
        return "/generated?bytes=" + bytes;
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
