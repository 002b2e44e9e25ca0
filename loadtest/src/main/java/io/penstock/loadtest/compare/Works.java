package io.penstock.loadtest.compare;

import static io.penstock.loadtest.compare.Bar.atLeast;
import static io.penstock.loadtest.compare.Bar.atMost;
import static io.penstock.loadtest.compare.Bar.timesTheBest;
import static io.penstock.loadtest.compare.Bar.timesTheBestAtMost;

import io.penstock.loadtest.compare.Beside.Slow;
import io.penstock.loadtest.compare.Messages.Way;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The tables of works. Each method has the works of one comparison, in their order. */
final class Works {
    private static final String HELLO = "/hello";
    private static final String PICTURE = BootStart.PRODUCT + "/picture";
    private static final int MEGABYTE = 1 << 20;
    private static final int SMOKE_RATE = 80;

    /** The burst of an upload: more than a server keeps in memory before it calls the servlet. */
    private static final int BURST = 128 << 10;

    private static final String UPLOADING = "slow uploads";
    private static final String READING = "slow readers";

    /** The connections of many slow streams. */
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

    /** All kinds of work. */
    static List<Work> rows(Sizes sizes) {
        int users = sizes.connections(64);
        int waiting = sizes.connections(1000);
        long file = sizes.smoke() ? 2_000_000 : 100_000_000;
        Requests pipelined = Requests.get(HELLO, 13, users).pipelining(16);
        Requests single = Requests.get(HELLO, 13, users).closing();
        Requests sleep = Requests.get("/work?millis=20", 4, waiting).withWorkers(200);
        int connections = sizes.smoke() ? 50 : 10_000;
        Idle idle = new Idle(connections, sizes.warmUp(), Duration.ofMinutes(1), false, SERVLETS, SlowClient.IDLE);
        Burst burst = sizes.smoke() ? new Burst(10, MEGABYTE, 20) : new Burst(400, 16 * MEGABYTE, 20);
        return List.of(
                hello(64, sizes).row(Figure.REQUESTS, timesTheBest(1.35)),
                hello(256, sizes)
                        .row(Figure.REQUESTS, timesTheBest(1.5))
                        .row(Figure.CPU, new Bar(Bar.Against.EPOLL_LOOP, false, 1.85))
                        .row(Figure.SWITCHES, atMost(0.15))
                        .row(Figure.ALLOCATED, atMost(2048))
                        .row(Figure.TAIL, atMost(4))
                        .row(Figure.REQUESTS, new Bar(Bar.Against.ALL_ON, false, 1.03)),
                hello(1024, sizes).row(Figure.REQUESTS, timesTheBest(1.35)),
                hello(8192, sizes).row(Figure.REQUESTS, timesTheBest(1.3)),
                echo("echo-1k", "1 KB", 1 << 10, users).row(Figure.REQUESTS, timesTheBest(1.6)),
                echo("echo-64k", "64 KB", 64 << 10, users).row(Figure.REQUESTS, timesTheBest(1.3)),
                echo("echo-256k", "256 KB", 256 << 10, users).row(Figure.REQUESTS, timesTheBest(1.2)),
                echo("echo-1m", "1 MB", MEGABYTE, users).row(Figure.REQUESTS, timesTheBest(1.2)),
                upload(8, sizes).row(Figure.REQUESTS, timesTheBest(1.1)),
                upload(64, sizes).row(Figure.REQUESTS, timesTheBest(1.1)),
                output("output-64k", "64 KB", 64 << 10, users).row(Figure.REQUESTS, timesTheBest(1.3)),
                output("output-1m", "1 MB", MEGABYTE, users).row(Figure.REQUESTS, timesTheBest(1.2)),
                Work.of("pipelined", "hello, pipelined 16 deep", pipelined).row(Figure.REQUESTS, timesTheBest(2)),
                Work.of("new-connection", "hello, a new connection for each", single)
                        .row(Figure.REQUESTS, timesTheBest(1.1)),
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
                Work.of(
                                "burst",
                                format("%d slow readers of %d MB at once", burst.readers(), burst.bytes() >> 20),
                                burst)
                        .row(Figure.IN_TIME, atLeast(20))
                        .row(Figure.LONGEST, atMost(1000)));
    }

