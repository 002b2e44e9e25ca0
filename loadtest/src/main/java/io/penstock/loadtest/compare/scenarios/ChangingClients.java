package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.CallException;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.MultiplexedClient;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Response;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Clients that change one session in parallel. Each client sends its changes one after the other, and alternates between the nodes.
 *
 * <p>Thread: the thread that runs the scenario, and one thread for each client.
 */
final class ChangingClients {
    private static final String PATH = "/changes";
    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int OK = 200;

    private final MultiplexedClient client;
    private final List<ServerProcess> nodes;
    private final String cookie;

    /** The responses to one client: the last value that was confirmed, and the numbers of successful and failed requests. */
    private record Told(int last, long answered, long failed) {}

    private ChangingClients(MultiplexedClient client, List<ServerProcess> nodes, String cookie) {
        this.client = client;
        this.nodes = nodes;
        this.cookie = cookie;
    }

    /**
     * Creates a session, lets the clients change the session, and reads the result.
     *
     * @param nodes the servers that share a session store; the last server reads the session at the end
     */
    static LostUpdates run(List<ServerProcess> nodes, int clients, int changes)
            throws IOException, InterruptedException {
        ClientSettings settings = ClientSettings.defaults().withMaxConnections(clients * nodes.size());
        try (MultiplexedClient client = MultiplexedClient.start(settings)) {
            Response made = client.fetch(Request.get(nodes.get(0).target(PATH)), DEADLINE);
            if (made.status() != OK) {
                throw new IOException("a session could not be made: status " + made.status());
            }
            return new ChangingClients(client, nodes, SessionCookie.of(made)).change(clients, changes);
        }
    }

    private LostUpdates change(int clients, int changes) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        try {
            List<Future<Told>> running = new ArrayList<>();
            for (int number = 0; number < clients; number++) {
                int own = number;
                running.add(threads.submit(() -> changeOneByOne(own, changes)));
            }
            Map<Integer, Integer> last = new HashMap<>();
            long answered = 0;
            long failed = 0;
            for (int number = 0; number < clients; number++) {
                Told told = running.get(number).get();
                last.put(number, told.last());
                answered += told.answered();
                failed += told.failed();
            }
            return LostUpdates.of(last, answered, failed, found());
        } catch (ExecutionException broken) {
            throw new IOException("A client has failed: " + broken.getCause(), broken);
        } finally {
            threads.shutdownNow();
        }
    }

    private Told changeOneByOne(int number, int changes) throws InterruptedException {
        int last = 0;
        long answered = 0;
        for (int value = 1; value <= changes; value++) {
            ServerProcess node = nodes.get((value + number) % nodes.size());
            String path = PATH + "?client=" + number + "&value=" + value;
            try {
                if (ask(node, path).status() == OK) {
                    last = value;
                    answered++;
                }
            } catch (CallException unanswered) {
                // The change counts as failed, like every change whose response does not have status 200.
            }
        }
        return new Told(last, answered, changes - answered);
    }

    private Map<String, Long> found() throws IOException, InterruptedException {
        Response answer = ask(nodes.get(nodes.size() - 1), PATH);
        if (answer.status() != OK) {
            throw new IOException("the session could not be read: status " + answer.status());
        }
        Map<String, Long> found = new HashMap<>();
        answer.text().lines().forEach(line -> {
            int equals = line.indexOf('=');
            found.put(line.substring(0, equals), Long.valueOf(line.substring(equals + 1)));
        });
        return found;
    }

    private Response ask(ServerProcess node, String path) throws CallException, InterruptedException {
        return client.fetch(Request.get(node.target(path)).withField("Cookie", cookie), DEADLINE);
    }
}
