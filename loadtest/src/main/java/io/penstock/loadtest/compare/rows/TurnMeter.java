package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.compare.setup.IdleMemory;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.ContextSwitches;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.ProcessorUse;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Measures one {@link Turn} of a server. Thread: one thread. */
final class TurnMeter implements AutoCloseable {
    private static final String HELLO = "/hello";
    private static final Duration TO_GATHER = Duration.ofSeconds(60);

    // The settings of the slow readers, and of the normal requests at the same time.
    private static final int BYTES_READ = 500;
    private static final int PAUSE_MILLIS = 500;
    private static final int BUFFER = 16 << 10;
    private static final int REQUESTS_PER_SECOND = 10;
    /** The time in which the slow readers connect. Normal requests that are due in this time are not counted. */
    private static final Duration TO_COME = Duration.ofMillis(200);

    /** The time for which the other calls of a {@link Work.Mix} run before a request at a rate is counted. */
    private static final Duration BEFORE = Duration.ofSeconds(1);
    /** The time limit of the requests of a {@link Work.Mix} that have a rate. */
    private static final Duration IN_TIME_BESIDE = Duration.ofSeconds(2);

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    /** If no request was completed in a turn, the turn is repeated with twice the time. A turn of this length or longer is not repeated. */
    private static final Duration ENOUGH = Duration.ofSeconds(10);

    private static final long IN_TIME = TimeUnit.SECONDS.toNanos(1);

    private final Clients clients;
    private final RowsPlan plan;
    private final HandshakeClient handshakes = new HandshakeClient();

    TurnMeter(Clients clients, RowsPlan plan) {
        this.clients = clients;
        this.plan = plan;
    }

    /** The measurements of a turn. */
    record Measured(Map<Figure, Double> figures, String firstTrouble) {}

    /** Sends the requests of the work for the given time, without a measurement. */
    void warmUp(Contender contender, Work work, Duration time) throws IOException, InterruptedException {
        if (work instanceof Work.Requests requests) {
            ask(contender, requests, requests.turn(time));
        } else if (work instanceof Work.Handshakes made) {
            handshakes.make(contender.target(HELLO), made, made.warmUp(time));
        } else if (work instanceof Work.Burst burst) {
            Duration half = time.dividedBy(2);
            ask(contender, Work.Requests.get("", "", pathOf(burst), burst.bytes(), 2), half);
            ask(contender, Work.Requests.get("", "", HELLO, 1, 16), half);
        } else if (work instanceof Work.Mix mix && mix.warm()) {
            Work.Calls first = mix.calls().get(0);
            int connections = first.rate() == 0 ? first.connections() : Math.min(first.connections(), 16);
            ask(contender, Work.Requests.get("", "", first.path(), 0, connections), time);
        }
    }

    private Client.Got ask(Contender contender, Work.Requests work, Duration time)
            throws IOException, InterruptedException {
        return clients.of(work).ask(contender.target(work.path()), work, time);
    }

    Measured measure(Contender contender, Work work) throws IOException, InterruptedException {
        if (work instanceof Work.Requests requests) {
            return requests(contender, requests, requests.turn(plan.duration()));
        }
        if (work instanceof Work.Handshakes made) {
            return handshakes(contender, made, plan.duration());
        }
        if (work instanceof Work.Mix mix) {
            return mix(contender, mix, plan.duration().multipliedBy(mix.turns()));
        }
        if (contender instanceof Contender.Of server) {
            return work instanceof Work.Idle idle
                    ? idle(server.process(), idle)
                    : burst(server.process(), (Work.Burst) work);
        }
        throw new IllegalArgumentException(contender.id() + " does not do " + work.id());
    }

