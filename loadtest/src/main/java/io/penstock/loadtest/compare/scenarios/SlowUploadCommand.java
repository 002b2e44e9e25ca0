package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.crowd.CrowdPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare slow-upload}. */
@Command(
        name = "slow-upload",
        description = {
            "Are normal requests answered while slow clients upload a few bytes a second?",
            "Runs alone and runs beside them take turns, and the load starts when all slow clients stand."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class SlowUploadCommand extends SlowClientsCommand {
    @Option(names = "--slow", paramLabel = "N", description = "Slow clients; 400 if absent.")
    private @Nullable Integer slow;

    @Option(
            names = "--burst",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "In a second part, bytes that each upload sends at once before it becomes slow, such as 128k: more than"
                            + " a server may hold in memory before it calls the servlet.")
    private Long burst = 128L << 10;

    @Mixin
    private SlowUploads uploads = new SlowUploads();

    @Override
    List<Scenario> scenarios() {
        uploads.check();
        int size = atLeast(1, size(slow, 400, 20), "--slow");
        Company company = Company.of(
                size + " slow uploads",
                size,
                size,
                process -> CrowdPlan.of(size, uploads.to(process.target("/upload"))));
        int first = atMostTwoGigabytes(burst, "--burst");
        Company late = Company.of(
                size + " slow uploads behind a burst",
                size,
                size,
                process -> CrowdPlan.of(size, uploads.to(process.target("/upload"), first)));
        return List.of(new SlowScenario(
                "slow-upload", "Normal requests beside slow uploads", "/hello", List.of(company, late), plan()));
    }
}
