package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.compare.setup.ComparisonOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code compare all}. Runs all other commands of {@code compare}, one after the other. */
@Command(
        name = "all",
        description = {
            "Runs all scenarios, one after the other. The options of this command apply to all of them.",
            "A full run takes hours. If a scenario fails, the others still run."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class AllCommand implements Callable<Integer> {
    private static final String SMOKE = "--smoke";
    /**
     * The options that replace {@code --smoke} for the command {@code compare users}, which does not have this option. With these options,
     * the command runs for a few seconds.
     */
    private static final List<String> SMOKE_USERS =
            List.of("--users=20,50", "--duration=1s", "--warm-up=1s", "--ramp-up=500ms", "--rounds=1");

    @Spec
    private @Nullable CommandSpec spec;

    /** The options are declared in this class only to check them. Each scenario parses the options again for itself. */
    @Mixin
    private ComparisonOptions comparison = new ComparisonOptions();

    @Option(
            names = SMOKE,
            description = "Test run: a few seconds for each server and scenario. The printed"
                    + " figures are not measurements.")
    private boolean smoke;

    @Override
    public Integer call() {
        CommandSpec self = Objects.requireNonNull(spec);
        comparison.checkDocs(smoke);
        comparison.jvm();
        comparison.rounds();
        int worst = 0;
        for (Map.Entry<String, CommandLine> other : self.parent().subcommands().entrySet()) {
            if (!other.getKey().equals(self.name())) {
                int exit = run(other.getKey(), other.getValue(), given(self.commandLine()));
                worst = Math.max(worst, exit);
            }
        }
        return worst;
    }

    private int run(String name, CommandLine scenario, List<String> options) {
        List<String> arguments = new ArrayList<>(options);
        if (smoke && scenario.getCommandSpec().findOption(SMOKE) == null) {
            arguments.remove(SMOKE);
            SMOKE_USERS.stream().filter(size -> !isGiven(size, options)).forEach(arguments::add);
        }
        int exit = scenario.execute(arguments.toArray(String[]::new));
        if (exit != 0) {
            scenario.getErr().printf(Locale.ROOT, "compare %s has ended with status %d%n", name, exit);
        }
        return exit;
    }

    private static boolean isGiven(String size, List<String> options) {
        String name = size.substring(0, size.indexOf('=') + 1);
        return options.stream().anyMatch(option -> option.startsWith(name));
    }

    /** The options of this command, as the user wrote them. */
    private static List<String> given(CommandLine command) {
        List<String> options = new ArrayList<>();
        for (OptionSpec option : command.getParseResult().matchedOptions()) {
            options.add(option.arity().max() == 0 ? option.longestName() : option.longestName() + "=" + values(option));
        }
        return options;
    }

    private static String values(ArgSpec option) {
        return String.join(",", option.originalStringValues());
    }
}
