package io.penstock.loadtest;

import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.io.IoCommand;
import io.penstock.loadtest.run.RunCommand;
import io.penstock.loadtest.slow.SlowCommand;
import io.penstock.loadtest.transactions.TransactionsCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Starts a load test from the command line. */
@Command(
        name = "loadtest",
        description = "Measures a server from the side of its clients.",
        subcommands = {
            RunCommand.class,
            CompareCommand.class,
            IoCommand.class,
            SlowCommand.class,
            TransactionsCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    private static final int COULD_NOT_MEASURE = 3;

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** What could not be measured is told in one line, and so is a wrong option. */
    public static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println("loadtest: " + failure.getMessage());
                    return COULD_NOT_MEASURE;
                })
                .setParameterExceptionHandler((wrong, arguments) -> {
                    CommandLine command = wrong.getCommandLine();
                    String name = command.getCommandSpec().qualifiedName();
                    command.getErr().println(wrong.getMessage() + " (" + name + " --help tells more)");
                    return command.getCommandSpec().exitCodeOnInvalidInput();
                });
    }
}