    private Measured requests(Contender contender, Work.Requests work, Duration time)
            throws IOException, InterruptedException {
        ContextSwitches switches = ContextSwitches.of(contender.pid());
        long allocated = contender.allocatedBytes();
        Optional<ProcessorUse> use = ProcessorUse.now();
        ProcessAccount account = ProcessAccount.of(contender.pid());
        Client.Got got = ask(contender, work, time);
        if (wasTooShort(got, time)) {
            return requests(contender, work, time.multipliedBy(2));
        }
        double cpu = ProcessAccount.of(contender.pid()).cpuSecondsSince(account);
        Optional<ProcessorUse> useAfter = ProcessorUse.now();
        long allocatedAfter = contender.allocatedBytes();
        long switched = ContextSwitches.of(contender.pid()).since(switches);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.FAILED, (double) got.failed());
        figures.put(Figure.REQUESTS, got.good() == 0 ? 0 : got.good() / got.seconds());
        if (work.isLarge()) {
            figures.put(Figure.GIGABYTES, got.good() == 0 ? 0 : got.good() * work.answer() / got.seconds() / 1e9);
        }
        if (!Double.isNaN(got.tail())) {
            figures.put(Figure.TAIL, got.tail());
        }
        if (got.good() > 0) {
            figures.put(Figure.CPU, cpu * 1e6 / got.good());
            figures.put(Figure.SWITCHES, (double) switched / got.good());
            if (allocated >= 0) {
                figures.put(Figure.ALLOCATED, (double) (allocatedAfter - allocated) / got.good());
            }
        }
        if (use.isPresent() && useAfter.isPresent() && got.seconds() > 0) {
            figures.put(Figure.CLIENT, (useAfter.get().ownSecondsSince(use.get()) - cpu) / got.seconds());
        }
        return new Measured(figures, got.firstTrouble());
    }

    private Measured handshakes(Contender contender, Work.Handshakes work, Duration time)
            throws IOException, InterruptedException {
        Optional<ProcessorUse> use = ProcessorUse.now();
        ProcessAccount account = ProcessAccount.of(contender.pid());
        Client.Got got = handshakes.make(contender.target(HELLO), work, time);
        if (wasTooShort(got, time)) {
            return handshakes(contender, work, time.multipliedBy(2));
        }
        double cpu = ProcessAccount.of(contender.pid()).cpuSecondsSince(account);
        Optional<ProcessorUse> useAfter = ProcessorUse.now();
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.FAILED, (double) got.failed());
        figures.put(Figure.HANDSHAKES, got.good() / got.seconds());
        if (got.good() > 0) {
            figures.put(Figure.HANDSHAKE_CPU, cpu * 1e6 / got.good());
        }
        if (use.isPresent() && useAfter.isPresent()) {
            figures.put(Figure.CLIENT, (useAfter.get().ownSecondsSince(use.get()) - cpu) / got.seconds());
        }
        return new Measured(figures, got.firstTrouble());
    }

    private Measured mix(Contender contender, Work.Mix work, Duration time) throws IOException, InterruptedException {
        Optional<Work.Calls> due =
                work.calls().stream().filter(calls -> calls.rate() > 0).findFirst();
        // The other calls begin a second before the first request that is counted, and end after the last.
        Duration beside = due.isEmpty() ? time : time.plus(BEFORE).plus(BEFORE);
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        List<String> troubles = new ArrayList<>();
        ExecutorService each = Executors.newCachedThreadPool();
        try {
            List<Future<Client.Got>> running = new ArrayList<>();
            for (Work.Calls calls : work.calls()) {
                if (calls.rate() == 0) {
                    Work.Requests requests = Work.Requests.get("", "", calls.path(), 0, calls.connections());
                    running.add(each.submit(() -> ask(contender, requests, beside)));
                }
            }
            if (due.isPresent()) {
                LoadResult result = atRate(contender, due.get(), time);
                figures.put(Figure.REQUESTS, result.perSecond());
                figures.put(Figure.QUICK_TAIL, result.answered() > 0 ? result.millis(99) : Double.POSITIVE_INFINITY);
                figures.put(Figure.FAILED, (double) (result.requests() - result.answered()));
                troubles.add(result.firstTrouble());
            }
            double perSecond = 0;
            double failed = 0;
            for (Future<Client.Got> calls : running) {
                Client.Got got = calls.get();
                perSecond += got.good() == 0 ? 0 : got.good() / got.seconds();
                failed += got.failed();
                troubles.add(got.firstTrouble());
            }
            if (!running.isEmpty()) {
                figures.put(Figure.REQUESTS, perSecond);
                figures.putIfAbsent(Figure.FAILED, failed);
            }
        } catch (ExecutionException failed) {
            throw new IOException("the calls beside could not be sent: " + failed.getMessage(), failed);
        } finally {
            each.shutdownNow();
        }
        ProcessAccount account = ProcessAccount.of(contender.pid());
        figures.put(Figure.RESIDENT, account.residentBytes() / 1e6);
        figures.put(Figure.THREADS, (double) account.threads());
        troubles.removeIf(String::isEmpty);
        return new Measured(figures, String.join("; ", troubles));
    }

    private static LoadResult atRate(Contender contender, Work.Calls calls, Duration time)
            throws IOException, InterruptedException {
        OpenPlan load = OpenPlan.lasting(Request.get(contender.target(calls.path())), calls.rate(), time)
                .withWarmUp(BEFORE)
                .withDeadline(IN_TIME_BESIDE)
                .withMaxConnections(calls.connections());
        try (ClientLoop loop = ClientLoop.start(calls.connections())) {
            return OnLoop.await(new OpenLoop(loop, load).start(), load.patience());
        } catch (TimeoutException late) {
            throw new IOException("the requests did not end in time", late);
        }
    }

    private static boolean wasTooShort(Client.Got got, Duration time) {
        return got.good() + got.failed() == 0 && time.compareTo(ENOUGH) < 0;
    }

    @Override
    public void close() throws IOException {
        handshakes.close();
    }

    private Measured idle(ServerProcess server, Work.Idle work) throws IOException, InterruptedException {
        try (ClientLoop loop = ClientLoop.start(work.connections())) {
            IdleMemory memory = IdleMemory.measure(server, loop, work.connections(), plan.warmUp(), TO_GATHER);
            return new Measured(Map.of(Figure.HEAP_EACH, memory.heapEach()), memory.lastTrouble());
        }
    }

    private static Measured burst(ServerProcess server, Work.Burst work) throws IOException, InterruptedException {
        ClientSettings slow =
                ClientSettings.defaults().withMaxConnections(work.readers()).withSocketBuffers(BUFFER, BUFFER);
        OpenPlan normal = OpenPlan.ofRequests(Request.get(server.target(HELLO)), REQUESTS_PER_SECOND, work.requests())
                .withWarmUp(TO_COME)
                .withDeadline(DEADLINE);
        Kind reader = new Kind.Reader(server.target(pathOf(work)), BYTES_READ, PAUSE_MILLIS);
        try (ClientLoop normalLoop = ClientLoop.start(normal.maxConnections());
                ClientLoop slowLoop = ClientLoop.start(slow)) {
            CompletableFuture<LoadResult> load = new OpenLoop(normalLoop, normal).start();
            try (RunningCrowd crowd =
                    RunningCrowd.gatherReachable(slowLoop, CrowdPlan.of(work.readers(), reader), TO_GATHER)) {
                LoadResult result = OnLoop.await(load, normal.patience());
                Tally tally = crowd.tally();
                String trouble = tally.standing() < tally.size()
                        ? "only " + tally.standing() + " of " + tally.size() + " readers were connected; "
                                + result.firstTrouble()
                        : result.firstTrouble();
                return new Measured(figures(result), trouble);
            } catch (TimeoutException late) {
                throw new IOException("the normal requests did not end in time", late);
            }
        }
    }

    private static Map<Figure, Double> figures(LoadResult result) {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        figures.put(Figure.IN_TIME, (double) result.latency().getCountBetweenValues(0, IN_TIME));
        figures.put(Figure.LONGEST, result.isAllAnswered() ? result.millis(100) : Double.POSITIVE_INFINITY);
        figures.put(Figure.FAILED, (double) (result.requests() - result.answered()));
        return figures;
    }

    private static String pathOf(Work.Burst work) {
        return "/generated?bytes=" + work.bytes();
    }
}
