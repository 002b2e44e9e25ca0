package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.realm.PasswordHash;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests three nodes behind a proxy, under load. The nodes share one session store. The test kills and restarts nodes, and makes the store
 * unavailable. No session may be lost. After the client has received the response, the changes of a request must not be lost. The build
 * runs a short form of this test. The document {@code docs/sessions.md} has the command for the long form.
 */
class ClusterIT {
    /** The system property for the long form. The long form tests all stores, all proxies, and both values of {@link Sessions}. */
    private static final String WHOLE = "cluster.whole";

    private static final boolean IS_WHOLE = Boolean.getBoolean(WHOLE);

    /** The time-out of the store in the short form. On a busy machine, the store can be without an answer for longer than the default. */
    private static final String TIMEOUT = "timeout=10s";

    private static final int USERS = Integer.getInteger("cluster.users", 200);

    /** The number of requests to {@code /count} per second. The test also sends half as many requests without a session. */
    private static final int RATE = Integer.getInteger("cluster.rate", 50);

    private static final int KILLS = Integer.getInteger("cluster.kills", 2);

    /** The time between two kills, in seconds. */
    private static final int SECONDS = Integer.getInteger("cluster.seconds", 2);

    private static final int ROLLING_RESTARTS = Integer.getInteger("cluster.rounds", 1);

    /** The minimum time for which the store is unavailable, in seconds. */
    private static final int OUTAGE_SECONDS = Integer.getInteger("cluster.away", 1);

    @TempDir
    Path folder;

    private final List<ClusterNode> nodes = new ArrayList<>();
    private final Map<Integer, Path> versions = new HashMap<>();

    /** The times at which nodes were killed. */
    private final List<Span> kills = new ArrayList<>();

    private record Span(long from, long to) {}

    /** Whether the proxy sends all requests of a session to the same node. */
    private enum Sessions {
        STICKY,
        NOT_STICKY
    }

    @BeforeEach
    void writeApplication() throws IOException {
        for (int version = 1; version <= 2; version++) {
            versions.put(version, ClusterApplication.write(folder.resolve("version" + version), version));
        }
    }

    @AfterEach
    void endNodes() throws Exception {
        for (ClusterNode node : nodes) {
            node.close();
        }
    }

    @Test
    @NeedsProgram({Program.REDIS_SERVER, Program.HAPROXY})
    void noSessionIsLostWithRedisBehindHaproxyWithStickySessions() throws Exception {
        withRedis(Sessions.STICKY, this::haproxy);
    }

    @Test
    @EnabledIfSystemProperty(named = WHOLE, matches = "true")
    @NeedsProgram({Program.REDIS_SERVER, Program.HAPROXY})
    void noSessionIsLostWithRedisBehindHaproxyWithoutStickySessions() throws Exception {
        withRedis(Sessions.NOT_STICKY, this::haproxy);
    }

    @Test
    @EnabledIfSystemProperty(named = WHOLE, matches = "true")
    @NeedsProgram({Program.REDIS_SERVER, Program.NGINX})
    void noSessionIsLostWithRedisBehindNginxWithStickySessions() throws Exception {
        withRedis(Sessions.STICKY, this::nginx);
    }

    @Test
    @EnabledIfSystemProperty(named = WHOLE, matches = "true")
    @NeedsProgram({Program.REDIS_SERVER, Program.NGINX})
    void noSessionIsLostWithRedisBehindNginxWithoutStickySessions() throws Exception {
        withRedis(Sessions.NOT_STICKY, this::nginx);
    }

    @Test
    @EnabledIfSystemProperty(named = WHOLE, matches = "true")
    @NeedsProgram({Program.POSTGRES, Program.HAPROXY})
    void noSessionIsLostWithPostgresBehindHaproxyWithStickySessions() throws Exception {
        withPostgres(Sessions.STICKY, this::haproxy);
    }

    @Test
    @NeedsProgram({Program.POSTGRES, Program.NGINX})
    void noSessionIsLostWithPostgresBehindNginxWithoutStickySessions() throws Exception {
        withPostgres(Sessions.NOT_STICKY, this::nginx);
    }

    /**
     * Runs the test with Redis. Redis writes each change to disk before it replies, so it still has all confirmed changes after a SIGKILL.
     */
    private void withRedis(Sessions sessions, Front front) throws Exception {
        try (RedisServer redis = RedisServer.start("--appendonly", "yes", "--appendfsync", "always")) {
            runTest(
                    new Store(
                            "redis://127.0.0.1:" + redis.port() + (IS_WHOLE ? "" : "?" + TIMEOUT),
                            redis::log,
                            redis::kill,
                            redis::startAgain,
                            redis::pause,
                            redis::resume),
                    sessions,
                    front);
        }
    }

