package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.RedisServer;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/** The cost of a session that is stored in Redis, and the number of changes that are lost. */
record Sessions(Sizes sizes) implements Job.Alone {
    private static final Size<Integer> CONNECTIONS =
            Size.count("--connections", 64, 8, "Number of connections, each with its own session.");
    private static final Size<Integer> BYTES =
            Size.count("--bytes", 1024, 1024, "Size of the attribute of each session that does not change.");
    private static final Size<Integer> WORKERS =
            Size.count("--workers", 200, 200, "Number of threads that run servlets, for each server.");
    private static final Size<Integer> STORED =
            Size.count("--stored", 2000, 50, "Number of sessions with which the size of a session is measured.");
    private static final Size<Integer> CLIENTS =
            Size.count("--clients", 8, 4, "Number of clients that change one session in parallel.");
    private static final Size<Integer> CHANGES =
            Size.count("--changes", 250, 20, "Number of changes of each such client.");

    static final List<Size<?>> SIZES = List.of(
            CONNECTIONS,
            BYTES,
            WORKERS,
            Size.time("--warm-up", "10s", "500ms", "Warm-up time."),
            Size.time("--duration", "10s", "1s", "Measured time of each round."),
            STORED,
            CLIENTS,
            CHANGES);

    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Commands with which a client makes Redis run a script. */
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha", "eval_ro", "evalsha_ro", "fcall", "fcall_ro");

    /** The commands that this comparison sends, and the commands at the start of a connection. They are not caused by requests. */
    private static final Set<String> NOT_OF_REQUESTS =
            Set.of("info", "ping", "hello", "client|setinfo", "client|setname");

    /** A command that is called less often for each request is not listed. */
    private static final double LISTED = 0.05;

    @Override
    public int connections() {
        return Math.max(sizes.of(CONNECTIONS), 2 * sizes.of(CLIENTS));
    }

    @Override
    public boolean fits(Server server) {
        return server.needsSessionStore();
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        try (RedisServer redis = RedisServer.start();
                ServerProcess node = stage.start(server, common -> withSessionsIn(redis, common))) {
            requests(redis, node, figures);
            size(redis, node, figures);
            LostUpdates one = LostUpdates.measure(List.of(node), sizes.of(CLIENTS), sizes.of(CHANGES));
            figures.put(Figure.ONE_OWN, one.own())
                    .put(Figure.ONE_COUNTER, one.counter())
                    .put(Figure.ONE_IN_PLACE, one.inPlace());
            try (ServerProcess other = stage.start(server, common -> withSessionsIn(redis, common))) {
                LostUpdates two = LostUpdates.measure(List.of(node, other), sizes.of(CLIENTS), sizes.of(CHANGES));
                figures.put(Figure.TWO_OWN, two.own())
                        .put(Figure.TWO_COUNTER, two.counter())
                        .put(Figure.TWO_IN_PLACE, two.inPlace())
                        .put(Figure.FAILED, figures.get(Figure.FAILED) + one.failed() + two.failed());
            }
        }
    }

    private ServerOptions withSessionsIn(RedisServer redis, ServerOptions common) {
        return common.withWorkers(sizes.of(WORKERS)).with("session-store", redis.url());
    }

    private void requests(RedisServer redis, ServerProcess node, Figures figures)
            throws IOException, InterruptedException {
        List<Request> requests = new ArrayList<>();
        for (String cookie : makeSessions(node, sizes.of(CONNECTIONS))) {
            requests.add(Request.get(node.target(path())).withField("Cookie", cookie));
        }
        send(requests, sizes.warmUp());
        Map<String, Long> before = redis.calls();
        long trafficBefore = redis.traffic();
        ProcessAccount nodeBefore = node.account();
        ProcessAccount redisBefore = ProcessAccount.of(redis.pid());
        LoadResult result = send(requests, sizes.duration());
        double nodeSeconds = node.account().cpuSecondsSince(nodeBefore);
        double redisSeconds = ProcessAccount.of(redis.pid()).cpuSecondsSince(redisBefore);
        long traffic = redis.traffic() - trafficBefore;
        Map<String, Long> commands = difference(redis.calls(), before);
        figures.by(Client.OWN).failed(result);
        if (result.answered() > 0) {
            double all = result.answered();
            figures.put(Figure.REQUESTS, result.perSecond())
                    .put(Figure.CPU, nodeSeconds * 1e6 / all)
                    .put(Figure.REDIS_CPU, redisSeconds * 1e6 / all)
                    .put(Figure.REDIS_CALLS, callsOfClients(commands) / all)
                    .put(Figure.REDIS_BYTES, traffic / all)
                    .note("commands/request: " + listed(commands, all));
        }
    }

    private static LoadResult send(List<Request> requests, Duration time) throws IOException, InterruptedException {
        try (ClientLoop loop = ClientLoop.start(2 * requests.size())) {
            return new ClosedLoop(loop, ClosedPlan.each(requests, time)).await();
        }
    }

    private void size(RedisServer redis, ServerProcess node, Figures figures) throws IOException, InterruptedException {
        double stored = sizes.of(STORED);
        long heapBefore = node.collectTwice().heapBytes();
        long before = redis.usedMemory();
        makeSessions(node, sizes.of(STORED));
        figures.put(Figure.STORED, (redis.usedMemory() - before) / stored)
                .put(Figure.SESSION_HEAP, (node.collectTwice().heapBytes() - heapBefore) / stored);
    }

