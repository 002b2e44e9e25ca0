package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The results of one server under overload, as columns of the table. One column names the targets ("bars") that the server misses.
 *
 * <p>Thread: the thread that runs the scenario.
 */
final class OverloadRow {
    /** The bar for the number of good responses per second, in percent of the maximum that all threads together can send. */
    static final double LEAST_SHARE = 95;
    /** The bar for the p99.9 latency of requests that are refused at once. */
    static final double MOST_REFUSAL_MILLIS = 50;
    /**
     * The bar for the p99.9 latency of requests that are refused because they have waited too long. Only the part of the latency beyond the
     * maximum waiting time is compared with this bar.
     */
    static final double MOST_BEYOND_AGE_MILLIS = 50;

    static final long MOST_RECOVERY_MILLIS = 1000;

    private static final Measure NORMAL = Measure.tenths("normalMillis", "p50 before, ms");
    private static final Measure SHARE = Measure.tenths("shareOfCapacity", "of capacity, %");
    private static final Measure GOOD_P99 = Measure.whole("goodP99Millis", "p99 of good, ms");
    private static final Measure REFUSED = Measure.tenths("refusedShare", "503 at once, %");
    private static final Measure REFUSED_P50 = Measure.tenths("refusedP50Millis", "p50 of these, ms");
    private static final Measure REFUSED_P99 = Measure.tenths("refusedP99Millis", "p99");
    private static final Measure REFUSED_P999 = Measure.tenths("refusedP999Millis", "p99.9");
    private static final Measure OUTDATED = Measure.tenths("outdatedShare", "503 when overload was found, %");
    private static final Measure OUTDATED_P999 = Measure.whole("outdatedP999Millis", "p99.9 of these, ms");
    private static final Measure AGED = Measure.tenths("agedShare", "503 for age, %");
    private static final Measure AGED_P999 = Measure.tenths("agedP999BeyondMillis", "p99.9 of these beyond age, ms");
    private static final Measure TIMEOUTS = Measure.tenths("timeoutShare", "no answer in time, %");
    private static final Measure CONNECT = Measure.tenths("connectErrorShare", "connect errors, %");
    private static final Measure BROKEN = Measure.tenths("brokenShare", "other, %");
    private static final Measure CALLS = Measure.whole("callsOpen", "most calls of service open");
    private static final Measure RESIDENT = Measure.whole("residentMegabytes", "resident, MB");
    private static final Measure RECOVERY = Measure.whole("recoveryMillis", "normal again after, ms");
    private static final Measure MISSED = Measure.text("barsMissed", "bars missed");
    private static final Measure NOTE = Measure.text("note", "note");
    private static final int PERCENT = 100;
    private static final double SHARP = 99.9;

    private final Results.Round round;
    private final OverloadPlan plan;
    private final OverloadSetup setup;
    private final List<String> missed = new ArrayList<>();

    OverloadRow(Results.Round round, OverloadPlan plan, OverloadSetup setup) {
        this.round = round;
        this.plan = plan;
        this.setup = setup;
    }

    static List<Measure> columns(OverloadPlan plan) {
        return List.of(
                NORMAL,
                goodput(plan),
                SHARE,
                GOOD_P99,
                REFUSED,
                REFUSED_P50,
                REFUSED_P99,
                REFUSED_P999,
                OUTDATED,
                OUTDATED_P999,
                AGED,
                AGED_P999,
                TIMEOUTS,
                CONNECT,
                BROKEN,
                CALLS,
                RESIDENT,
                RECOVERY,
                MISSED,
                NOTE);
    }

    /**
     * The column for the number of good responses per second. A response after the deadline is not counted, since its client has
     * disconnected.
     */
    private static Measure goodput(OverloadPlan plan) {
        return Measure.tenths("goodput", "good within " + DurationConverter.text(plan.deadline()) + ", 1/s");
    }

    void putNormal(long nanos) {
        round.put(NORMAL, nanos / 1e6);
    }

    /** Stores the results of the requests that were due during the overload. */
    void putDuring(Answers answers, Watch watch) {
        putGood(answers);
        putRefusals(answers, watch.outdated());
        round.put(TIMEOUTS, share(answers, answers.count(answer -> answer.isTimeout() || isLate(answer))))
                .put(CONNECT, share(answers, answers.count(Answer::isConnectError)))
                .put(BROKEN, share(answers, answers.broken() + answers.count(Answer::isOtherStatus)))
                .put(CALLS, watch.callsOpen())
                .put(RESIDENT, watch.residentBytes() / 1e6);
    }

    void putGood(Answers answers) {
        long end = plan.duration().toNanos();
        long good = answers.count(answer -> isInTime(answer) && answer.endNanos() <= end);
        double perSecond = good / (end / 1e9);
        double share = PERCENT * perSecond / plan.capacity();
        round.put(goodput(plan), perSecond).put(SHARE, share);
        Answers.put(round, GOOD_P99, answers.latencies(this::isInTime), 99);
        keepTo("goodput", share >= LEAST_SHARE);
    }

    void putRefusals(Answers answers, long outdated) {
        Refusals refusals = new Refusals(answers, setup.ageNanos(), outdated);
        putAtOnce(answers, refusals.atOnce());
        round.put(OUTDATED, share(answers, refusals.outdated().count()));
        Answers.put(round, OUTDATED_P999, refusals.outdated().micros(), SHARP);
        putAged(answers, refusals.aged());
    }

    private void putAtOnce(Answers answers, Refusals.Part atOnce) {
        round.put(REFUSED, share(answers, atOnce.count()));
        Answers.put(round, REFUSED_P50, atOnce.micros(), 50);
        Answers.put(round, REFUSED_P99, atOnce.micros(), 99);
        Answers.put(round, REFUSED_P999, atOnce.micros(), SHARP);
        keepTo("503 at once", atOnce.micros().getValueAtPercentile(SHARP) / 1e3 < MOST_REFUSAL_MILLIS);
    }

    private void putAged(Answers answers, Refusals.Part aged) {
        round.put(AGED, share(answers, aged.count()));
        if (aged.count() > 0) {
            double beyond = aged.micros().getValueAtPercentile(SHARP) / 1e3 - setup.ageNanos() / 1e6;
            round.put(AGED_P999, beyond);
            keepTo("503 for age", beyond <= MOST_BEYOND_AGE_MILLIS);
        }
    }

    /**
     * Stores the time until the server has recovered, and the list of all missed bars. All other results must be stored before. {@code
     * millis} is empty if the server did not recover.
     */
    void putRecovery(OptionalLong millis) {
        if (millis.isPresent()) {
            round.put(RECOVERY, millis.getAsLong());
        } else {
            round.put(RECOVERY, Double.POSITIVE_INFINITY)
                    .put(NOTE, "not normal again within " + plan.after().toSeconds() + " s");
        }
        keepTo("back to normal", millis.isPresent() && millis.getAsLong() <= MOST_RECOVERY_MILLIS);
        round.put(MISSED, missed.isEmpty() ? "none" : String.join(", ", missed));
    }

    private boolean isInTime(Answer answer) {
        return answer.isGood() && !isLate(answer);
    }

    /** Whether the response is good but arrived after the deadline. */
    private boolean isLate(Answer answer) {
        return answer.isGood() && answer.latencyNanos() > plan.deadline().toNanos();
    }

    private void keepTo(String bar, boolean kept) {
        if (!kept) {
            missed.add(bar);
        }
    }

    private static double share(Answers answers, long count) {
        return answers.count() == 0 ? 0 : PERCENT * count / (double) answers.count();
    }
}
