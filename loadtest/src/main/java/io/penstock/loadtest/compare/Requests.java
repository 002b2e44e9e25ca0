package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.ProcessAccount.ContextSwitches;
import io.penstock.loadtest.peers.ProcessorUse;
import io.penstock.loadtest.peers.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Requests over several connections. Each connection sends its next request when it has received the response.
 *
 * @param path the path of the requests
 * @param body the size of each request's body, in bytes; with 0 the method is GET
 * @param answer the size of each response's body, in bytes
 * @param pipelined the number of requests that a connection sends before it waits for their responses; with HTTP/2, the number of streams
 *     that it has open
 * @param keepAlive whether a connection serves more than one request
 * @param workers the number of threads of each server that run servlets; with 0 the server chooses the number
 */
record Requests(
        String path,
        int body,
        long answer,
        int connections,
        int pipelined,
        boolean keepAlive,
        int workers,
        boolean encrypted,
        boolean http2)
        implements Job.Together {
    /** With more connections than this, a turn is three times as long as usual, since opening the connections takes a part of the time. */
    static final int MANY = 512;

    private static final int LARGE = 16 << 10;
    private static final String FILES = "/files/";

    /** If no request was completed in a turn, the turn is repeated with twice the time. A turn of this length or longer is not repeated. */
    private static final Duration ENOUGH = Duration.ofSeconds(10);

    static Requests get(String path, long answer, int connections) {
        return new Requests(path, 0, answer, connections, 1, true, 0, false, false);
    }

    static Requests post(String path, int body, long answer, int connections) {
        return new Requests(path, body, answer, connections, 1, true, 0, false, false);
    }

    Requests pipelining(int requests) {
        return new Requests(path, body, answer, connections, requests, keepAlive, workers, encrypted, http2);
    }

    Requests closing() {
        return new Requests(path, body, answer, connections, pipelined, false, workers, encrypted, http2);
    }

    Requests withWorkers(int threads) {
        return new Requests(path, body, answer, connections, pipelined, keepAlive, threads, encrypted, http2);
    }

    Requests overTls() {
        return new Requests(path, body, answer, connections, pipelined, keepAlive, workers, true, http2);
    }

    Requests overHttp2(int streams) {
        return new Requests(path, body, answer, connections, streams, keepAlive, workers, encrypted, true);
    }

    /** Whether the transfer of the bodies is most of the work. */
    boolean isLarge() {
        return Math.max(body, answer) > LARGE;
    }

    @Override
    public int files() {
        return isLarge() ? connections * pipelined : 0;
    }

    @Override
    public Map<String, Long> content() {
        return path.startsWith(FILES) ? Map.of(path.substring(FILES.length()), answer) : Map.of();
    }

    @Override
    public ServerOptions options(ServerOptions common) {
        return (http2 ? common.withHttp2() : common).withWorkers(workers);
    }

    private Duration turn(Duration usual) {
        return connections > MANY ? usual.multipliedBy(3) : usual;
    }

    @Override
    public void warmUp(Stage stage, Contender contender, Duration time) throws IOException, InterruptedException {
        stage.send(contender.target(path), this, turn(time), new Figures());
    }

    @Override
    public void measure(Stage stage, Contender contender, Figures figures) throws IOException, InterruptedException {
        Target target = contender.target(path);
        measure(turn(stage.sizes().duration()), contender, Figure.CPU, figures, time -> {
            Client.Got got = stage.send(target, this, time, figures);
            figures.put(Figure.REQUESTS, got.good() == 0 ? 0 : got.good() / got.seconds());
            if (isLarge()) {
                figures.put(Figure.GIGABYTES, got.good() == 0 ? 0 : got.good() * answer / got.seconds() / 1e9);
            }
            figures.put(Figure.P50, got.p50()).put(Figure.P99, got.p99()).put(Figure.TAIL, got.p99() / got.p50());
            return got;
        });
    }

    /** Sends requests or makes handshakes for a time. */
    interface Sending {
        Client.Got send(Duration time) throws IOException, InterruptedException;
    }

    /** Measures what a client without pauses gets, and what it costs. */
    static void measure(Duration time, Contender contender, Figure cost, Figures figures, Sending sending)
            throws IOException, InterruptedException {
        Effort effort = Effort.now(contender);
        Client.Got got = sending.send(time);
        if (got.good() + got.failed() == 0 && time.compareTo(ENOUGH) < 0) {
            measure(time.multipliedBy(2), contender, cost, figures, sending);
            return;
        }
        effort.put(figures, cost, got.good(), got.seconds());
        figures.put(Figure.FAILED, got.failed()).note(got.firstTrouble());
    }

    /** The resources that a server and the client have used up to now. Thread: one thread. */
    static final class Effort {
        private final Contender contender;
        private final long allocated;
        private final ContextSwitches switches;
        private final Optional<ProcessorUse> use;
        private final ProcessAccount account;

        private Effort(Contender contender) throws IOException, InterruptedException {
            this.contender = contender;
            this.switches = ContextSwitches.of(contender.peer().pid());
            this.allocated = contender.allocatedBytes();
            this.use = ProcessorUse.now();
            this.account = ProcessAccount.of(contender.peer().pid());
        }

        static Effort now(Contender contender) throws IOException, InterruptedException {
            return new Effort(contender);
        }

        /**
         * Stores what was used since this object was made.
         *
         * @param cost the figure for the processor time of one request or handshake
         * @param count the number of requests or handshakes
         * @param seconds the time that they took
         */
        void put(Figures figures, Figure cost, long count, double seconds) throws IOException, InterruptedException {
            Effort now = now(contender);
            double cpu = now.account.cpuSecondsSince(account);
            figures.put(Figure.RESIDENT, now.account.residentBytes() / 1e6).put(Figure.THREADS, now.account.threads());
            if (count > 0) {
                figures.put(cost, cpu * 1e6 / count);
                figures.put(Figure.SWITCHES, (double) now.switches.since(switches) / count);
                if (allocated >= 0) {
                    figures.put(Figure.ALLOCATED, (double) (now.allocated - allocated) / count);
                }
            }
            if (use.isPresent() && now.use.isPresent() && seconds > 0) {
                figures.put(Figure.CLIENT, (now.use.get().ownSecondsSince(use.get()) - cpu) / seconds);
            }
        }
    }
}
