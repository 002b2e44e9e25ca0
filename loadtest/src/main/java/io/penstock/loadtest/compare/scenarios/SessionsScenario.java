package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Response;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.RedisServer;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Measures the cost of a session that is stored in Redis, and the number of changes that are lost. */
record SessionsScenario(SessionsPlan plan) implements Scenario {
    private static final Measure REQUESTS = Measure.tenths("requestsPerSecond", "requests/s");
    private static final Measure CPU = Measure.tenths("cpuMicrosPerRequest", "server CPU µs/request");
    private static final Measure REDIS_CPU = Measure.tenths("redisCpuMicrosPerRequest", "Redis CPU µs/request");
    private static final Measure CALLS = Measure.hundredths("callsPerRequest", "Redis calls/request");
    private static final Measure TRAFFIC = Measure.whole("redisBytesPerRequest", "bytes to and from Redis/request");
    private static final Measure COMMANDS = Measure.text("commands", "commands/request");
    private static final Measure STORED = Measure.whole("storedBytesEach", "bytes in Redis for a session");
    private static final Measure HEAP = Measure.whole("heapBytesEach", "heap bytes for a session");
    private static final Measure FAILED = Measure.whole("failed", "failed");
    private static final Measure ONE_OWN = Measure.whole("oneNodeOwnLost", "one node: own lost");
    private static final Measure ONE_COUNTER = Measure.whole("oneNodeCounterLost", "one node: counter lost");
    private static final Measure ONE_IN_PLACE = Measure.whole("oneNodeInPlaceLost", "one node: in place lost");
    private static final Measure TWO_OWN = Measure.whole("twoNodesOwnLost", "two nodes: own lost");
    private static final Measure TWO_COUNTER = Measure.whole("twoNodesCounterLost", "two nodes: counter lost");
    private static final Measure TWO_IN_PLACE = Measure.whole("twoNodesInPlaceLost", "two nodes: in place lost");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first error");

    private static final Duration DEADLINE = Duration.ofSeconds(30);
    private static final int OK = 200;
    /** Commands with which a client makes Redis run a script. */
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro");
    /** The commands that this comparison sends, and the commands at the start of a connection. They are not caused by requests. */
    private static final Set<String> NOT_OF_REQUESTS =
            Set.of("info", "ping", "hello", "client|setinfo", "client|setname");

    /** The minimum number of commands per request. A command that is called less often is not listed. */
    private static final double LISTED = 0.05;

    @Override
    public String name() {
        return "sessions";
    }

