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

/** Runs one JMH benchmark with one set of parameters, in JVMs of its own. */
public final class Microbenchmark {
    /**
     * The durations and the numbers of repetitions.
     *
     * @param forks number of JVMs, one after the other; 0 = in this JVM, which is quick but less reliable
     * @param warmUps uncounted iterations in each JVM
     * @param iterations counted iterations in each JVM
     * @param iteration how long each iteration lasts
     */
    public record Settings(int forks, int warmUps, int iterations, Duration iteration) {
        public static final Settings SHORT = new Settings(1, 2, 3, Duration.ofMillis(500));
        public static final Settings FULL = new Settings(2, 5, 10, Duration.ofSeconds(1));

        public Settings {
            if (forks < 0 || warmUps < 0 || iterations < 1 || iteration.toMillis() < 1) {
                throw new IllegalArgumentException(
                        "forks and warm-ups must be at least 0, iterations at least 1, and last at least 1 ms");
            }
        }
    }

    /**
     * The results.
     *
     * @param iterations the score of every iteration, in the benchmark's unit
     * @param all all samples in the sample-time mode, else the iterations again
     */
    public record Outcome(Samples iterations, Statistics all) {}

    /** JMH's reader of a fork's output. It logs a stack trace when the fork is ended early. */
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

    /** The first line that names an exception explains more than the runner's own message. */
    private static String reason(RunnerException e, String log) {
        return log.lines()
                .map(String::strip)
                .filter(line -> line.matches("[\\w.]+(Exception|Error)\\b.*"))
                .findFirst()
                .orElse(Objects.requireNonNullElse(e.getMessage(), "no reason was given"));
    }
}
