package io.penstock.loadtest.starve;

import io.penstock.loadtest.cli.CommandLineUsed;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.ClientSettings.AnyCertificate;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.ResultFiles;
import io.penstock.loadtest.starve.StarveExperiment.Bounds;
import io.penstock.loadtest.starve.StarveReport.Finding;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code loadtest starve}: its options, and the start of the search. */
@Command(
        name = "starve",
        description = {
            "Finds the number of slow clients at which a server, or the connection pool of its application,"
                    + " does not answer other clients any more.",
            "",
            "Tries each kind of slow client alone. Starts with a few slow clients, and doubles their number"
                    + " until less than half",
            "of the normal requests are answered in time. Then searches the exact number. The slow clients"
                    + " send few bytes, and",
            "stay within the bounds. Use this command only on your own servers.",
            ""
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no kind of slow client stops the server, each up to --clients",
            "1:at least one kind stops the server",
            "2:an option is invalid, or the host is another machine and --host does not name it",
            "3:not measured",
            "4:no kind stops the server, but at least one was not tried, or not up to --clients; the report has the"
                    + " reason"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  loadtest starve http://localhost:8080/ --upload-url=http://localhost:8080/upload"
                    + " --read-url=http://localhost:8080/report",
            "  loadtest starve http://localhost:8080/orders --kinds=uploads --upload-url=http://localhost:8080/orders"
                    + " --clients=50",
            "      tests the connection pool of one servlet",
            "  loadtest starve http://localhost:8080/api/orders --header='Authorization: Bearer TOKEN'"
                    + " --content-type=application/json",
            "      tests a service that needs a login, and reads JSON"
        })
public final class StarveCommand implements Callable<Integer> {
    private static final int NOT_STOPPED = 0;
    private static final int STOPPED = 1;
    private static final int NOT_TRIED = 4;
    private static final int SMALL_BUFFER = 16 << 10;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final StarvePlan plan = new StarvePlan();

    @Mixin
    private final ResultFiles files = new ResultFiles();

    @Override
    public Integer call() throws IOException, InterruptedException {
        try {
            plan.check();
            files.check();
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command().commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        FileDescriptors.check(plan.clients + plan.connections);
        ClientSettings settings = plan.isEncrypted()
                ? ClientSettings.defaults().withTls(AnyCertificate.clients(seen -> {}))
                : ClientSettings.defaults();
        try (ClientLoop normal = ClientLoop.start(settings.withMaxConnections(plan.connections));
                ClientLoop slow = ClientLoop.start(
                        settings.withMaxConnections(plan.clients).withSocketBuffers(SMALL_BUFFER, 0))) {
            OpenLoop.checkReachable(normal, plan.step().request(), plan.deadline);
            return search(normal, slow);
        }
    }

    private int search(ClientLoop normal, ClientLoop slow) throws IOException, InterruptedException {
        PrintWriter out = command().commandLine().getOut();
        PrintWriter err = command().commandLine().getErr();
        Environment environment = Environment.of(CommandLineUsed.of(command()));
        try (Bounds bounds = new Bounds(slow, plan.limits())) {
            StarveExperiment experiment = new StarveExperiment(plan, normal, slow, bounds, line -> {
                err.println(line);
                err.flush();
            });
            Finding.Answered alone = experiment.alone();
            out.println("Normal requests without slow clients: " + alone.describe() + ".");
            out.flush();
            StarveReport report = new StarveReport(environment, plan, alone, experiment.all());
            out.println();
            out.print(report.table().text());
            out.println();
            report.sentences().forEach(out::println);
            out.flush();
            files.save(report.json(), report.table());
            if (report.isStopped()) {
                return STOPPED;
            }
            return report.isConclusive() ? NOT_STOPPED : NOT_TRIED;
        }
    }

    private CommandSpec command() {
        return Objects.requireNonNull(spec);
    }
}
