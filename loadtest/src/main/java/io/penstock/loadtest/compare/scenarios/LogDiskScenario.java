package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * What becomes of responses while the disk of the access log takes nothing.
 *
 * @param perSecond requests that are due in a second, all the time
 * @param warmUp before the first part
 * @param part how long each of three parts lasts; in the second one the disk takes nothing
 * @param deadline when a request counts as not answered
 * @param connections at most
 */
record LogDiskScenario(int perSecond, Duration warmUp, Duration part, Duration deadline, int connections)
        implements Scenario {
    private static final Measure REQUESTS = Measure.whole("requests", "requests");
    private static final Measure ANSWERED = Measure.whole("answered", "answered");
    private static final Measure P50 = Measure.thousandths("p50Millis", "p50 ms");
    private static final Measure P99 = Measure.thousandths("p99Millis", "p99 ms");
    private static final Measure P999 = Measure.thousandths("p999Millis", "p99.9 ms");
    private static final Measure MOST = Measure.thousandths("maxMillis", "max ms");
    private static final Measure LINES = Measure.whole("lines", "lines written");
    private static final Measure DROPPED = Measure.whole("dropped", "lines missing, as counted");
    private static final Measure WARNINGS = Measure.whole("warnings", "warnings in the server's log");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first trouble");

    private static final String PATH = "/hello";
    private static final String PIPE = "access.log";
    private static final List<String> PARTS = List.of("before", "meanwhile", "after");

    /** What the log's disk does in the second part. */
    private enum Disk {
        WORKS("works"),
        BLOCKED("blocked");

        private final String title;

        Disk(String title) {
            this.title = title;
        }
    }

    /** What had been seen of the log at the end of a part. */
    private record Log(long lines, long dropped, long warnings) {
        static Log of(ServerProcess process, StallingReader reader) throws IOException, InterruptedException {
            return new Log(
                    reader.lines(),
                    process.stats().logDropped(),
                    process.said().stream()
                            .filter(line -> line.contains("WARN") && line.contains("access log"))
                            .count());
        }
    }

    @Override
    public String name() {
        return "log-disk";
    }

    @Override
    public String title() {
        return "A log disk that takes nothing";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "%,d requests a second for a small servlet (`%s`) are due all the time, for %d s that do not count and then three"
                        + " times %d s. The access log (combined) goes into a named pipe. In one run somebody reads it all the"
                        + " time; in the other nobody does in the second part, so that the log's thread hangs in its write as on"
                        + " a disk that does not answer. Latency counts from the moment at which a request was due, of all"
                        + " that were due; what was not answered within %d ms counts with that.",
                perSecond,
                PATH,
                warmUp.toSeconds(),
                part.toSeconds(),
                deadline.toMillis());
    }

    @Override
    public String partTitle() {
        return "log's disk, and when";
    }

    @Override
    public List<Measure> columns() {
        return List.of(REQUESTS, ANSWERED, P50, P99, P999, MOST, LINES, DROPPED, WARNINGS, TROUBLE);
    }

    @Override
    public String settings() {
        return "4 workers, and its own defaults but for times and bounds that let every connection stay";
    }

    @Override
    public int connections() {
        return connections;
    }

    @Override
    public void prepare(ContentFolder content) throws IOException {
        try {
            StallingReader.make(content.root().resolve(PIPE));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("told to end", e);
        }
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        for (Disk disk : Disk.values()) {
            Path[] pipe = new Path[1];
            try (ServerProcess process = launch.start(common -> {
                        pipe[0] = common.root().resolve(PIPE);
                        return common.with("access-log", pipe[0].toString());
                    });
                    StallingReader reader = StallingReader.of(pipe[0]);
                    ClientLoop loop = ClientLoop.start(ClientSettings.defaults().withMaxConnections(connections))) {
                recorder.started(process);
                measure(disk, process, reader, loop, recorder);
            }
        }
    }

    private void measure(Disk disk, ServerProcess process, StallingReader reader, ClientLoop loop, Recorder recorder)
            throws IOException, InterruptedException {
        ConstantRate whole = rate(process, part.multipliedBy(PARTS.size()));
        ConstantRate first = rate(process, warmUp);
        new Watch(process).until(Offer.begin(loop, first), first.patience());
        Log[] seen = new Log[PARTS.size() + 1];
        seen[0] = Log.of(process, reader);
        CompletableFuture<Answers> load = Offer.begin(loop, whole);
        for (int i = 0; i < PARTS.size(); i++) {
            if (i == 1 && disk == Disk.BLOCKED) {
                reader.stall();
            }
            goOn(load, part);
            seen[i + 1] = Log.of(process, reader);
            reader.goOn();
        }
        Answers all = new Watch(process).until(load, whole.patience());
        for (int i = 0; i < PARTS.size(); i++) {
            write(recorder.part(disk.title + ": " + PARTS.get(i)), of(all, i), seen[i], seen[i + 1]);
        }
    }

    private ConstantRate rate(ServerProcess process, Duration time) {
        int requests = Math.toIntExact(Math.max(1, time.toMillis() * perSecond / 1000));
        return new ConstantRate(process.target(PATH), perSecond, requests, deadline, connections);
    }

    /** Lets the load go on for so long. */
    private static void goOn(CompletableFuture<Answers> load, Duration time) throws IOException, InterruptedException {
        try {
            OnLoop.await(load, time);
        } catch (TimeoutException asItShould) {
            return;
        }
    }

    /** Those that were due in that part. */
    private Answers of(Answers all, int index) {
        Predicate<Answer> due = answer -> Math.min(answer.dueNanos() / part.toNanos(), PARTS.size() - 1) == index;
        return new Answers(all.all().stream().filter(due).toList());
    }

    private void write(Results.Round round, Answers answers, Log before, Log after) {
        Histogram latencies = answers.latenciesOfAll(deadline);
        Answers.put(round, P50, latencies, 50);
        Answers.put(round, P99, latencies, 99);
        Answers.put(round, P999, latencies, 99.9);
        Answers.put(round, MOST, latencies, 100);
        round.put(REQUESTS, answers.count())
                .put(ANSWERED, answers.good())
                .put(LINES, after.lines() - before.lines())
                .put(DROPPED, after.dropped() - before.dropped())
                .put(WARNINGS, after.warnings() - before.warnings())
                .put(TROUBLE, answers.firstTrouble());
    }
}
