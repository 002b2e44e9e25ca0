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

/** The command {@code experiments transactions}: its options, and the start of the comparison. */
@Command(
        name = "transactions",
        description = {
            "Compares two clients of a slow third party, with the same number of threads. Measures the"
                    + " transactions per minute of each.",
            "A transaction is a travel search. It sends requests to all suppliers at the same time; after"
                    + " the last response it makes one booking. In the blocking client a thread waits for each call. In"
                    + " the multiplexed client one selector thread waits for all calls. A separate process simulates"
                    + " the third party, with the same latencies for both clients.",
            "The clients run in turns of one minute, so both run under the same conditions."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured", "2:an option is invalid", "3:not measured"})
public final class TransactionsCommand implements Callable<Integer> {
    private static final int MINUTES_OF_FULL = 10;
    private static final int MEDIANS_OF_LEAD_IN = 5;
    private static final int COULD_NOT_MEASURE = 3;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Number of threads of each client, including the selector thread.")
    private int threads = 50;

    @Option(
            names = "--blocking-users",
            paramLabel = "N",
            description = {
                "Number of threads of the blocking client that run transactions. The other threads make"
                        + " calls. If equal to --threads, each user makes its calls one after the other. Default:"
                        + " computed, so that users and call threads are equally busy."
            })
    private @Nullable Integer blockingUsers;

    @Option(
            names = "--calls",
            paramLabel = "N",
            description = "Number of calls of a transaction: those to the suppliers, at the same time, and"
                    + " then one for the booking.")
    private int calls = 5;

    @Option(
            names = "--median",
            paramLabel = "TIME",
            defaultValue = "1.2s",
            converter = DurationConverter.class,
            description = "Median of the third party's latency, such as 1.2s or 20ms.")
    private Duration median = Duration.ZERO;

    @Option(
            names = "--tail-p99",
            paramLabel = "TIME",
            defaultValue = "6s",
            converter = DurationConverter.class,
            description = "p99 of the third party's latency (lognormal distribution). If equal to --median,"
                    + " the latency is constant.")
    private Duration tail = Duration.ZERO;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the random latencies. The same seed gives the same latencies.")
    private long seed = 1;

    @Option(names = "--answer-bytes", paramLabel = "BYTES", description = "Size of a response body in bytes.")
    private int answerBytes = 2048;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "Time limit of a call. After it the call and its transaction count as failed.")
    private Duration deadline = Duration.ZERO;

    @Option(names = "--minutes", paramLabel = "N", description = "Number of minutes for each client.")
    private int minutes = 1;

    @Option(names = "--full", description = "The same as --minutes " + MINUTES_OF_FULL + ".")
    private boolean full;

    @Option(
            names = "--minute",
            paramLabel = "TIME",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "Duration of each \"minute\", such as 10s for a short run. Results are still per 60 s.")
    private Duration minute = Duration.ZERO;

    @Option(
            names = "--lead-in",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Warm-up time before each minute, not measured. Default: five times the median.")
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
        // This object is closed when everything is printed and written. Before that, Ctrl-C stops the measurement but
        // does not end the process.
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
                out.println("Interrupted. Measured until then:");
            }
        } finally {
            // If the experiment fails, the measurements before the failure are reported.
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