    private void withPostgres(Sessions sessions, Front front) throws Exception {
        try (PostgresServer postgres = PostgresServer.start()) {
            String password = URLEncoder.encode(PostgresServer.PASSWORD, StandardCharsets.UTF_8);
            runTest(
                    new Store(
                            postgres.url() + "?user=" + PostgresServer.USER + "&password=" + password
                                    + (IS_WHOLE ? "" : "#" + TIMEOUT),
                            () -> "",
                            postgres::stop,
                            postgres::startAgain,
                            postgres::pause,
                            postgres::resume),
                    sessions,
                    front);
        }
    }

    /**
     * A store in a separate process.
     *
     * @param location the value of {@code session-store}
     * @param log the output of the store
     */
    private record Store(String location, Supplier<String> log, Step stop, Step start, Step pause, Step resume) {}

    /** An action that changes the state of the store. */
    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    /** Starts a proxy in front of the nodes, with the configuration in {@code docs/production.md}. */
    @FunctionalInterface
    private interface Front {
        ProxyProcess start(Sessions sessions) throws IOException;
    }

    private void runTest(Store store, Sessions sessions, Front front) throws Exception {
        Path realm = Files.writeString(
                folder.resolve("users"),
                "ann:" + PasswordHash.of("secret", 1000).text() + ":staff\n");
        for (String name : List.of("node1", "node2", "node3")) {
            ClusterNode node =
                    new ClusterNode(name, store.location(), sessions == Sessions.STICKY ? "on" : "off", realm);
            nodes.add(node);
            launch(node, versions.get(1));
        }
        for (ClusterNode node : nodes) {
            node.awaitStart();
        }
        try (ProxyProcess proxy = front.start(sessions);
                ClusterUsers users = new ClusterUsers(proxy.port(), USERS)) {
            try {
                runTest(store, users);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(e + "\n" + logs(store, proxy), e);
            }
        }
    }

    /**
     * Starts a node. The short form of the test runs during a build. Then other programs may use all cores, and the first calls of a new
     * node to the store take long. With the default limits, later calls would wait too long for a free thread, and the node would refuse
     * their requests. So the short form allows more threads, and has no time limit that a busy machine can reach.
     */
    private void launch(ClusterNode node, Path application) throws IOException {
        String[] moreThreads = {"--workers=128", "--session-store-threads=64", "--session-store-wait=30s"};
        node.launch(application, IS_WHOLE ? new String[0] : moreThreads);
    }

    private void runTest(Store store, ClusterUsers users) throws Exception {
        users.begin();
        users.startSending(RATE, RATE / 2.0);
        long from = System.nanoTime();
        users.awaitServed(5 * RATE);
        report("%.0f requests a second served at first", 5 * RATE / ((System.nanoTime() - from) / 1e9));
        kill(users);
        restart(users);
        makeStoreUnavailable(store, users);
        users.end();
        users.compare();
        assertEquals(List.of(), users.takeFailures());
        assertEquals(List.of(), users.problems());
        report("%d requests served, %d not sent, counters ahead by %d", users.served(), users.notSent(), users.ahead());
    }

    private String logs(Store store, ProxyProcess proxy) {
        StringBuilder logs = new StringBuilder(proxy.log())
                .append("\n---- store\n")
                .append(store.log().get());
        for (ClusterNode node : nodes) {
            try {
                logs.append("\n---- ").append(node.name()).append('\n').append(node.log());
            } catch (IOException e) {
                logs.append(e);
            }
        }
        return logs.toString();
    }

    /** Kills nodes one after the other. Checks that a request fails only if it was running when a node was killed. */
    private void kill(ClusterUsers users) throws Exception {
        assertEquals(List.of(), users.takeFailures());
        for (int i = 0; i < KILLS; i++) {
            ClusterNode node = nodes.get(i % nodes.size());
            long from = System.nanoTime();
            node.kill();
            kills.add(new Span(from, System.nanoTime()));
            launch(node, versions.get(1));
            node.awaitStart();
            users.awaitServed(RATE * SECONDS);
        }
        List<ClusterUsers.Failure> failures = users.takeFailures();
        List<ClusterUsers.Failure> others = failures.stream()
                .filter(failure -> kills.stream().noneMatch(kill -> failure.isWithin(kill.from(), kill.to())))
                .toList();
        assertEquals(List.of(), others);
        assertEquals(List.of(), users.problems());
        report("%d kills: %d requests failed", KILLS, failures.size());
    }

