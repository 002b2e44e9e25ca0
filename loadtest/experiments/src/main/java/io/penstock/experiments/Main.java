package io.penstock.experiments;

import io.penstock.experiments.capacity.CapacityCommand;
import io.penstock.experiments.io.IoCommand;
import io.penstock.experiments.transactions.TransactionsCommand;
import io.penstock.loadtest.cli.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Starts the experiments from the command line. */
@Command(
        name = "experiments",
        description = "Measures ways of input and output, and of waiting for other programs, on this machine; and"
                + " simulates the number of nodes for a number of users.",
        subcommands = {IoCommand.class, TransactionsCommand.class, CapacityCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    public static CommandLine commandLine() {
        return Program.of(new Main());
    }
}
