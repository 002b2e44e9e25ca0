package io.penstock.loadtest.compare;

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
import java.util.concurrent.atomic.AtomicLong;

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
    private static final Duration DEADLINE = Duration.ofSeconds(10);

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
        return new LostUpdates(told, failed, own, missing(told, found, "counter"), missing(told, found, "in-place"));
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
        ClientSettings settings = ClientSettings.defaults().withMaxConnections(clients * nodes.size());
        ExecutorService threads = Executors.newFixedThreadPool(clients);
        AtomicLong told = new AtomicLong();
        try (MultiplexedClient client = MultiplexedClient.start(settings)) {
            Response made = answered(client.fetch(Request.get(nodes.get(0).target(PATH)), DEADLINE));
            String cookie = Sessions.cookie(made);
            List<Future<Integer>> running = new ArrayList<>();
            for (int number = 0; number < clients; number++) {
                int own = number;
                running.add(threads.submit(() -> {
                    int last = 0;
                    for (int value = 1; value <= changes; value++) {
                        Request request = Request.get(nodes.get((value + own) % nodes.size())
                                .target(PATH + "?client=" + own + "&value=" + value));
                        try {
                            request = request.withField("Cookie", cookie);
                            if (client.fetch(request, DEADLINE).status() == 200) {
                                last = value;
                                told.incrementAndGet();
                            }
                        } catch (CallException unanswered) {
                            // The change counts as failed, like every change whose response does not have status 200.
                        }
                    }
                    return last;
                }));
            }
            Map<Integer, Integer> last = new HashMap<>();
            for (Future<Integer> one : running) {
                last.put(last.size(), one.get());
            }
            Request read = Request.get(nodes.get(nodes.size() - 1).target(PATH)).withField("Cookie", cookie);
            Response found = answered(client.fetch(read, DEADLINE));
            return of(last, told.get(), (long) clients * changes - told.get(), attributes(found));
        } catch (ExecutionException broken) {
            throw new IOException("A client has failed: " + broken.getCause(), broken);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Response answered(Response response) throws IOException {
        if (response.status() != 200) {
            throw new IOException("a session could not be made or read: status " + response.status());
        }
        return response;
    }

    private static Map<String, Long> attributes(Response response) {
        Map<String, Long> found = new HashMap<>();
        response.text()
                .lines()
                .map(line -> line.split("=", 2))
                .forEach(line -> found.put(line[0], Long.valueOf(line[1])));
        return found;
    }
}