    private static Work hello(int connections, Sizes sizes) {
        int users = sizes.connections(connections);
        return Work.of("hello-" + connections, format("hello, %,d connections", users), Requests.get(HELLO, 13, users));
    }

    private static Work echo(String id, String size, int bytes, int users) {
        return Work.of(id, "POST and echo " + size, Requests.post("/echo", bytes, bytes, users));
    }

    private static Work upload(int connections, Sizes sizes) {
        int users = sizes.connections(connections);
        return Work.of(
                "upload-1m-" + connections,
                format("upload of 1 MB, %d connections", users),
                Requests.post("/upload", MEGABYTE, 7, users));
    }

    private static Work output(String id, String size, int bytes, int users) {
        return Work.of(id, "a servlet that writes " + size, Requests.get("/generated?bytes=" + bytes, bytes, users));
    }

    private static Work start(String id, String title, Start.Served served, boolean archive) {
        return Work.of(id, title, new Start(served, archive));
    }

    /** Requests, files and handshakes over TLS. Each work has the processor time in a row without a bar. */
    static List<Work> tls(Sizes sizes) {
        List<Work> works = new ArrayList<>();
        for (int connections : new int[] {64, 256}) {
            int users = sizes.connections(connections);
            works.add(Work.of(
                            "tls-hello-" + connections,
                            "hello, " + users + " connections",
                            Requests.get(HELLO, 13, users).overTls())
                    .row(Figure.REQUESTS, timesTheBest(1.2))
                    .row(Figure.CPU, Bar.none()));
        }
        for (int connections : new int[] {64, 256}) {
            int users = sizes.connections(connections);
            works.add(Work.of(
                            "tls-file-" + connections,
                            format("a file of %,d bytes, %d connections", MEGABYTE, users),
                            Requests.get("/files/tls.txt", MEGABYTE, users).overTls())
                    .row(Figure.GIGABYTES, timesTheBest(1))
                    .row(Figure.CPU, Bar.none()));
        }
        for (String version : List.of("1.3", "1.2")) {
            for (String kind : List.of("full", "resumed")) {
                // 16 handshakes at the same time are enough to use all processors.
                works.add(Work.of(
                                "tls-" + kind + "-" + version,
                                kind + " handshakes, TLS " + version,
                                new Handshakes(sizes.connections(16), version, kind.equals("resumed")))
                        .row(Figure.HANDSHAKES, timesTheBest(0.95))
                        .row(Figure.HANDSHAKE_CPU, Bar.none()));
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
                Requests hello = Requests.get(HELLO, 13, users);
                Requests output = Requests.get(generated(16 << 10), 16 << 10, users);
                String id = "-" + connections + "-" + streams;
                works.add(http2("h2-hello" + id, "hello", hello, streams, tls, 1.3));
                works.add(http2("h2-output-16k" + id, "a servlet that writes 16 KB", output, streams, tls, 1.3));
            }
        }
        Requests output = Requests.get(generated(MEGABYTE), MEGABYTE, sizes.connections(8));
        Requests upload = Requests.post("/upload", MEGABYTE, 7, sizes.connections(8));
        works.add(http2("h2-output-1m", "a servlet that writes 1 MB", output, 16, tls, 1.1));
        works.add(http2("h2-upload-1m", "upload of 1 MB", upload, 16, tls, 1.1));
        return works;
    }

