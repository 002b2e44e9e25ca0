package io.penstock.loadtest.compare;

import io.penstock.loadtest.compare.users.UsersCommand;
import picocli.CommandLine.Command;

/** Groups the scenarios. */
@Command(
        name = "compare",
        description = {
            "Compares servers: starts each in a JVM of its own with the same heap, collector and content, warms it up, lets the"
                    + " servers take turns, and reports medians with their spread.",
            "Each scenario is a command of its own."
        },
        subcommands = {UsersCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "SCENARIO")
public final class CompareCommand {}
