package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.report.Spread;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One row of the table of a {@link SlowScenario}. It has the results of all runs without slow clients, or of all runs with slow clients. A
 * scenario alternates these two kinds of runs; one pair is called a slice.
 *
 * <p>Thread: the thread that runs the scenario.
 */
final class SlowSide {
    private static final Measure REQUESTS = Measure.whole("requests", "requests");
    private static final Measure ANSWERED = Measure.whole("answered", "answered in time");
    private static final Measure OTHER = Measure.whole("otherStatus", "other status");
    private static final Measure FAILED = Measure.whole("failed", "not answered");
    private static final Measure P50 = Measure.thousandths("p50Millis", "p50 of all due, ms");
    private static final Measure P99 = Measure.thousandths("p99Millis", "p99 of all due, ms");
    private static final Measure P999 = Measure.thousandths("p999Millis", "p99.9 of all due, ms");
    private static final Measure SLICES = Measure.text("p99OfSlicesMillis", "p99 of slices, ms");
    private static final Measure MOST = Measure.thousandths("maxMillis", "max of all due, ms");
    private static final Measure BAR = Measure.text("bar", "bar");
    private static final Measure CALLS = Measure.whole("callsOpen", "most calls of service open");
    private static final Measure PERMIT = Measure.tenths("permitMillis", "longest permit, ms");
    private static final Measure OWN_WORK = Measure.tenths("ownPermitMillis", "longest permit for fast clients, ms");
    private static final Measure THREADS = Measure.whole("threads", "threads");
    private static final Measure RESIDENT = Measure.whole("residentMegabytes", "resident, MB");
    private static final Measure ALLOWED = Measure.whole("residentAllowedMegabytes", "allowed, MB");
    private static final Measure KERNEL = Measure.whole("kernelMegabytes", "kernel memory for sockets, MB");
    private static final Measure SLOW = Measure.text("slowClients", "slow clients");
    private static final Measure TROUBLE = Measure.text("firstTrouble", "first error");
    private static final double MEGABYTE = 1e6;

    private final Results.Round round;
    private final Watch watch;
    private final Duration deadline;
    private final List<Answers> runs = new ArrayList<>();

    SlowSide(Results.Round round, ServerProcess process, Duration deadline) {
        this.round = round;
        this.watch = new Watch(process);
        this.deadline = deadline;
    }

    static List<Measure> columns() {
        return List.of(
                REQUESTS, ANSWERED, OTHER, FAILED, P50, P99, P999, SLICES, MOST, BAR, CALLS, THREADS, RESIDENT, ALLOWED,
                KERNEL, SLOW, TROUBLE);
    }

    /** The columns for the servlet that limits its calls with permits. */
    static List<Measure> columnsWithPermits() {
        List<Measure> columns = new ArrayList<>(columns());
        columns.addAll(columns.indexOf(THREADS), List.of(PERMIT, OWN_WORK));
        return columns;
    }

    /** The columns for servers with their own default settings. They have no column for the allowed memory. */
    static List<Measure> columnsOfDefaults() {
        return List.of(
                REQUESTS, ANSWERED, OTHER, FAILED, P50, P99, SLICES, MOST, BAR, CALLS, THREADS, RESIDENT, SLOW,
                TROUBLE);
    }

    Watch watch() {
        return watch;
    }

    /** The normal requests of all slices so far. */
    Answers answers() {
        return Answers.of(runs);
    }

    /**
     * Adds the requests of one slice, and stores the values of all slices so far. So these values are available even if a later slice
     * fails.
     */
    void add(Answers run) {
        runs.add(run);
        Answers answers = answers();
        round.put(REQUESTS, answers.count())
                .put(ANSWERED, answers.good())
                .put(OTHER, answers.count(answer -> answer.isOtherStatus() || answer.isRefusal()))
                .put(FAILED, answers.count(answer -> answer.failure() != null))
                .put(CALLS, watch.callsOpen())
                .put(PERMIT, watch.permitMicros() / 1e3)
                .put(THREADS, watch.threads())
                .put(RESIDENT, watch.residentBytes() / MEGABYTE)
                .put(KERNEL, watch.kernelBytes() / MEGABYTE)
                .put(SLICES, p99OfSlices())
                .put(TROUBLE, answers.firstTrouble());
        Histogram latencies = answers.latenciesOfAll(deadline);
        Answers.put(round, P50, latencies, 50);
        Answers.put(round, P99, latencies, 99);
        Answers.put(round, P999, latencies, 99.9);
        Answers.put(round, MOST, latencies, 100);
    }

    void putSlowClients(Tally before, Tally after) {
        round.put(SLOW, describe(before, after));
    }

    /** Stores the longest time for which the servlet holds a permit if all clients are fast. */
    void putOwnWork(long micros) {
        round.put(OWN_WORK, micros / 1e3);
    }

    void putResidentAllowed(long bytes) {
        round.put(ALLOWED, bytes / MEGABYTE);
    }

    void putBar(String outcome) {
        round.put(BAR, outcome);
    }

    /** Waits until the server has noticed that the slow clients have disconnected. */
    void awaitQuiet(Duration patience) throws IOException, InterruptedException {
        if (!watch.untilQuiet(patience)) {
            throw new IOException(
                    "calls of service are still open " + patience.toSeconds() + " s after the slow clients have gone");
        }
    }

    /** The p99 of all slices so far, in microseconds. */
    long p99() {
        return p99(answers());
    }

    private long p99(Answers answers) {
        return answers.latenciesOfAll(deadline).getValueAtPercentile(99);
    }

    /** The lowest and the highest p99 of a slice; empty if there is only one slice. */
    private String p99OfSlices() {
        if (runs.size() < 2) {
            return "";
        }
        Spread spread = Spread.of(runs.stream().map(this::p99).toList());
        return P99.write(spread.lowest() / 1e3) + "–" + P99.write(spread.highest() / 1e3);
    }

    /**
     * A text about the slow clients: how many were connected when the normal requests began, and what happened to them during these
     * requests.
     */
    static String describe(Tally before, Tally after) {
        StringBuilder text = new StringBuilder();
        if (before.isComplete()) {
            text.append(before.standing()).append(" connected");
        } else {
            text.append("only ")
                    .append(before.standing())
                    .append(" of ")
                    .append(before.size())
                    .append(" connected");
            text.append(" (")
                    .append(before.lastTrouble().isEmpty() ? "still connecting" : before.lastTrouble())
                    .append(')');
        }
        if (before.readers() > 0) {
            text.append(", ").append(before.beingAnswered()).append(" of ").append(before.readers());
            text.append(" readers being answered");
        }
        if (before.bursts() > 0) {
            text.append(", ").append(before.burstsSent()).append(" of ").append(before.bursts());
            text.append(" bursts taken");
        }
        text.append(", never fewer than ").append(after.fewestStanding());
        if (after.sentAway() > 0) {
            text.append("; ").append(after.sentAway()).append(" disconnected and connected again");
        }
        if (after.answered() + after.refused() > 0) {
            text.append("; ").append(after.answered()).append(" of them answered, ");
            text.append(after.refused()).append(" refused");
        }
        return text.toString();
    }
}
