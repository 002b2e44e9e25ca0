package io.penstock.experiments.transactions;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of {@code experiments transactions}, and the comparison that they describe. */
@Command(
        name = "transactions",
        description = {
            "Compares two clients of a slow third party that may have equally many threads: how many transactions a minute"
                    + " does each bring to their end?",
            "A transaction is a travel search: all suppliers are asked at the same time, and when the last has answered one"
                    + " booking is made. The blocking client has a thread wait for every call. The multiplexed client has one"
                    + " selector thread wait for all calls. The third party is simulated, by a process of its own; both clients"
                    + " meet the same latencies.",
            "The clients run in turns, a minute each, so that both see the same machine."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:it was measured", "2:an option is wrong", "3:it could not be measured"})
public final class TransactionsCommand implements Callable<Integer> {
    private static final int MINUTES_OF_FULL = 10;
    private static final int MEDIANS_OF_LEAD_IN = 5;
    private static final int COULD_NOT_MEASURE = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Threads that each client may have, the selector's included.")
    private int threads = 50;

    @Option(
            names = "--blocking-users",
            paramLabel = "N",
            description = {
                "How many of the blocking client's threads run transactions; the others make calls for them. As many as"
                        + " --threads: each user makes all calls in turn. If absent: so many that users and call threads are"
                        + " equally busy."
            })
    private @Nullable Integer blockingUsers;

    @Option(
            names = "--calls",
            paramLabel = "N",
            description = "Calls of a transaction: all but one to suppliers, at the same time, and then the booking.")
    private int calls = 5;

    @Option(
            names = "--median",
            paramLabel = "TIME",
            defaultValue = "1.2s",
            converter = DurationConverter.class,
            description = "Time within which the third party answers half of the calls, such as 1.2s or 20ms.")
    private Duration median = Duration.ZERO;

    @Option(
            names = "--tail-p99",
            paramLabel = "TIME",
            defaultValue = "6s",
            converter = DurationConverter.class,
            description = "Time within which it answers 99 of 100 calls (lognormal); the same as --median for a latency"
                    + " that is always the same.")
    private Duration tail = Duration.ZERO;

    @Option(names = "--seed", paramLabel = "N", description = "Another seed, other latencies; the same seed, the same.")
    private long seed = 1;

    @Option(names = "--answer-bytes", paramLabel = "BYTES", description = "Length of an answer's body, in bytes.")
    private int answerBytes = 2048;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "When a call counts as failed, and its transaction with it.")
    private Duration deadline = Duration.ZERO;

    @Option(names = "--minutes", paramLabel = "N", description = "Minutes of each client.")
    private int minutes = 1;

    @Option(names = "--full", description = "The same as --minutes " + MINUTES_OF_FULL + ".")
    private boolean full;

    @Option(
            names = "--minute",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "Length of what counts as a minute; results are per 60 s all the same.")
    private Duration minute = Duration.ZERO;

    @Option(
            names = "--lead-in",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long users are at it before each minute counts; if absent, five times the median.")
    private @Nullable Duration leadIn;

    @Mixin
    private final Outputs outputs = new Outputs();

    @Override
    public Integer call() throws IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        TransactionsPlan plan;
        try {
            plan = plan();
            outputs.check();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        PrintWriter out = command.commandLine().getOut();
        Environment environment = Environment.of(CommandLineUsed.of(command));
        // Closed after everything is printed and written. Until then, Ctrl-C does not end the process.
        Interruption interruption = Interruption.ofThisThread();
        try {
            return measure(plan, environment, out);
        } finally {
            interruption.close();
        }
    }

    private int measure(TransactionsPlan plan, Environment environment, PrintWriter out) throws IOException {
        out.println(plan.inWords());
        out.flush();
        Experiment experiment = new Experiment(plan, minuteOver -> {
            out.println(TransactionsReport.progress(minuteOver));
            out.flush();
        });
        try {
            if (experiment.run() == Experiment.Ending.CUT_SHORT) {
                out.println("Cut short: this is what had been measured by then.");
            }
        } finally {
            // Measurements before a failure are kept.
            report(new TransactionsReport(plan, experiment.results()), environment, out);
        }
        return experiment.results().complete() > 0 ? 0 : COULD_NOT_MEASURE;
    }

    private void report(TransactionsReport report, Environment environment, PrintWriter out) throws IOException {
        if (report.results().isEmpty()) {
            return;
        }
        out.println();
        out.println(report.minuteByMinute().text());
        out.println(report.summary().transposed().text());
        out.flush();
        outputs.write(report, environment);
    }

    private TransactionsPlan plan() {
        TransactionShape shape = new TransactionShape(calls);
        Latencies latencies = new Latencies(median, tail, seed);
        ThreadBudget balanced = ThreadBudget.blockingBalanced(threads, shape, latencies);
        return new TransactionsPlan(
                latencies,
                shape,
                blockingUsers == null ? balanced : ThreadBudget.blocking(threads, blockingUsers, shape.suppliers()),
                ThreadBudget.multiplexed(threads),
                deadline,
                answerBytes,
                leadIn == null ? median.multipliedBy(MEDIANS_OF_LEAD_IN) : leadIn,
                minute,
                full ? MINUTES_OF_FULL : minutes);
    }
}