    private static Work http2(String id, String title, Requests requests, int streams, boolean tls, double bar) {
        Requests over = requests.overHttp2(streams);
        return Work.of(
                        id,
                        format("%s, %d connections, streams of each: %d", title, requests.connections(), streams),
                        tls ? over.overTls() : over)
                .row(Figure.REQUESTS, timesTheBest(bar));
    }

    /** Messages over WebSocket, each also compressed, and idle sessions. */
    static List<Work> webSocket(Sizes sizes) {
        List<Work> works = new ArrayList<>();
        for (boolean deflated : new boolean[] {false, true}) {
            for (int sessions : new int[] {64, 1000}) {
                works.add(messages("echo-16-" + sessions, Way.ECHO_TEXT, 16, sizes.connections(sessions), deflated));
            }
            works.add(messages("echo-64k", Way.ECHO_BINARY, 64 << 10, sizes.connections(16), deflated));
            for (Way way : List.of(Way.BROADCAST_BASIC, Way.BROADCAST_ASYNC)) {
                String id = way == Way.BROADCAST_BASIC ? "broadcast" : "broadcast-async";
                works.add(messages(id, way, 1 << 10, sizes.connections(200), deflated));
            }
            SlowClient kind = deflated ? SlowClient.WS_IDLE_DEFLATED : SlowClient.WS_IDLE;
            int sessions = sizes.of(SESSIONS);
            Idle idle = new Idle(sessions, sizes.warmUp(), Duration.ofMinutes(1), false, Server::hasWebSocket, kind);
            works.add(Work.of(
                            "ws-idle" + end(deflated),
                            format("%,d idle sessions", sessions) + compressed(deflated),
                            idle)
                    .row(Figure.HEAP_EACH, Bar.none())
                    .row(Figure.RESIDENT_EACH, Bar.none()));
        }
        return works;
    }

    private static Work messages(String id, Way way, int bytes, int sessions, boolean deflated) {
        String size = bytes < 1 << 10 ? bytes + " B" : (bytes >> 10) + " KB";
        return Work.of(
                        "ws-" + id + end(deflated),
                        format("%s, %s, %,d %s", way.title(), size, sessions, way.isEcho() ? "sessions" : "readers")
                                + compressed(deflated),
                        new Messages(way, bytes, sessions, deflated))
                .row(Figure.MESSAGES, Bar.none())
                .row(Figure.MESSAGE_CPU, Bar.none());
    }

    private static String end(boolean deflated) {
        return deflated ? "-deflate" : "";
    }

    private static String compressed(boolean deflated) {
        return deflated ? ", compressed" : "";
    }

