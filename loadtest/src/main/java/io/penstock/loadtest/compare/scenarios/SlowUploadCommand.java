package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.crowd.CrowdPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code compare slow-upload} and its options. */
@Command(
        name = "slow-upload",
        description = {
            "Measures normal requests while slow clients upload bodies, a few bytes per second.",
            "The runs alternate: one without slow clients, then one with slow clients. Each run starts when all slow clients"
                    + " are connected. In the first part all uploads are slow from the start. In the second part each upload begins with a burst."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class SlowUploadCommand extends SlowClientsCommand {
    @Option(names = "--slow", paramLabel = "N", description = "Number of slow clients. Default: 400.")
    private @Nullable Integer slow;

    @Option(
            names = "--burst",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bytes that each upload of the second part sends at once before it becomes slow, such as"
                    + " 128k. This should be more than a server keeps in memory before it calls the servlet.")
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
