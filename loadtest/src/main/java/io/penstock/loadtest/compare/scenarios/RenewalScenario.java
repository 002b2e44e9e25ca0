package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
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
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.HdrHistogram.Histogram;

/**
 * Replaces the certificate of a server while the server answers requests.
 *
 * @param rate the number of requests per second on connections that stay open
 * @param handshakes the number of requests per second that each use a new connection
 * @param swaps the number of replacements
 * @param between the time between two replacements
 */
record RenewalScenario(int rate, int handshakes, int swaps, Duration between) implements Scenario {
    private static final Measure REQUESTS = Measure.whole("requests", "requests");
    private static final Measure ANSWERED = Measure.whole("answered", "answered");
    private static final Measure FAILED = Measure.whole("failed", "not answered, or with another status");
    private static final Measure P50 = Measure.thousandths("p50Millis", "p50, ms");
    private static final Measure P99 = Measure.thousandths("p99Millis", "p99, ms");
    private static final Measure MOST = Measure.thousandths("maxMillis", "max, ms");
    private static final Measure HANDSHAKES = Measure.whole("handshakes", "handshakes");
    private static final Measure SEEN = Measure.whole("certificatesSeen", "new certificates seen");
    private static final Measure UNTIL =
            Measure.whole("untilNewMillis", "longest time until a new certificate was seen, ms");
    private static final Measure OLD = Measure.whole("oldAfterNew", "handshakes with an old certificate afterwards");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first error");

    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final Duration WARM_UP = Duration.ofSeconds(10);
    private static final int CONNECTIONS = 256;

    @Override
    public String name() {
        return "renewal";
    }

    @Override
    public String title() {
        return "A certificate replaced under load";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "The clients send %d requests a second to `/hello` over TLS on connections that stay open, and %d"
                        + " a second on a new connection each. All connections have a full handshake. Meanwhile the key"
                        + " store is replaced %d times by another with a new key and certificate, every %d s. The server"
                        + " checks its files each second. It uses a change when two checks have found it. Latency"
                        + " counts from the moment at which a request was due; each request has 2 s to be answered. The"
                        + " first %d s, in which the connections are made, do not count, except for the handshakes.",
                rate,
                handshakes,
                swaps,
                between.toSeconds(),
                WARM_UP.toSeconds());
    }

    @Override
    public String partTitle() {
        return "requests";
    }

    @Override
    public List<Measure> columns() {
        return List.of(REQUESTS, ANSWERED, FAILED, P50, P99, MOST, HANDSHAKES, SEEN, UNTIL, OLD, TROUBLE);
    }

    @Override
    public int connections() {
        return 2 * CONNECTIONS;
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        Deque<TlsKey> keys = new ArrayDeque<>();
        try {
            for (int i = 0; i <= swaps; i++) {
                keys.add(TlsKey.create());
            }
            measure(launch, keys.remove(), keys, recorder);
        } finally {
            for (TlsKey key : keys) {
                key.close();
            }
        }
    }

    private void measure(Launch launch, TlsKey live, Deque<TlsKey> next, Recorder recorder)
            throws IOException, InterruptedException {
        SeenCertificates seen = new SeenCertificates();
        ClientSettings settings =
                ClientSettings.defaults().withMaxConnections(CONNECTIONS).withTls(clients(seen));
        try (live;
                ServerProcess process =
                        launch.start(options -> options.withTls(live).with("tls-reload-interval", "1s"));
                ClientLoop loop = ClientLoop.start(settings);
                ClientLoop fresh = ClientLoop.start(settings)) {
            recorder.started(process);
            Request request = Request.get(process.target("/hello"));
            Watch watch = new Watch(process);
            // Both loads begin with a warm-up, in which connections are made and code is compiled. The requests of the
            // warm-up are not counted.
            double seconds = between.toSeconds() * (swaps + 1.0);
            OpenPlan kept = plan(request, rate, (int) (rate * seconds));
            OpenPlan single = plan(request.withField("Connection", "close"), handshakes, (int) (handshakes * seconds));
            int before = seen.count();
            CompletableFuture<Answers> onKept = Offer.begin(loop, kept);
            CompletableFuture<Answers> onNew = Offer.begin(fresh, single);
            Thread.sleep(WARM_UP.toMillis());
            List<Swap> done = swap(live, next);
            put(recorder.part(rate + " a second on open connections"), watch.until(onKept, kept.patience()));
            Results.Round ofNew = recorder.part(handshakes + " a second on new connections");
            put(ofNew, watch.until(onNew, single.patience()));
            ofNew.put(HANDSHAKES, seen.count() - before);
            put(ofNew, seen, done);
        }
    }

    private static SSLContext clients(SeenCertificates seen) throws IOException {
        try {
            return seen.clients();
        } catch (GeneralSecurityException failed) {
            throw new IOException("The JDK has no TLS: " + failed.getMessage(), failed);
        }
    }

    private OpenPlan plan(Request request, int perSecond, int requests) {
        return OpenPlan.ofRequests(request, perSecond, requests)
                .withDeadline(DEADLINE)
                .withWarmUp(WARM_UP);
    }

    private record Swap(long nanos, X509Certificate certificate) {}

    private List<Swap> swap(TlsKey live, Iterable<TlsKey> next) throws IOException, InterruptedException {
        List<Swap> done = new ArrayList<>();
        for (TlsKey key : next) {
            Thread.sleep(between.toMillis());
            live.replaceBy(key);
            done.add(new Swap(System.nanoTime(), key.certificate()));
        }
        return done;
    }

    private static void put(Results.Round round, Answers answers) {
        Histogram latencies = answers.latenciesOfAll(DEADLINE);
        round.put(REQUESTS, answers.count())
                .put(ANSWERED, answers.good())
                .put(FAILED, answers.count() - answers.good())
                .put(TROUBLE, answers.firstTrouble());
        Answers.put(round, P50, latencies, 50);
        Answers.put(round, P99, latencies, 99);
        Answers.put(round, MOST, latencies, 100);
    }

    private static void put(Results.Round round, SeenCertificates seen, List<Swap> swaps) {
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
        round.put(SEEN, found).put(UNTIL, longest / 1e6).put(OLD, old);
    }
}
