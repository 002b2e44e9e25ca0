package io.penstock.loadtest.compare.rows;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loadtest compare waiting}. */
@Command(
        name = "waiting",
        description = {
            "Measures servlets and Spring Boot controllers that wait, like applications that wait for a database:"
                    + " good answers per second, quick requests at a constant rate beside slow servlets, threads and"
                    + " memory. All servers have their default settings. Each work is measured from the start of the"
                    + " server, and with a server that is warm.",
            "Writes results to standard output, progress to standard error."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least partly", "2:an option is invalid", "3:nothing was measured"})
public final class WaitingCommand extends WorksCommand {
    @Option(
            names = "--works",
            paramLabel = "NAME",
            split = ",",
            description = "Works to measure, separated by commas, each also with -start appended. Default: all, that"
                    + " is wait-20, wait-100, wait-1000, boot-150, boot-800, mixed, beside-400, beside-2000,"
                    + " beside-2-servlets, beside-8-servlets, beside-2-paths, compute, quick, one.")
    private List<String> names = List.of();

    @Option(
            names = "--virtual-threads",
            description = "All servers run servlets on virtual threads; name a java of 21 or newer with --java. The"
                    + " works whose names begin with beside are left out.")
    private boolean virtual;

    @Override
    Sheet sheet() {
        return virtual ? Sheet.WAITING_VIRTUAL : Sheet.WAITING;
    }

    @Override
    List<String> names() {
        return names;
    }

    @Override
    Clients clients(boolean smokeTest) {
        return Clients.of(Clients.Choice.AUTO);
    }
}
