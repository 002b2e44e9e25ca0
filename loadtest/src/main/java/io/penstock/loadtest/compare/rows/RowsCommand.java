package io.penstock.loadtest.compare.rows;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code loadtest compare rows}. */
@Command(
        name = "rows",
        description = {
            "Measures many kinds of work in one table: small requests over 64 to 8,192 connections, uploads,"
                    + " servlets that write, pipelining, new connections, a servlet that waits, a large file, the start"
                    + " of penstock.jar, idle connections, a burst of slow readers. The table has the ratio of Penstock"
                    + " (default settings) to the best other server, and the target for it.",
            "Writes results to standard output, progress to standard error."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:measured, at least partly", "2:an option is invalid", "3:nothing was measured"})
public final class RowsCommand extends WorksCommand {
    @Option(
            names = "--works",
            paramLabel = "NAME",
            split = ",",
            description = "Works to measure, separated by commas, such as hello-64,echo-1m. Default: all, that is"
                    + " hello-64, hello-256, hello-1024, hello-8192, echo-1k, echo-64k, echo-256k, echo-1m,"
                    + " output-64k, output-1m, pipelined, new-connection, sleep, file, start-folder, start-war,"
                    + " start-folder-archive, start-war-archive, idle, burst.")
    private List<String> names = List.of();

    @Option(
            names = "--client",
            paramLabel = "NAME",
            converter = Clients.ChoiceConverter.class,
            description = "Client for small responses: wrk, own (the load test's own client), or auto (wrk if it"
                    + " is on the path, else own).")
    private Clients.Choice client = Clients.Choice.AUTO;

    @Override
    Sheet sheet() {
        return Sheet.PLAIN;
    }

    @Override
    List<String> names() {
        return names;
    }

    @Override
    Clients clients(boolean smokeTest) {
        return Clients.of(smokeTest && client == Clients.Choice.AUTO ? Clients.Choice.OWN : client);
    }
}
