package io.penstock.loadtest;

import io.penstock.loadtest.capacity.CapacityCommand;
import io.penstock.loadtest.cli.Program;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.run.RunCommand;
import io.penstock.loadtest.slow.SlowCommand;
import io.penstock.loadtest.starve.StarveCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Starts a load test from the command line. */
@Command(
        name = "loadtest",
        description = "Measures servers from the client side.",
        subcommands = {
            RunCommand.class,
            CompareCommand.class,
            SlowCommand.class,
            StarveCommand.class,
            CapacityCommand.class
        },
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
