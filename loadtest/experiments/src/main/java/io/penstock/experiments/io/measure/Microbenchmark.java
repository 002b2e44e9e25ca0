package io.penstock.experiments.io.measure;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs one JMH benchmark with one set of parameters, in separate JVMs. */
public final class Microbenchmark {
    /**
     * The durations and the numbers of repetitions.
     *
     * @param forks the number of JVMs, which run one after the other; with 0 the benchmark runs in this JVM, which is faster but less
     *     reliable
     * @param warmUps the number of iterations in each JVM that are not counted
     * @param iterations the number of iterations in each JVM that are counted
     * @param iteration the duration of each iteration
     */
    public record Settings(int forks, int warmUps, int iterations, Duration iteration) {
        public static final Settings SHORT = new Settings(1, 2, 3, Duration.ofMillis(500));
        public static final Settings FULL = new Settings(2, 5, 10, Duration.ofSeconds(1));

        public Settings {
            if (forks < 0 || warmUps < 0 || iterations < 1 || iteration.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "forks and warm-ups must be at least 0, iterations at least 1, and the time of an iteration"
                                + " at least 1 ms");
            }
        }
    }

    /**
     * The results of a benchmark.
     *
     * @param iterations the score of each iteration, in the unit of the benchmark
     * @param all in the mode SampleTime, the statistics of all samples; otherwise the statistics of the iterations
     */
    public record Outcome(Samples iterations, Statistics all) {}

    /** The logger of the JMH class that reads the output of a fork. This class would log a stack trace when a fork is ended early. */
    private static final Logger DRAINER = Logger.getLogger("org.openjdk.jmh.util.InputStreamDrainer");

    static {
        DRAINER.setLevel(Level.OFF);
    }

    private Microbenchmark() {}

    public static Outcome run(Class<?> benchmark, Settings settings, Map<String, String> parameters)
            throws IOException, InterruptedException {
        TimeValue each = TimeValue.milliseconds(settings.iteration().toMillis());
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + benchmark.getName().replace(".", "\\.") + "\\.")
                .forks(settings.forks())
                .warmupIterations(settings.warmUps())
                .warmupTime(each)
                .measurementIterations(settings.iterations())
                .measurementTime(each)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.NORMAL);
        parameters.forEach((name, value) -> options.param(name, value));
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        try {
            PrintStream log = new PrintStream(said, true, StandardCharsets.UTF_8);
            Collection<RunResult> results = new Runner(
                            options.build(), OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL))
                    .run();
            return outcome(results.iterator().next());
        } catch (RunnerException e) {
            if (Thread.interrupted()) {
                throw new InterruptedException("told to end");
            }
            throw new IOException(
                    benchmark.getSimpleName() + " could not be run: "
                            + reason(e, said.toString(StandardCharsets.UTF_8)),
                    e);
        }
    }

    private static Outcome outcome(RunResult result) {
        Samples iterations = new Samples();
        for (BenchmarkResult fork : result.getBenchmarkResults()) {
            for (IterationResult iteration : fork.getIterationResults()) {
                iterations.add(iteration.getPrimaryResult().getScore());
            }
        }
        return new Outcome(iterations, result.getPrimaryResult().getStatistics());
    }

    /**
     * Returns the reason of a failure: the first line of JMH's output that names an exception. The message of the RunnerException is less
     * useful, and is returned only if there is no such line.
     */
    private static String reason(RunnerException e, String log) {
        return log.lines()
                .map(String::strip)
                .filter(line -> line.matches("[\\w.]+(Exception|Error)\\b.*"))
                .findFirst()
                .orElse(Objects.requireNonNullElse(e.getMessage(), "no reason was given"));
    }
}