    /** Creates new sessions, one after the other, and returns their cookies. */
    private List<String> makeSessions(ServerProcess node, int number) throws IOException, InterruptedException {
        List<String> cookies = new ArrayList<>();
        HttpClient client = client();
        for (int i = 0; i < number; i++) {
            cookies.add(cookie(fetched(client, node.uri(path()), "")));
        }
        return cookies;
    }

    static HttpClient client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    }

    /**
     * Returns the response to a GET request.
     *
     * @param cookie the field {@code Cookie}; empty for a new session
     * @throws IOException if the status is not 200, or the response does not come in time
     */
    static HttpResponse<String> fetched(HttpClient client, URI uri, String cookie)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(DEADLINE);
        if (!cookie.isEmpty()) {
            request.setHeader("Cookie", cookie);
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != 200) {
            throw new IOException(uri.getPath() + " is answered with status " + response.statusCode());
        }
        return response;
    }

    /**
     * Returns the value of the field {@code Cookie} for the following requests of the session.
     *
     * @throws IOException if the response sets no cookie
     */
    static String cookie(HttpResponse<?> response) throws IOException {
        return response.headers()
                .firstValue("Set-Cookie")
                .orElseThrow(() -> new IOException("the server has set no cookie for a session"))
                .split(";", 2)[0];
    }

    private String path() {
        return "/session?bytes=" + sizes.of(BYTES);
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

    /**
     * The number of lost changes of one session. A change is lost if its request was answered with status 200 but the session does not contain
     * the change at the end.
     *
     * @param told the number of changes whose requests were answered with status 200
     * @param failed the number of changes whose requests had another response or no response
     * @param own the number of lost changes of attributes that only one client changes; for each attribute, this is the last confirmed value
     *     minus the value in the session
     * @param counter the number of lost changes of a counter that each request changes and stores under a lock
     * @param inPlace the number of lost changes of a counter object that each request changes without storing it in the session again
     */
    record LostUpdates(long told, long failed, long own, long counter, long inPlace) {
        private static final String PATH = "/changes";

        /**
         * @param lastTold a map from the number of each client to the last value that was confirmed to this client
         * @param told the number of confirmed changes of all clients
         * @param found the attributes of the session at the end
         */
        static LostUpdates of(Map<Integer, Integer> lastTold, long told, long failed, Map<String, Long> found) {
            long own = 0;
            for (Map.Entry<Integer, Integer> client : lastTold.entrySet()) {
                own += missing(client.getValue(), found, "client-" + client.getKey());
            }
            return new LostUpdates(
                    told, failed, own, missing(told, found, "counter"), missing(told, found, "in-place"));
        }

        /**
         * Returns the number of lost changes. The value in the session can be higher than expected if a change was made but its response did
         * not arrive. In this case no change is lost.
         */
        private static long missing(long told, Map<String, Long> found, String name) {
            return Math.max(0, told - found.getOrDefault(name, 0L));
        }

        /**
         * Creates a session, lets clients change it in parallel, and reads the result. Each client sends its changes one after the other, and
         * alternates between the nodes.
         *
         * @param nodes the servers that share a session store; the last server reads the session at the end
         */
        static LostUpdates measure(List<ServerProcess> nodes, int clients, int changes)
                throws IOException, InterruptedException {
            HttpClient client = Sessions.client();
            ExecutorService threads = Executors.newFixedThreadPool(clients);
            AtomicLong told = new AtomicLong();
            try {
                String cookie =
                        Sessions.cookie(Sessions.fetched(client, nodes.get(0).uri(PATH), ""));
                List<Future<Integer>> running = new ArrayList<>();
                for (int number = 0; number < clients; number++) {
                    int own = number;
                    running.add(threads.submit(() -> {
                        int last = 0;
                        for (int value = 1; value <= changes; value++) {
                            ServerProcess node = nodes.get((value + own) % nodes.size());
                            try {
                                Sessions.fetched(client, node.uri(PATH + "?client=" + own + "&value=" + value), cookie);
                                last = value;
                                told.incrementAndGet();
                            } catch (IOException unanswered) {
                                // The change counts as failed, like every change without a response of status 200.
                            }
                        }
                        return last;
                    }));
                }
                Map<Integer, Integer> last = new HashMap<>();
                for (Future<Integer> one : running) {
                    last.put(last.size(), one.get());
                }
                HttpResponse<String> found =
                        Sessions.fetched(client, nodes.get(nodes.size() - 1).uri(PATH), cookie);
                return of(last, told.get(), (long) clients * changes - told.get(), attributes(found.body()));
            } catch (ExecutionException broken) {
                throw new IOException("A client has failed: " + broken.getCause(), broken);
            } finally {
                threads.shutdownNow();
            }
        }

        private static Map<String, Long> attributes(String text) {
            Map<String, Long> found = new HashMap<>();
            text.lines().map(line -> line.split("=", 2)).forEach(line -> found.put(line[0], Long.valueOf(line[1])));
            return found;
        }
    }
}
