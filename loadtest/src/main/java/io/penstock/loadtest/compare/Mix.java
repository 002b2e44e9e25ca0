package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Calls of several kinds at the same time.
 *
 * @param boot whether a Spring Boot application answers them
 * @param warm whether the server is warmed up, by the first kind of calls; otherwise the measurement begins when it has started
 * @param calls only the first kind may have a rate
 */
record Mix(boolean boot, boolean warm, List<Calls> calls) implements Job.Alone {
    /** The turn of a warm server, as a multiple of the usual time. */
    private static final int WARM_TURNS = 3;

    private static final int FEW = 16;

    /** The time for which the other calls run before a request at a rate is counted. */
    private static final Duration BEFORE = Duration.ofSeconds(1);

    private static final Duration DEADLINE = Duration.ofSeconds(2);

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

        private Requests requests() {
            return Requests.get(path, 0, connections);
        }
    }

    @Override
    public int connections() {
        return calls.stream().mapToInt(Calls::connections).sum();
    }

    @Override
    public boolean fits(Server server) {
        return boot ? server.isUnderBoot() : Alone.super.fits(server);
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        Optional<Calls> due = due();
        if (!warm && due.isPresent()) {
            // Otherwise the first server would wait for a client whose code is not compiled.
            try (ServerProcess other = stage.start(server)) {
                atRate(other, due.get(), stage.sizes().warmUp());
            }
        }
        try (ServerProcess process = stage.start(server)) {
            Duration time = stage.sizes().duration();
            if (warm) {
                Calls first = calls.get(0);
                int connections = first.rate() == 0 ? first.connections() : Math.min(first.connections(), FEW);
                stage.send(
                        process.target(first.path()),
                        Requests.get(first.path(), 0, connections),
                        stage.sizes().warmUp(),
                        figures);
                time = time.multipliedBy(WARM_TURNS);
            }
            all(stage, process, time, figures);
            ProcessAccount account = process.account();
            figures.put(Figure.RESIDENT, account.residentBytes() / 1e6).put(Figure.THREADS, account.threads());
        }
    }

    private void all(Stage stage, ServerProcess process, Duration time, Figures figures)
            throws IOException, InterruptedException {
        Optional<Calls> due = due();
        // The other calls begin a second before the first request that is counted, and end after the last.
        Duration beside = due.isEmpty() ? time : time.plus(BEFORE).plus(BEFORE);
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<Client.Got>> running = new ArrayList<>();
            for (Calls kind : calls) {
                if (kind.rate() == 0) {
                    running.add(threads.submit(
                            () -> stage.send(process.target(kind.path()), kind.requests(), beside, figures)));
                }
            }
            if (due.isPresent()) {
                LoadResult result = atRate(process, due.get(), time);
                figures.put(Figure.REQUESTS, result.perSecond())
                        .put(Figure.QUICK_TAIL, result.answered() > 0 ? result.millis(99) : Double.POSITIVE_INFINITY)
                        .failed(result);
            }
            double perSecond = 0;
            long failed = 0;
            for (Future<Client.Got> kind : running) {
                Client.Got got = kind.get();
                perSecond += got.good() == 0 ? 0 : got.good() / got.seconds();
                failed += got.failed();
                figures.note(got.firstTrouble());
            }
            if (!running.isEmpty()) {
                figures.put(Figure.REQUESTS, perSecond);
            }
            if (due.isEmpty()) {
                figures.put(Figure.FAILED, failed);
            }
        } catch (ExecutionException failed) {
            throw new IOException("the calls beside could not be sent: " + failed.getMessage(), failed);
        } finally {
            threads.shutdownNow();
        }
    }

    private Optional<Calls> due() {
        return calls.stream().filter(kind -> kind.rate() > 0).findFirst();
    }

    private static LoadResult atRate(ServerProcess process, Calls kind, Duration time)
            throws IOException, InterruptedException {
        OpenPlan load = OpenPlan.lasting(Request.get(process.target(kind.path())), kind.rate(), time)
                .withWarmUp(BEFORE)
                .withDeadline(DEADLINE)
                .withMaxConnections(kind.connections());
        try (ClientLoop loop = ClientLoop.start(kind.connections())) {
            return Load.await(new OpenLoop(loop, load).start(), load.patience());
        }
    }
}
