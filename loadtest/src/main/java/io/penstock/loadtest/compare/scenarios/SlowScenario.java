package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.compare.setup.Spread;
import io.penstock.loadtest.crowd.Bar;
import io.penstock.loadtest.crowd.StandingCrowd;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * Whether normal clients are served while slow ones hold on: requests at a constant rate, alternately alone and beside them.
 * Each company meets a server of its own.
 *
 * @param path what normal clients ask for
 */
record SlowScenario(String name, String title, String path, List<Company> companies, SlowPlan plan)
        implements Scenario {
    private static final Measure REQUESTS = Measure.whole("requests", "requests");
    private static final Measure ANSWERED = Measure.whole("answered", "answered in time");
    private static final Measure OTHER = Measure.whole("otherStatus", "other status");
    private static final Measure FAILED = Measure.whole("failed", "not answered");
    private static final Measure P50 = Measure.thousandths("p50Millis", "p50 of all due, ms");
    private static final Measure P99 = Measure.thousandths("p99Millis", "p99 of all due, ms");
    private static final Measure MOST = Measure.thousandths("maxMillis", "max of all due, ms");
    private static final Measure SLICES = Measure.text("p99OfSlicesMillis", "p99 of slices, ms");
    private static final Measure BAR = Measure.text("bar", "bar");
    private static final Measure CALLS = Measure.whole("callsOpen", "calls of service open");
    private static final Measure PERMIT = Measure.whole("permitMillis", "longest permit, ms");
    private static final Measure THREADS = Measure.whole("threads", "threads");
    private static final Measure RESIDENT = Measure.whole("residentMegabytes", "resident, MB");
    private static final Measure SLOW = Measure.text("slowClients", "slow clients");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first trouble");
    /** What readers of a file ask for, below {@code /files/}. */
    static final String FILE = "slow.txt";

    private static final long FILE_SIZE = 16L << 20;
    private static final Duration TO_GET_QUIET = Duration.ofSeconds(10);
    private static final String POOLED = "/pooled";

    /** What came of one kind of run in all its slices. */
    private record Side(Results.Round round, Watch watch, List<Answers> runs) {}

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "Normal requests to `%s` at a constant %d a second, alternately alone and beside slow clients, %d times each;"
                        + " latency counts from the moment at which a request was due. A request is answered in time if its"
                        + " response, a good one, is complete within %d ms; percentiles are of all that were due, and one"
                        + " without such a response is in them with that time. The slices are what takes turns, and p99 of"
                        + " slices is the lowest and the highest of one kind of run. The load starts when all slow clients stand: an"
                        + " upload or a half head when its first bytes are sent, a reader when its request is sent; how many"
                        + " readers are being answered is told apart. Their socket buffers have %d bytes to receive and %d to"
                        + " send. Servers with a pool of threads have %d; Tomcat 7 has a thread for each connection, and"
                        + " Penstock its workers. Threads, resident memory and"
                        + " calls of `service` are the most seen by a look each half second. The bar: all are answered, and"
                        + " p99 is at most three times the one alone, or 5 ms above it.",
                path,
                plan.rate(),
                plan.slices(),
                plan.deadline().toMillis(),
                plan.receiveBuffer(),
                plan.sendBuffer(),
                plan.pool());
    }

    @Override
    public String partTitle() {
        return "run";
    }

    @Override
    public List<Measure> columns() {
        List<Measure> columns = new ArrayList<>(List.of(
                REQUESTS, ANSWERED, OTHER, FAILED, P50, P99, SLICES, MOST, BAR, CALLS, PERMIT, THREADS, RESIDENT, SLOW,
                TROUBLE));
        if (!path.startsWith(POOLED)) {
            columns.remove(PERMIT);
        }
        return columns;
    }

    @Override
    public void prepare(ContentFolder content) throws IOException {
        content.add(FILE, FILE_SIZE);
    }

    @Override
    public int connections() {
        return plan.connections()
                + companies.stream().mapToInt(Company::size).max().orElse(0);
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        for (Company company : companies) {
            try (ServerProcess process = launch.start(common -> plan.options(server, common));
                    ClientLoop normal = ClientLoop.start(plan.normalClients());
                    ClientLoop slow = ClientLoop.start(plan.slowClients(company.size()))) {
                recorder.started(process);
                warmUp(process, normal);
                measure(company, process, normal, slow, recorder);
            }
        }
    }

    private void warmUp(ServerProcess process, ClientLoop normal) throws IOException, InterruptedException {
        ConstantRate rate = plan.warmUp(process.target(path));
        Answers first = new Watch(process).until(Offer.begin(normal, rate), rate.patience());
        if (first.good() == 0) {
            throw new IOException("not one normal request was answered even alone: " + first.firstTrouble());
        }
    }

    private void measure(Company company, ServerProcess process, ClientLoop normal, ClientLoop slow, Recorder recorder)
            throws IOException, InterruptedException {
        Side alone = new Side(recorder.part(before(company)), new Watch(process), new ArrayList<>());
        Side loaded = new Side(recorder.part("beside " + company.name()), new Watch(process), new ArrayList<>());
        Target target = process.target(path);
        for (int slice = 0; slice < plan.slices(); slice++) {
            // What slow clients have made the server hold in an earlier slice is not to be told of this one.
            process.reset();
            offer(normal, plan.alone(target), alone);
            process.reset();
            try (StandingCrowd crowd = StandingCrowd.gather(slow, company.at().apply(process), plan.toGather())) {
                Tally before = crowd.tally();
                offer(normal, plan.besideCrowd(target), loaded);
                loaded.round().put(SLOW, describe(before, crowd.disperse()));
            }
            if (!loaded.watch().untilQuiet(TO_GET_QUIET)) {
                throw new IOException("calls of service are still open " + TO_GET_QUIET.toSeconds()
                        + " s after the slow clients have gone");
            }
        }
        Bar bar = new Bar(p99(alone), p99(loaded));
        boolean met = bar.isMet()
                && Answers.of(loaded.runs()).count()
                        == Answers.of(loaded.runs()).good();
        loaded.round().put(BAR, met ? "met" : "missed");
    }

    private String before(Company company) {
        return companies.size() == 1 ? "alone" : "alone, before " + company.name();
    }

    private void offer(ClientLoop normal, ConstantRate rate, Side side) throws IOException, InterruptedException {
        side.runs().add(side.watch().until(Offer.begin(normal, rate), rate.patience()));
        write(side);
    }

    /** After each run, so that what is measured stays if a later one fails. */
    private void write(Side side) {
        Answers answers = Answers.of(side.runs());
        Histogram latencies = answers.latenciesOfAll(plan.deadline());
        side.round()
                .put(REQUESTS, answers.count())
                .put(ANSWERED, answers.good())
                .put(OTHER, answers.count(answer -> answer.isOtherStatus() || answer.isRefusal()))
                .put(FAILED, answers.count(answer -> answer.failure() != null))
                .put(CALLS, side.watch().callsOpen())
                .put(PERMIT, side.watch().permitMillis())
                .put(THREADS, side.watch().threads())
                .put(RESIDENT, side.watch().residentBytes() / 1e6)
                .put(TROUBLE, answers.firstTrouble());
        Answers.put(side.round(), P50, latencies, 50);
        Answers.put(side.round(), P99, latencies, 99);
        Answers.put(side.round(), MOST, latencies, 100);
        side.round().put(SLICES, p99OfSlices(side.runs()));
    }

    private long p99(Side side) {
        return p99(Answers.of(side.runs()));
    }

    private long p99(Answers answers) {
        return answers.latenciesOfAll(plan.deadline()).getValueAtPercentile(99);
    }

    /** The lowest and the highest; empty if there is but one slice. */
    private String p99OfSlices(List<Answers> runs) {
        if (runs.size() < 2) {
            return "";
        }
        Spread spread = Spread.of(runs.stream().map(this::p99).toList());
        return P99.write(spread.lowest() / 1e3) + "–" + P99.write(spread.highest() / 1e3);
    }

    private static String describe(Tally before, Tally after) {
        StringBuilder text = new StringBuilder();
        text.append(before.standing()).append(" stood");
        if (before.readers() > 0) {
            text.append(", of ").append(before.readers()).append(" readers ").append(before.beingAnswered());
            text.append(" being answered");
        }
        text.append(", never fewer than ").append(after.fewestStanding());
        if (after.sentAway() > 0) {
            text.append("; ").append(after.sentAway()).append(" sent away and back");
        }
        if (after.answered() + after.refused() > 0) {
            text.append("; ").append(after.answered()).append(" of them answered, ");
            text.append(after.refused()).append(" refused");
        }
        return text.toString();
    }
}
