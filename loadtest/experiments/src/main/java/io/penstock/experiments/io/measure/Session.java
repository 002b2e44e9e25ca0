package io.penstock.experiments.io.measure;

import io.penstock.experiments.pages.MarkdownSection;
import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Runs the experiments of one command. Prints the table of each experiment when the experiment has ended, even if it was interrupted. Saves
 * the results in the requested files. Prints the progress to standard error.
 */
public final class Session {
    private static final int MEASURED = 0;
    private static final int BROKEN = 1;
    private static final int COULD_NOT_MEASURE = 3;

    private static final String ENDED = "the process was told to end";

    private final CommandSpec command;
    private final MeasureOptions options;
    private final PrintWriter out;
    private final PrintWriter err;
    private final List<Result> results = new ArrayList<>();
    private int code = MEASURED;

    private Session(CommandSpec command, MeasureOptions options) {
        this.command = command;
        this.options = options;
        this.out = command.commandLine().getOut();
        this.err = command.commandLine().getErr();
    }

    /**
     * Runs the experiments that the options describe.
     *
     * @param experiments a function that creates the experiments. If an option is wrong, the function throws an IllegalArgumentException
     *     that names the option
     * @return the exit code: 0, or 1 if a check has failed (see {@link Findings#broken}), or 3 if not everything could be measured
     */
    public static int run(CommandSpec command, MeasureOptions options, Supplier<List<Experiment>> experiments)
            throws IOException {
        Session session = new Session(command, options);
        List<Experiment> all;
        try {
            all = experiments.get();
            session.checkFiles(all);
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        for (Experiment experiment : all) {
            if (!session.run(experiment)) {
                break;
            }
        }
        return session.code;
    }

    private void checkFiles(List<Experiment> experiments) {
        options.files().check();
        options.docs()
                .check(experiments.stream()
                        .map(experiment -> experiment.findings().name())
                        .toList());
    }

    /** Runs one experiment. Returns false if the process must end. */
    private boolean run(Experiment experiment) {
        try (ScratchDirectory scratch = ScratchDirectory.in(options.dir(), experiment.bytesNeeded())) {
            Map<String, String> failures = new LinkedHashMap<>();
            boolean goOn = measure(experiment, scratch, failures);
            // The report must be printed before the scratch directory is closed. After Ctrl-C, the process ends soon
            // after this close.
            report(new Result(experiment.findings(), failures), goOn);
            return goOn;
        } catch (IOException e) {
            reportTrouble(e.getMessage());
            return true;
        }
    }

    private boolean measure(Experiment experiment, ScratchDirectory scratch, Map<String, String> failures) {
        try {
            experiment
                    .measure(scratch, this::say)
                    .forEach((way, why) -> failures.put(way, String.valueOf(why.getMessage())));
        } catch (IOException e) {
            failures.put("the rest", scratch.mustEnd() ? ENDED : String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            failures.put("the rest", ENDED);
            Thread.currentThread().interrupt();
            return false;
        }
        return !scratch.mustEnd();
    }

    private void report(Result result, boolean goOn) throws IOException {
        results.add(result);
        if (!result.findings().figures().isEmpty()) {
            out.println(result.text().stripTrailing());
            out.flush();
        }
        result.failures().forEach((way, why) -> reportTrouble("not measured: " + way + ": " + why));
        result.findings().broken().forEach(this::reportBroken);
        keep();
        String name = result.findings().name();
        Optional<Path> document = options.docs().file(name);
        if (document.isPresent() && goOn && result.failures().isEmpty()) {
            MarkdownSection.publish(document.get(), name, result.markdown(environment()));
        }
    }

    /** Writes the files with all results so far. Called after each experiment. */
    private void keep() throws IOException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("environment", environment());
        all.put("experiments", results.stream().map(Result::json).toList());
        options.files().save(all, Result.figures(results));
    }

    private Environment environment() {
        return Environment.of(CommandLineUsed.of(command));
    }

    private void say(String line) {
        err.println(line);
        err.flush();
    }

    private void reportTrouble(@Nullable String what) {
        code = COULD_NOT_MEASURE;
        say("experiments: " + what);
    }

    private void reportBroken(String what) {
        code = code == MEASURED ? BROKEN : code;
        say("experiments: " + what);
    }
}
