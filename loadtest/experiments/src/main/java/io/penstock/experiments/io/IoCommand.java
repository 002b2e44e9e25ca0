package io.penstock.experiments.io;

import picocli.CommandLine.Command;

/** The command {@code experiments io}. Each comparison is a subcommand. */
@Command(
        name = "io",
        description = {
            "Compares ways of input and output on this machine: sending a large file, copying files, writing floats,"
                    + " packets, appending to a file.",
            "Each comparison is a separate command; \"all\" runs them one after the other."
        },
        subcommands = {
            SendCommand.class,
            CopyCommand.class,
            FloatsCommand.class,
            PacketsCommand.class,
            AppendsCommand.class,
            AllCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMPARISON")
public final class IoCommand {}