    /** Readers of WebSocket messages beside readers that never read. */
    static List<Work> deadReaders(Sizes sizes) {
        String beside = format(
                "%d readers beside %d that never read, ", sizes.of(DeadReaders.READERS), sizes.of(DeadReaders.DEAD));
        return Stream.of(false, true)
                .map(async -> Work.of(
                                async ? "async" : "basic",
                                beside + (async ? "getAsyncRemote" : "getBasicRemote"),
                                new DeadReaders(sizes, async))
                        .row(Figure.READ, Bar.none())
                        .row(Figure.FEWEST_READ, Bar.none())
                        .row(Figure.CALL_P999, Bar.none())
                        .row(Figure.CALL_MOST, Bar.none())
                        .row(Figure.DEAD_CLOSED, Bar.none())
                        .row(Figure.HEAP, Bar.none()))
                .toList();
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
            return work.row(Figure.RESIDENT, Bar.none()).row(Figure.THREADS, Bar.none());
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
            works.add(users(
                    "text", title + ", a file of 4 KB", users, "/files/text.txt", Map.of("text.txt", 4096L), sizes));
            works.add(users("servlet", title + ", 13 bytes of a servlet", users, HELLO, Map.of(), sizes));
        }
        return works;
    }

    private static Work users(
            String content, String title, int users, String path, Map<String, Long> file, Sizes sizes) {
        return Work.of(content + "-" + users, title, new Users(users, path, file, sizes.of(RAMP_UP)))
                .row(Figure.REQUESTS, Bar.none())
                .row(Figure.CONNECT_ERRORS, Bar.none());
    }

    /** Static files. */
    static List<Work> files(Sizes sizes) {
        return Stream.of(
                        file("10k", 10_000, 64),
                        file("1m", 1_000_000, 16),
                        file("100m", sizes.smoke() ? 5_000_000 : 100_000_000, 2))
                .map(work -> work.row(Figure.GIGABYTES, timesTheBest(1)).row(Figure.CPU, Bar.none()))
                .toList();
    }

    private static Work file(String name, long bytes, int users) {
        return Work.of(
                "file-" + name,
                format("a file of %,d bytes, %d connections", bytes, users),
                Requests.get("/files/" + name + ".txt", bytes, users));
    }

    /** The start of embedded servers. */
    static List<Work> startup(Sizes sizes) {
        return List.of(start("startup", "a small servlet, embedded", Start.Served.EMBEDDED, false)
                .row(Figure.START, Bar.none()));
    }

    /** Idle connections, without TLS. */
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
        Map<String, String> queueAge = Map.of("queue-age", Size.written(age));
        Map<String, String> queue = Map.of("queue", sizes.of(Overload.QUEUE).toString());
        return List.of(
                overload("overload", "defaults", new Overload(sizes, Map.of(), Overload.NO_AGE)),
                overload(
                                "overload-queue-age",
                                "queue-age=" + Size.written(age),
                                new Overload(sizes, queueAge, age.toNanos()))
                        .row(Figure.AGED_P999, atMost(50)),
                overload(
                        "overload-queue",
                        "queue=" + sizes.of(Overload.QUEUE),
                        new Overload(sizes, queue, Overload.NO_AGE)));
    }

    private static Work overload(String id, String title, Overload job) {
        return Work.of(id, title, job)
                .row(Figure.SHARE, atLeast(95))
                .row(Figure.REFUSED_P999, atMost(50))
                .row(Figure.RECOVERY, atMost(1000));
    }

    /** A certificate that is replaced under load. */
    static List<Work> renewal(Sizes sizes) {
        return List.of(Work.of("renewal", "a new certificate under load", new Renewal(sizes))
                .row(Figure.FAILED, atMost(0)));
    }

    /** Sessions in Redis. */
    static List<Work> sessions(Sizes sizes) {
        return List.of(Work.of("sessions", "a session in Redis", new Sessions(sizes))
                .row(Figure.REQUESTS, timesTheBest(1))
                .row(Figure.CPU, Bar.none())
                .row(Figure.REDIS_CPU, Bar.none())
                .row(Figure.ONE_OWN, atMost(0))
                .row(Figure.TWO_OWN, atMost(0)));
    }

    /** The start of a Spring Boot application, and JSON. */
    static List<Work> bootStart(Sizes sizes) {
        return List.of(Work.of("boot-start", "Spring Boot: start, and JSON", BootStart.of(sizes))
                .row(Figure.START, Bar.none())
                .row(Figure.RESIDENT, Bar.none())
                .row(Figure.REQUESTS, timesTheBest(1.1)));
    }

    // ---- Normal requests beside slow clients

    /** Slow clients, beside which there are normal requests. */
    private record Crowd(String id, String title, String path, List<Slow> slow) {
        Crowd(String id, String title, String path, Slow... slow) {
            this(id, title, path, List.of(slow));
        }

        Work over(Sizes sizes, String end, boolean encrypted, Predicate<Server> which) {
            return Work.of(
                            id + end.replace(" over ", "-").replace(" ", "-").toLowerCase(Locale.ROOT),
                            title + end,
                            new Beside(sizes, path, slow, encrypted, which))
                    .row(Figure.FAILED, atMost(0))
                    .row(Figure.P99_OF_ALLOWED, atMost(1));
        }
    }

    /** @param tls whether the work is done over TLS, and for Penstock without TLS, too */
    private static List<Work> beside(Sizes sizes, boolean tls, Crowd... crowds) {
        return Arrays.stream(crowds)
                .flatMap(crowd -> tls
                        ? Stream.of(
                                crowd.over(sizes, " over TLS", true, SERVLETS),
                                crowd.over(sizes, " without TLS", false, PENSTOCK))
                        : Stream.of(crowd.over(sizes, "", false, SERVLETS)))
                .toList();
    }

    static List<Work> slowUpload(Sizes sizes) {
        int size = sizes.of(SLOW);
        Slow uploads = new Slow(size, SlowClient.UPLOAD, "/upload");
        Slow bursts = new Slow(size, SlowClient.UPLOAD, "/upload").withBurst(BURST);
        return beside(
                sizes,
                false,
                new Crowd("uploads", size + " slow uploads", HELLO, uploads),
                new Crowd("burst-uploads", size + " slow uploads behind a burst", HELLO, bursts));
    }

    static List<Work> slowRead(Sizes sizes, boolean tls) {
        int size = sizes.of(SLOW);
        Slow readers = new Slow(size, SlowClient.READER, generated(16 * MEGABYTE));
        return beside(sizes, tls, new Crowd("readers", size + " slow readers", HELLO, readers));
    }

    static List<Work> slowHead(Sizes sizes) {
        int size = sizes.of(SLOW);
        Slow heads = new Slow(size, SlowClient.HALF_HEAD, HELLO);
        return beside(sizes, false, new Crowd("half-heads", size + " half-sent heads", HELLO, heads));
    }

    static List<Work> slowMixed(Sizes sizes, boolean tls) {
        int uploads = sizes.of(UPLOADS);
        int readers = sizes.of(READERS);
        int files = sizes.of(FILE_READERS);
        int heads = sizes.of(HALF_HEADS);
        String all = format("%d uploads, %d readers, %d file readers, %d half heads", uploads, readers, files, heads);
        return beside(
                sizes,
                tls,
                new Crowd(
                        "mixed",
                        all,
                        HELLO,
                        new Slow(uploads - uploads / 2, SlowClient.UPLOAD, "/upload"),
                        new Slow(uploads / 2, SlowClient.UPLOAD, "/upload").withBurst(BURST),
                        new Slow(readers, SlowClient.READER, generated(MEGABYTE)),
                        new Slow(files, SlowClient.READER, Beside.FILE),
                        new Slow(heads, SlowClient.HALF_HEAD, HELLO)));
    }

    /** Over TLS, half-done handshakes; and without TLS for Penstock, half-sent heads in their place. */
    static List<Work> slowHandshake(Sizes sizes) {
        int size = sizes.of(HALF_HANDSHAKES);
        Slow hellos = new Slow(size / 2, SlowClient.HALF_HELLO, HELLO);
        Slow handshakes = new Slow(size - size / 2, SlowClient.HALF_HANDSHAKE, HELLO);
        Slow heads = new Slow(size, SlowClient.HALF_HEAD, HELLO);
        Slow readers = new Slow(sizes.of(READERS), SlowClient.READER, generated(MEGABYTE));
        String beside = ", " + readers.size() + " readers";
        return List.of(
                new Crowd("handshakes", size + " half handshakes" + beside, HELLO, hellos, handshakes, readers)
                        .over(sizes, " over TLS", true, SERVLETS),
                new Crowd("heads", size + " half heads" + beside, HELLO, heads, readers)
                        .over(sizes, " without TLS", false, PENSTOCK));
    }

    static List<Work> pooled(Sizes sizes, boolean tls) {
        int size = sizes.of(SLOW);
        String small = Beside.POOLED + 13;
        Slow uploads = new Slow(size, SlowClient.UPLOAD, small);
        Slow readers = new Slow(size, SlowClient.READER, Beside.POOLED + MEGABYTE);
        return beside(
                sizes,
                tls,
                new Crowd("uploads", size + " slow uploads", small, uploads),
                new Crowd("readers", size + " slow readers", small, readers));
    }

    // ---- The slow clients are streams of HTTP/2

    /** The same slow clients on few connections, and on a connection each. */
    private static List<Work> onStreams(Sizes sizes, String id, String title, String path, Slow slow) {
        Crowd few =
                new Crowd(id, format("%d %s on %d connections", slow.size(), title, STREAMED), path, slow.on(STREAMED));
        Crowd many = new Crowd(
                id + "-apart", format("%d %s on as many connections", slow.size(), title), path, slow.on(slow.size()));
        return beside(sizes, false, few, many);
    }

    static List<Work> slowUploadHttp2(Sizes sizes) {
        Slow uploads = new Slow(sizes.of(SLOW), SlowClient.H2_UPLOAD, "/upload");
        return onStreams(sizes, "h2-uploads", UPLOADING, HELLO, uploads);
    }

    static List<Work> slowReadHttp2(Sizes sizes) {
        Slow readers = new Slow(sizes.of(SLOW), SlowClient.H2_READER, generated(16 * MEGABYTE));
        return onStreams(sizes, "h2-readers", READING, HELLO, readers);
    }

    static List<Work> slowMixedHttp2(Sizes sizes) {
        int uploads = sizes.of(UPLOADS);
        int readers = sizes.of(READERS);
        int files = sizes.of(FILE_READERS);
        int heads = sizes.of(HALF_HEADS);
        return beside(
                sizes,
                false,
                new Crowd(
                        "h2-mixed",
                        format(
                                "%d uploads, %d readers, %d file readers, %d half heads",
                                uploads, readers, files, heads),
                        HELLO,
                        new Slow(uploads, SlowClient.H2_UPLOAD, "/upload").on(connections(uploads)),
                        new Slow(readers, SlowClient.H2_READER, generated(MEGABYTE)).on(connections(readers)),
                        new Slow(files, SlowClient.H2_READER, Beside.FILE).on(connections(files)),
                        new Slow(heads, SlowClient.HALF_HEAD, HELLO)));
    }

    /** With twenty streams each. */
    private static int connections(int clients) {
        return Math.max(1, clients / 20);
    }

    static List<Work> pooledHttp2(Sizes sizes) {
        int size = sizes.of(SLOW);
        String small = Beside.POOLED + 13;
        Slow uploads = new Slow(size, SlowClient.H2_UPLOAD, small);
        Slow readers = new Slow(size, SlowClient.H2_READER, Beside.POOLED + MEGABYTE);
        return Stream.concat(
                        onStreams(sizes, "h2-uploads", UPLOADING, small, uploads).stream(),
                        onStreams(sizes, "h2-readers", READING, small, readers).stream())
                .toList();
    }

    static List<Work> boot(Sizes sizes) {
        int size = sizes.of(SLOW);
        String uploads = size + " slow uploads, ";
        String path = BootStart.PRODUCT;
        Slow bodies = new Slow(size, SlowClient.UPLOAD, PICTURE);
        Slow streams = new Slow(size, SlowClient.UPLOAD, PICTURE + "-stream");
        Slow readers = new Slow(size, SlowClient.READER, PICTURE);
        return Stream.of(
                        new Crowd("boot-uploads", uploads + "@RequestBody", path, bodies),
                        new Crowd("boot-streams", uploads + "InputStream", path, streams),
                        new Crowd("boot-readers", size + " slow readers", path, readers))
                .map(crowd -> crowd.over(sizes, "", false, Server::isUnderBoot))
                .toList();
    }

    private static String generated(long bytes) {
        return "/generated?bytes=" + bytes;
    }

    private static String format(String text, Object... values) {
        return String.format(Locale.ROOT, text, values);
    }
}
