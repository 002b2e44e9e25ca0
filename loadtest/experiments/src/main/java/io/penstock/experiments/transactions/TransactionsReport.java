package io.penstock.experiments.transactions;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.Table.Column;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes the results as tables, as Markdown, and as a map for JSON. */
record TransactionsReport(TransactionsPlan plan, Results results) {

    /** The line that is printed at the end of a minute. */
    static String progress(Minute minute) {
        return String.format(
                Locale.ROOT,
                "minute %2d  %-11s  %8.1f transactions per minute, %d failed%s%s",
                minute.number(),
                minute.kind().label(),
                minute.perMinute(),
                minute.failed(),
                minute.firstTrouble().isEmpty() ? "" : " (first: " + minute.firstTrouble() + ")",
                minute.ending() == Minute.Ending.CUT
                        ? ", cut after "
                                + DurationConverter.text(minute.length().truncatedTo(ChronoUnit.MILLIS))
                        : "");
    }

    /** A table of the transactions per minute of both clients, with one row for each minute, and a row with the average. */
    Table minuteByMinute() {
        Table table = new Table(
                Column.text("minute"),
                Column.number("blocking (transactions/min)", 1),
                Column.number("multiplexed (transactions/min)", 1),
                Column.number("ratio", 2));
        for (int number = 1; number <= results.lastMinute(); number++) {
            addRow(
                    table,
                    Integer.toString(number),
                    results.perMinute(Kind.BLOCKING, number),
                    results.perMinute(Kind.MULTIPLEXED, number));
        }
        addRow(table, "average", results.perMinute(Kind.BLOCKING), results.perMinute(Kind.MULTIPLEXED));
        return table;
    }

    /** A table of the totals of both clients: results and use of resources. */
    Table summary() {
        Table table = new Table(
                Column.text("client"),
                Column.count("threads"),
                Column.count("users"),
                Column.number("transactions/min", 1),
                Column.number("mean latency (ms)", 0),
                Column.count("transactions failed"),
                Column.count("calls"),
                Column.count("past deadline"),
                Column.count("failed otherwise"),
                Column.number("CPU (% of one processor)", 2),
                Column.number("CPU (ms/transaction)", 2),
                Column.number("load average", 2));
        for (Kind kind : Kind.values()) {
            table.add(
                    kind.label(),
                    plan.budget(kind).threads(),
                    plan.budget(kind).users(),
                    cell(results.perMinute(kind)),
                    cell(results.meanLatencyMillis(kind)),
                    results.sum(kind, Minute::failed),
                    results.sum(kind, Minute::calls),
                    results.sum(kind, Minute::pastDeadline),
                    results.sum(kind, Minute::failedOtherwise),
                    cell(results.cpuPercent(kind)),
                    cell(results.cpuMillisPerTransaction(kind)),
                    cell(results.loadAverage(kind)));
        }
        return table;
    }

    /** A table for CSV with all counts of each minute of each client. */
    Table everyMinute() {
        Table table = new Table(
                Column.count("minute"),
                Column.text("client"),
                Column.number("length (s)", 3),
                Column.count("complete"),
                Column.count("failed"),
                Column.number("transactions/min", 1),
                Column.number("mean latency (ms)", 1),
                Column.count("calls"),
                Column.count("past deadline"),
                Column.count("failed otherwise"),
                Column.number("CPU (% of one processor)", 2),
                Column.number("server's CPU (% of one processor)", 2),
                Column.number("load average", 2));
        for (Minute minute : results.minutes()) {
            table.add(
                    minute.number(),
                    minute.kind().label(),
                    minute.length().toNanos() / 1e9,
                    minute.complete(),
                    minute.failed(),
                    minute.perMinute(),
                    minute.meanLatencyMillis(),
                    minute.calls(),
                    minute.pastDeadline(),
                    minute.failedOtherwise(),
                    minute.cpuPercent(),
                    100.0 * minute.serverCpu().toNanos() / minute.length().toNanos(),
                    minute.loadAverage() < 0 ? null : minute.loadAverage());
        }
        return table;
    }

    /** The results as a map for JSON. */
    Map<String, @Nullable Object> json(Environment environment) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        json.put("environment", environment);
        json.put("plan", plan);
        json.put("minutes", results.minutes());
        json.put("summary", summary());
        json.put("ratio", cell(results.ratio()));
        return json;
    }

    /** The section of a document in Markdown, without a heading. */
    String markdown(String picture, Environment environment) {
        String blockingUsers = plan.blocking().callThreads() == 0
                ? "Each of the blocking client's users makes all calls in turn."
                : "With the blocking client a search takes one thread for each supplier: the user's own thread and"
                        + " threads for calls. If no thread for calls has begun a call in time, the user's thread makes it"
                        + " itself.";
        return String.join(
                "\n\n",
                plan.inWords().replace("\n", "\n\n"),
                blockingUsers
                        + " With the multiplexed client the user's thread hands all its calls over, and waits for the last"
                        + " answer. Both clients meet the same latencies, drawn from a lognormal distribution (seed "
                        + plan.latencies().seed()
                        + "). They run in turns. A *minute* of the table lasts " + DurationConverter.text(plan.minute())
                        + ", after a lead-in of "
                        + DurationConverter.text(plan.leadIn()) + " that does not count.",
                minuteByMinute().markdown().strip(),
                picture,
                summary().transposed().markdown().strip(),
                "Latency is that of a complete transaction, from its beginning to its end. CPU is that of the"
                        + " client's process. The load average is that of the system over about a minute, read at the end"
                        + " of each minute. So it still contains a part of the other client and of other programs."
                        + String.format(
                                Locale.ROOT,
                                " The third party, a process of its own, used %s of a processor.",
                                percents(results::serverCpuPercent)),
                environment.markdown().strip());
    }

    private static String percents(Function<Kind, OptionalDouble> percent) {
        return String.format(
                Locale.ROOT,
                "%.1f %% (blocking) and %.1f %% (multiplexed)",
                percent.apply(Kind.BLOCKING).orElse(Double.NaN),
                percent.apply(Kind.MULTIPLEXED).orElse(Double.NaN));
    }

    private static void addRow(Table table, String name, OptionalDouble blocking, OptionalDouble multiplexed) {
        table.add(name, cell(blocking), cell(multiplexed), cell(Results.ratio(blocking, multiplexed)));
    }

    private static @Nullable Double cell(OptionalDouble value) {
        return value.isPresent() ? value.getAsDouble() : null;
    }
}
