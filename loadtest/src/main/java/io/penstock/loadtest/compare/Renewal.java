package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.ClientSettings.AnyCertificate;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.HdrHistogram.Histogram;

/** Replaces the certificate of a server while the server answers requests, on connections that stay open and on new ones. */
record Renewal(Sizes sizes) implements Job.Alone {
    private static final Size<Integer> RATE =
            Size.count("--rate", 1000, 1000, "Requests per second on connections that stay open.");
    private static final Size<Integer> HANDSHAKES =
            Size.count("--handshakes", 50, 50, "Further requests per second, each on a new connection.");
    private static final Size<Integer> SWAPS = Size.count("--swaps", 6, 1, "Number of replacements.");
    private static final Size<Duration> BETWEEN = Size.time(
            "--between", "5s", "4s", "Time between two replacements. The server checks its files each second.");

    static final List<Size<?>> SIZES = List.of(RATE, HANDSHAKES, SWAPS, BETWEEN);

    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 256;

    /** A certificate of the server, and when its file was written or it was seen. */
    private record Moment(long nanos, X509Certificate certificate) {}

    @Override
    public int connections() {
        return 2 * CONNECTIONS;
    }

    /** The other servers do not reload their files. */
    @Override
    public boolean fits(Server server) {
        return server.isPenstock() && Alone.super.fits(server);
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        Deque<TlsKey> keys = new ArrayDeque<>();
        try {
            for (int i = 0; i <= sizes.of(SWAPS); i++) {
                keys.add(TlsKey.create());
            }
            measure(stage, server, keys.remove(), keys, figures);
        } finally {
            for (TlsKey key : keys) {
                key.close();
            }
        }
    }

    private void measure(Stage stage, Server server, TlsKey live, Deque<TlsKey> next, Figures figures)
            throws IOException, InterruptedException {
        // The two loops of the clients add to this list.
        List<Moment> seen = new CopyOnWriteArrayList<>();
        ClientSettings settings = ClientSettings.defaults()
                .withMaxConnections(CONNECTIONS)
                .withTls(AnyCertificate.clients(certificate -> seen.add(new Moment(System.nanoTime(), certificate))));
        try (live;
                ServerProcess process =
                        stage.start(server, options -> options.withTls(live).with("tls-reload-interval", "1s"));
                ClientLoop loop = ClientLoop.start(settings);
                ClientLoop fresh = ClientLoop.start(settings)) {
            Request request = Request.get(process.target("/hello"));
            // Both loads begin with a warm-up, in which connections are made and code is compiled. Its requests are not
            // counted.
            OpenPlan kept = plan(request, sizes.of(RATE));
            OpenPlan single = plan(request.withField("Connection", "close"), sizes.of(HANDSHAKES));
            CompletableFuture<LoadResult> onKept = new OpenLoop(loop, kept).start();
            CompletableFuture<LoadResult> onNew = new OpenLoop(fresh, single).start();
            Thread.sleep(WARM_UP.toMillis());
            List<Moment> swaps = swap(live, next);
            Watch watch = new Watch(process);
            put(figures, watch.until(onKept, kept.patience()), watch.until(onNew, single.patience()));
            put(figures, seen, swaps);
        }
    }

    private OpenPlan plan(Request request, int perSecond) {
        long seconds = sizes.of(BETWEEN).toSeconds() * (sizes.of(SWAPS) + 1);
        return OpenPlan.ofRequests(request, perSecond, perSecond * seconds)
                .withDeadline(DEADLINE)
                .withWarmUp(WARM_UP);
    }

    private List<Moment> swap(TlsKey live, Iterable<TlsKey> next) throws IOException, InterruptedException {
        List<Moment> done = new ArrayList<>();
        for (TlsKey key : next) {
            Thread.sleep(sizes.of(BETWEEN).toMillis());
            live.replaceBy(key);
            done.add(new Moment(System.nanoTime(), key.certificate()));
        }
        return done;
    }

    private static void put(Figures figures, LoadResult kept, LoadResult fresh) {
        Histogram latency = kept.latency();
        figures.put(Figure.DUE, kept.requests() + fresh.requests())
                .put(Figure.ANSWERED, kept.answered() + fresh.answered())
                .put(Figure.P50, latency, 50)
                .put(Figure.P99, latency, 99)
                .put(Figure.MOST, latency, 100)
                .failed(fresh)
                .failed(kept);
        figures.put(Figure.FAILED, figures.get(Figure.DUE) - figures.get(Figure.ANSWERED));
    }

    private static void put(Figures figures, List<Moment> seen, List<Moment> swaps) {
        long longest = 0;
        long old = 0;
        int found = 0;
        for (int i = 0; i < swaps.size(); i++) {
            Moment swap = swaps.get(i);
            long until = i + 1 < swaps.size() ? swaps.get(i + 1).nanos() : Long.MAX_VALUE;
            Optional<Moment> first = seen.stream()
                    .filter(moment -> moment.certificate().equals(swap.certificate()))
                    .findFirst();
            if (first.isPresent()) {
                long from = first.get().nanos();
                found++;
                longest = Math.max(longest, from - swap.nanos());
                old += seen.stream()
                        .filter(moment -> moment.nanos() > from && moment.nanos() < until)
                        .filter(moment -> !moment.certificate().equals(swap.certificate()))
                        .count();
            }
        }
        figures.put(Figure.MADE, seen.size())
                .put(Figure.CERTIFICATES, found)
                .put(Figure.UNTIL_NEW, longest / 1e6)
                .put(Figure.OLD, old);
    }
}