    @Override
    public String title() {
        return "Sessions in Redis";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "%d connections, each with a session of its own, send requests as fast as they can to a servlet"
                        + " that reads one attribute and writes it. Each session has another attribute of %,d characters."
                        + " Each turn has a Redis of its own on the same machine, which writes nothing to disk. *Commands*"
                        + " are counted by Redis, also within scripts. *Calls* are scripts, or commands outside of scripts."
                        + " *Bytes* and *heap* are measured with %,d more sessions: the growth of Redis, and that of the"
                        + " server's heap after a full collection, divided by the number of these sessions.\n\n"
                        + "**Lost updates.** %d clients share one session. All clients work in parallel, and each sends %d"
                        + " requests, one after the other. Each request makes three changes: it sets an attribute that only"
                        + " its client uses (*own*) to the client's next number; it adds one to a common *counter* and sets"
                        + " it, under a lock of the JVM; and it adds one to an object in the session without setting it"
                        + " again (*in place*). When all requests are answered, the session is read. A change is lost"
                        + " if its request was answered 200, and the change is missing. For *own* the number of lost"
                        + " changes is the difference between the attribute and the last number that its client was told."
                        + " For the two counters it is the difference between the counter and the number of answered"
                        + " requests. *One node* corresponds to sticky requests. With *two nodes* each"
                        + " client sends its requests to both in turns. Then a lock of the JVM does not protect the"
                        + " counters, and the specification promises nothing.",
                plan.connections(),
                plan.bytes(),
                plan.stored(),
                plan.clients(),
                plan.changes());
    }

    @Override
    public String partTitle() {
        return "";
    }

    @Override
    public List<Measure> columns() {
        return List.of(
                REQUESTS,
                CPU,
                REDIS_CPU,
                CALLS,
                TRAFFIC,
                COMMANDS,
                STORED,
                HEAP,
                FAILED,
                ONE_OWN,
                ONE_COUNTER,
                ONE_IN_PLACE,
                TWO_OWN,
                TWO_COUNTER,
                TWO_IN_PLACE,
                TROUBLE);
    }

    @Override
    public String settings() {
        return plan.workers() + " threads that run servlets; " + Scenario.super.settings();
    }

    @Override
    public int connections() {
        return Math.max(plan.connections(), 2 * plan.clients());
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        try (RedisServer redis = RedisServer.start();
                ServerProcess node = launch.start(common -> withSessionsIn(redis, common))) {
            recorder.started(node);
            Results.Round round = recorder.part("");
            measureRequests(redis, node, round);
            measureSize(redis, node, round);
            LostUpdates one = ChangingClients.run(List.of(node), plan.clients(), plan.changes());
            round.put(ONE_OWN, one.own()).put(ONE_COUNTER, one.counter()).put(ONE_IN_PLACE, one.inPlace());
            try (ServerProcess other = launch.start(common -> withSessionsIn(redis, common))) {
                LostUpdates two = ChangingClients.run(List.of(node, other), plan.clients(), plan.changes());
                round.put(TWO_OWN, two.own()).put(TWO_COUNTER, two.counter()).put(TWO_IN_PLACE, two.inPlace());
                round.put(FAILED, failed(round) + one.failed() + two.failed());
            }
        }
    }

    private ServerOptions withSessionsIn(RedisServer redis, ServerOptions common) {
        return common.withWorkers(plan.workers()).with("session-store", redis.url());
    }

    private static double failed(Results.Round round) {
        Double failed = round.number(FAILED);
        return failed == null ? 0 : failed;
    }

    private void measureRequests(RedisServer redis, ServerProcess node, Results.Round round)
            throws IOException, InterruptedException {
        List<Request> requests = new ArrayList<>();
        for (String cookie : makeSessions(node, plan.connections())) {
            requests.add(Request.get(node.target(path())).withField("Cookie", cookie));
        }
        AskingUsers.ask(node, requests, plan.warmUp());
        Map<String, Long> before = redis.calls();
        long trafficBefore = redis.traffic();
        ProcessAccount nodeBefore = node.account();
        ProcessAccount redisBefore = ProcessAccount.of(redis.pid());
        AskingUsers.Got got = AskingUsers.ask(node, requests, plan.time());
        double nodeMicros = node.account().cpuSecondsSince(nodeBefore) * 1e6;
        double redisMicros = ProcessAccount.of(redis.pid()).cpuSecondsSince(redisBefore) * 1e6;
        long traffic = redis.traffic() - trafficBefore;
        Map<String, Long> commands = difference(redis.calls(), before);
        round.put(FAILED, got.failed()).put(TROUBLE, got.firstTrouble());
        if (got.good() > 0) {
            double all = got.good();
            round.put(REQUESTS, all / (got.nanos() / 1e9))
                    .put(CPU, nodeMicros / all)
                    .put(REDIS_CPU, redisMicros / all)
                    .put(CALLS, callsOfClients(commands) / all)
                    .put(TRAFFIC, traffic / all)
                    .put(COMMANDS, listed(commands, all));
        }
    }

    private void measureSize(RedisServer redis, ServerProcess node, Results.Round round)
            throws IOException, InterruptedException {
        long heapBefore = node.collectTwice().heapBytes();
        long before = redis.usedMemory();
        makeSessions(node, plan.stored());
        round.put(STORED, (redis.usedMemory() - before) / (double) plan.stored())
                .put(HEAP, (node.collectTwice().heapBytes() - heapBefore) / (double) plan.stored());
    }

    /** Creates new sessions, one after the other, and returns their cookies. */
    private List<String> makeSessions(ServerProcess node, int number) throws IOException, InterruptedException {
        List<String> cookies = new ArrayList<>();
        try (MultiplexedClient client = MultiplexedClient.start(ClientSettings.defaults())) {
            for (int i = 0; i < number; i++) {
                Response made = client.fetch(node.uri(path()), DEADLINE);
                if (made.status() != OK) {
                    throw new IOException("a session could not be made: status " + made.status());
                }
                cookies.add(SessionCookie.of(made));
            }
        }
        return cookies;
    }

    private String path() {
        return "/session?bytes=" + plan.bytes();
    }

    /** The number of commands between two samples, without the commands in {@link #NOT_OF_REQUESTS}. */
    static Map<String, Long> difference(Map<String, Long> after, Map<String, Long> before) {
        Map<String, Long> calls = new TreeMap<>();
        after.forEach((name, count) -> {
            long more = count - before.getOrDefault(name, 0L);
            if (more > 0 && !NOT_OF_REQUESTS.contains(name)) {
                calls.put(name, more);
            }
        });
        return calls;
    }

    /**
     * The number of commands that the servers have sent to Redis. If they have called scripts, only the calls of scripts are counted. In
     * this case all other commands were run by the scripts.
     */
    static long callsOfClients(Map<String, Long> commands) {
        long scripts = commands.entrySet().stream()
                .filter(command -> SCRIPTS.contains(command.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
        return scripts > 0
                ? scripts
                : commands.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String listed(Map<String, Long> commands, double requests) {
        return commands.entrySet().stream()
                .filter(command -> command.getValue() / requests >= LISTED)
                .map(command -> String.format(Locale.ROOT, "%s %.1f", command.getKey(), command.getValue() / requests))
                .collect(Collectors.joining(", "));
    }
}
