package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare slow-mixed}. */
@Command(
        name = "slow-mixed",
        description = {
            "Are normal requests answered beside slow clients of every kind at the same time?",
            "Runs alone and runs beside them take turns, and the load starts when all slow clients stand."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        defaultValueProvider = DefaultRounds.One.class,
        sortOptions = false)
public final class SlowMixedCommand extends ScenarioCommand {
    @Option(names = "--uploads", paramLabel = "N", description = "Slow uploads; 4000 if absent.")
    private @Nullable Integer uploadCount;

    @Option(
            names = "--readers",
            paramLabel = "N",
            description = "Slow readers of a generated response; 2000 if absent.")
    private @Nullable Integer readerCount;

    @Option(names = "--file-readers", paramLabel = "N", description = "Slow readers of a 16 MB file; 2000 if absent.")
    private @Nullable Integer fileReaderCount;

    @Option(
            names = "--half-heads",
            paramLabel = "N",
            description = "Clients that have sent half a head; 1000 if absent.")
    private @Nullable Integer halfHeadCount;

    @Mixin
    private SlowUploads uploads = new SlowUploads();

    @Mixin
    private SlowReaders readers = new SlowReaders();

    @Mixin
    private NormalRequests normal = new NormalRequests();

    @Override
    List<Scenario> scenarios() {
        uploads.check();
        readers.check();
        int uploading = atLeast(0, size(uploadCount, 4000, 10), "--uploads");
        int reading = atLeast(0, size(readerCount, 2000, 5), "--readers");
        int readingFiles = atLeast(0, size(fileReaderCount, 2000, 5), "--file-readers");
        int halfHeads = atLeast(0, size(halfHeadCount, 1000, 5), "--half-heads");
        String name = uploading + " uploads, " + reading + " readers, " + readingFiles + " file readers, " + halfHeads
                + " half heads";
        int all = uploading + reading + readingFiles + halfHeads;
        Company company = new Company(
                name,
                all,
                process -> new CrowdPlan(List.of(
                        new CrowdPlan.Group(uploading, uploads.to(process.target("/upload"))),
                        new CrowdPlan.Group(reading, generated(process)),
                        new CrowdPlan.Group(readingFiles, readers.of(process.target("/files/" + SlowScenario.FILE))),
                        new CrowdPlan.Group(halfHeads, new Kind.HalfHead(process.target("/hello"))))));
        return List.of(new SlowScenario(
                "slow-mixed",
                "Normal requests beside slow clients of every kind",
                "/hello",
                List.of(company),
                normal.plan(isSmoke())));
    }

    private Kind generated(ServerProcess process) {
        return readers.of(process.target("/generated?bytes=" + readers.length()));
    }
}