    /**
     * Restarts one node after the other. In each rolling restart, the nodes switch to the other version of the application. Checks that no
     * request fails.
     */
    private void restart(ClusterUsers users) throws Exception {
        for (int round = 1; round <= ROLLING_RESTARTS; round++) {
            for (ClusterNode node : nodes) {
                node.stop();
                launch(node, versions.get(round % 2 + 1));
                node.awaitStart();
                users.awaitServed(RATE);
            }
        }
        assertEquals(List.of(), users.takeFailures());
        assertEquals(List.of(), users.problems());
        report("%d rolling restarts of %d nodes: no request failed", ROLLING_RESTARTS, nodes.size());
    }

    private void makeStoreUnavailable(Store store, ClusterUsers users) throws Exception {
        makeStoreUnavailable("stopped", users, store.stop(), store.start());
        makeStoreUnavailable("paused", users, store.pause(), store.resume());
    }

    /**
     * Makes the store unavailable for some time. Checks that the nodes refuse only requests with a session during this time, and that they
     * serve all requests afterwards.
     */
    private void makeStoreUnavailable(String what, ClusterUsers users, Step away, Step back) throws Exception {
        users.takePlainTimes();
        users.awaitPlain(RATE * OUTAGE_SECONDS / 2);
        ClusterUsers.Times before = users.takePlainTimes();
        users.takeRefusedTimes();
        long from = System.nanoTime();
        away.run();
        users.awaitRefused(RATE * OUTAGE_SECONDS);
        users.awaitPlain(RATE * OUTAGE_SECONDS / 2);
        ClusterUsers.Times during = users.takePlainTimes();
        back.run();
        long returned = System.nanoTime();
        int refused;
        do {
            refused = users.refused();
            users.awaitServed(RATE);
        } while (users.refused() != refused);
        long to = System.nanoTime();
        List<ClusterUsers.Failure> others = users.takeFailures().stream()
                .filter(failure -> !failure.isRefusal() || !failure.isWithin(from, to))
                .toList();
        assertEquals(List.of(), others, "unexpected failures while the store was " + what);
        assertEquals(List.of(), users.problems(), "problems while the store was " + what);
        ClusterUsers.Times refusals = users.takeRefusedTimes();
        report(
                "store %s: without session before %s, meanwhile %s; refused %s; back after %d ms",
                what, before, during, refusals, (to - returned) / 1_000_000);
        if (IS_WHOLE) {
            assertTrue(during.p99Millis() <= 3 * before.p99Millis(), "slow requests while the store was " + what);
        }
    }

    private static void report(String format, Object... values) {
        System.out.println("ClusterIT: " + format.formatted(values));
    }

    private Map<String, String> addresses() {
        return Map.of(
                "127.0.0.1:8080", "127.0.0.1:" + nodes.get(0).port(),
                "127.0.0.1:8081", "127.0.0.1:" + nodes.get(1).port(),
                "127.0.0.1:8082", "127.0.0.1:" + nodes.get(2).port());
    }

    private ProxyProcess haproxy(Sessions sessions) throws IOException {
        String backend = ProductionDocument.block("haproxy", "use-server", addresses());
        for (int i = 0; i < nodes.size(); i++) {
            backend =
                    backend.replace("port " + (9090 + i), "port " + nodes.get(i).adminPort());
        }
        if (sessions == Sessions.NOT_STICKY) {
            backend = backend.lines()
                    .filter(line -> !line.contains("use-server"))
                    .collect(Collectors.joining("\n", "", "\n"));
        }
        String lines = backend;
        return ProxyProcess.haproxy(port -> """
                    mode http
                frontend site
                    bind 127.0.0.1:%d
                    default_backend penstock
                backend penstock
                %s""".formatted(port, lines));
    }

    private ProxyProcess nginx(Sessions sessions) throws IOException {
        String blocks = ProductionDocument.block("nginx", "map $cookie_jsessionid", addresses());
        String upstream = sessions == Sessions.STICKY ? "$node" : "penstock";
        return ProxyProcess.nginx(port -> blocks + """
                server {
                    listen 127.0.0.1:%d;
                    location / {
                        proxy_pass http://%s;
                        proxy_http_version 1.1;
                        proxy_set_header Connection "";
                        proxy_set_header Host $http_host;
                    }
                }
                """.formatted(port, upstream));
    }
}
