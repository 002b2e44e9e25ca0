package io.penstock.loadtest;

import io.penstock.loadtest.cli.Program;
import io.penstock.loadtest.compare.CompareCommand;
import io.penstock.loadtest.report.ResultCsv;
import io.penstock.loadtest.run.RunCommand;
import io.penstock.loadtest.slow.SlowCommand;
import io.penstock.loadtest.starve.StarveCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Starts a load test from the command line. */
@Command(
        name = "loadtest",
        description = "Measures servers from the client side.",
        subcommands = {RunCommand.class, CompareCommand.class, SlowCommand.class, StarveCommand.class},
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    @Spec
    private @Nullable CommandSpec spec;

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    @Command(
            name = "page",
            description = "Prints a CSV file of results, such as docs/results/compare-rows.csv, as a Markdown page.")
    void page(@Parameters(paramLabel = "FILE") Path csv) throws IOException {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        out.println(ResultCsv.markdown(Files.readString(csv)));
        out.flush();
    }

    public static CommandLine commandLine() {
        CommandLine main = Program.of(new Main());
        Objects.requireNonNull(main.getSubcommands().get("starve")).addSubcommand(CompareCommand.deadReaders());
        return main;
    }
}
