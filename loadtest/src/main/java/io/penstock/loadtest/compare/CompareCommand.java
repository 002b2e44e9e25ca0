package io.penstock.loadtest.compare;

import io.penstock.loadtest.compare.rows.RowsCommand;
import io.penstock.loadtest.compare.rows.TlsCommand;
import io.penstock.loadtest.compare.rows.WaitingCommand;
import io.penstock.loadtest.compare.scenarios.AllCommand;
import io.penstock.loadtest.compare.scenarios.BootCommand;
import io.penstock.loadtest.compare.scenarios.FilesCommand;
import io.penstock.loadtest.compare.scenarios.IdleCommand;
import io.penstock.loadtest.compare.scenarios.OverloadCommand;
import io.penstock.loadtest.compare.scenarios.PooledCommand;
import io.penstock.loadtest.compare.scenarios.RenewalCommand;
import io.penstock.loadtest.compare.scenarios.SessionsCommand;
import io.penstock.loadtest.compare.scenarios.SlowHandshakeCommand;
import io.penstock.loadtest.compare.scenarios.SlowHeadCommand;
import io.penstock.loadtest.compare.scenarios.SlowMixedCommand;
import io.penstock.loadtest.compare.scenarios.SlowReadCommand;
import io.penstock.loadtest.compare.scenarios.SlowUploadCommand;
import io.penstock.loadtest.compare.scenarios.StartupCommand;
import io.penstock.loadtest.compare.users.UsersCommand;
import picocli.CommandLine.Command;

/** The command {@code loadtest compare}. Each scenario is a subcommand. */
@Command(
        name = "compare",
        description = {
            "Compares servers. Each server runs in its own JVM, with the same heap, garbage collector and"
                    + " content. The servers are warmed up and measured in turns. The report has medians with lowest"
                    + " and highest values.",
            "Each scenario is a separate command."
        },
        subcommands = {
            RowsCommand.class,
            TlsCommand.class,
            WaitingCommand.class,
            UsersCommand.class,
            IdleCommand.class,
            SlowUploadCommand.class,
            SlowReadCommand.class,
            SlowHeadCommand.class,
            SlowHandshakeCommand.class,
            SlowMixedCommand.class,
            PooledCommand.class,
            OverloadCommand.class,
            RenewalCommand.class,
            StartupCommand.class,
            FilesCommand.class,
            SessionsCommand.class,
            BootCommand.class,
            AllCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "SCENARIO")
public final class CompareCommand {}
