package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.LoadResult;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Users, each with a connection, who come within a short time and then send requests without pauses. If a connection is not made within a
 * second, the attempt counts as an error, and the user tries again.
 *
 * @param connections the number of users
 * @param path the path of the requests
 * @param content the file that the path names, if it names one
 * @param rampUp the time within which all users come
 */
record Users(int connections, String path, Map<String, Long> content, Duration rampUp) implements Job.Together {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int WARM_UP_USERS = 64;

    @Override
    public void warmUp(Stage stage, Contender contender, Duration time) throws IOException, InterruptedException {
        stage.send(
                contender.target(path),
                Requests.get(path, 0, Math.min(WARM_UP_USERS, connections)),
                time,
                new Figures());
    }

    @Override
    public void measure(Stage stage, Contender contender, Figures figures) throws IOException, InterruptedException {
        Duration time = stage.sizes().duration();
        ClosedPlan plan = ClosedPlan.of(Request.get(contender.target(path)), connections, time)
                .withRampUp(rampUp)
                .withWarmUp(rampUp);
        // The limit is twice the number of users, since a new connection may be opened before the last one is closed.
        ClientSettings settings = stage.clients(2 * connections).withConnectTimeout(CONNECT_TIMEOUT);
        try (ClientLoop loop = ClientLoop.start(settings)) {
            CompletableFuture<LoadResult> load = new ClosedLoop(loop, plan).start();
            Thread.sleep(rampUp.toMillis());
            Requests.Effort effort = Requests.Effort.now(contender);
            LoadResult result = Load.await(load, time.plus(PATIENCE));
            double seconds = result.elapsed().toNanos() / 1e9;
            effort.put(figures, Figure.CPU, result.answered(), seconds);
            figures.put(Figure.REQUESTS, result.perSecond())
                    .put(Figure.P50, result.latency(), 50)
                    .put(Figure.P99, result.latency(), 99)
                    .put(Figure.P999, result.latency(), 99.9)
                    .put(Figure.CONNECT_ERRORS, result.failedAttempts() * 60 / (seconds + rampUp.toNanos() / 1e9))
                    .put(Figure.UNSERVED, result.unserved())
                    .failed(result);
        }
    }
}
