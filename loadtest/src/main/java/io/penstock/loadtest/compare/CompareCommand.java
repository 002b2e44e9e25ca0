package io.penstock.loadtest.compare;

import picocli.CommandLine.Command;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** The command {@code loadtest compare}. Each {@link Comparison} is a subcommand, or an option of a subcommand. */
@Command(
        name = "compare",
        description = {
            "Compares servers. Each server runs in its own JVM, with the same heap, garbage collector and"
                    + " content. The servers are warmed up and measured in turns. The report has medians with lowest"
                    + " and highest values.",
            "Each comparison is a separate command."
        },
        modelTransformer = CompareCommand.Subcommands.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMPARISON")
public final class CompareCommand {
    /** The command {@code starve ws-readers}, which starts the servers itself, as all comparisons do. */
    public static CommandSpec deadReaders() {
        Comparison comparison = Comparison.ALL.stream()
                .filter(other -> other.command().equals("ws-readers"))
                .findFirst()
                .orElseThrow();
        return new ComparisonCommand(comparison).specification();
    }

    /** Adds the subcommands. */
    static final class Subcommands implements IModelTransformer {
        @Override
        public CommandSpec transform(CommandSpec compare) {
            Comparison.ALL.stream()
                    .filter(comparison -> comparison.variant().isEmpty())
                    .forEach(comparison -> compare.addSubcommand(
                            comparison.command(), new ComparisonCommand(comparison).specification()));
            return compare;
        }
    }
}
