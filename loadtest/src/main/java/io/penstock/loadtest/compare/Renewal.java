package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
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

    private record Swap(long nanos, X509Certificate certificate) {}

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
        SeenCertificates seen = new SeenCertificates();
        ClientSettings settings =
                ClientSettings.defaults().withMaxConnections(CONNECTIONS).withTls(seen.clients());
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
            List<Swap> swaps = swap(live, next);
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

    private List<Swap> swap(TlsKey live, Iterable<TlsKey> next) throws IOException, InterruptedException {
        List<Swap> done = new ArrayList<>();
        for (TlsKey key : next) {
            Thread.sleep(sizes.of(BETWEEN).toMillis());
            live.replaceBy(key);
            done.add(new Swap(System.nanoTime(), key.certificate()));
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

    private static void put(Figures figures, SeenCertificates seen, List<Swap> swaps) {
        long longest = 0;
        long old = 0;
        int found = 0;
        for (int i = 0; i < swaps.size(); i++) {
            Swap swap = swaps.get(i);
            OptionalLong first = seen.first(swap.certificate());
            if (first.isPresent()) {
                found++;
                longest = Math.max(longest, first.getAsLong() - swap.nanos());
                long until = i + 1 < swaps.size() ? swaps.get(i + 1).nanos() : Long.MAX_VALUE;
                old += seen.othersAfterFirst(swap.certificate(), until);
            }
        }
        figures.put(Figure.MADE, seen.count())
                .put(Figure.CERTIFICATES, found)
                .put(Figure.UNTIL_NEW, longest / 1e6)
                .put(Figure.OLD, old);
    }

    /**
     * A trust manager for clients that trust every server. It records the server's certificate of each handshake, in order.
     *
     * <p>Thread: any.
     */
    private static final class SeenCertificates implements X509TrustManager {
        private record Seen(long nanos, X509Certificate certificate) {}

        private final List<Seen> all = new ArrayList<>();

        SSLContext clients() throws IOException {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, new TrustManager[] {this}, null);
                return context;
            } catch (GeneralSecurityException failed) {
                throw new IOException("The JDK has no TLS: " + failed.getMessage(), failed);
            }
        }

        /** The {@link System#nanoTime} of the first handshake with the given certificate; empty if there was none. */
        synchronized OptionalLong first(X509Certificate certificate) {
            return all.stream()
                    .filter(seen -> seen.certificate.equals(certificate))
                    .mapToLong(Seen::nanos)
                    .findFirst();
        }

        /**
         * The number of handshakes with other certificates. Only handshakes after the first handshake with the given certificate and before
         * {@code until} are counted.
         */
        synchronized long othersAfterFirst(X509Certificate certificate, long until) {
            OptionalLong first = first(certificate);
            return all.stream()
                    .filter(seen -> first.isPresent() && seen.nanos > first.getAsLong() && seen.nanos < until)
                    .filter(seen -> !seen.certificate.equals(certificate))
                    .count();
        }

        synchronized int count() {
            return all.size();
        }

        @Override
        public synchronized void checkServerTrusted(X509Certificate[] chain, String type) {
            all.add(new Seen(System.nanoTime(), chain[0]));
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {
            throw new UnsupportedOperationException("This is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
