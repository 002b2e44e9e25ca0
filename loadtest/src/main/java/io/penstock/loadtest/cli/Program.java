package io.penstock.loadtest.cli;

import picocli.CommandLine;

/** Runs the commands of a program. An error is printed as one line that names the failed measurement or the wrong option. */
public final class Program {
    private static final int COULD_NOT_MEASURE = 3;

    private Program() {}

    /** @param main an object whose class has the annotation {@code @Command}, which declares the program's name and subcommands */
    public static CommandLine of(Object main) {
        return new CommandLine(main)
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    String program = parsed.commandSpec().root().name();
                    command.getErr().println(program + ": " + failure.getMessage());
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
