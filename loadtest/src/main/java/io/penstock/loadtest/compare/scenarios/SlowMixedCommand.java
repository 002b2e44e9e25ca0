package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import io.penstock.loadtest.peers.Server;
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
            "Runs alone and runs beside them take turns, and the load starts when all slow clients stand. Connections and"
                    + " files need file descriptors: see 'ulimit -n'."
        },
        defaultValueProvider = OtherDefaults.OneInSmallHeap.class)
public final class SlowMixedCommand extends SlowClientsCommand {
    private static final long LENGTH = 1L << 20;

    @Option(
            names = "--uploads",
            paramLabel = "N",
            description = "Slow uploads, of which every second one begins with a burst; 4000 if absent.")
    private @Nullable Integer uploadCount;

    @Option(
            names = "--burst",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Bytes that those send at once before they become slow, such as 128k: more than a server may hold in"
                            + " memory before it calls the servlet.")
    private Long burst = 128L << 10;

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
    private OverTls tls = new OverTls();

    @Override
    List<Server> usual() {
        return tls.isOn() ? OverTls.SERVERS : super.usual();
    }

    @Override
    List<Scenario> scenarios() {
        uploads.check();
        readers.check();
        int uploading = atLeast(0, size(uploadCount, 4000, 10), "--uploads");
        int reading = atLeast(0, size(readerCount, 2000, 5), "--readers");
        int readingFiles = atLeast(0, size(fileReaderCount, 2000, 5), "--file-readers");
        int halfHeads = atLeast(0, size(halfHeadCount, 1000, 5), "--half-heads");
        int bursting = uploading / 2;
        int dripping = uploading - bursting;
        int first = atMostTwoGigabytes(burst, "--burst");
        String generated = "/generated?bytes=" + readers.length(LENGTH);
        String name = uploading + " uploads, " + reading + " readers, " + readingFiles + " file readers, " + halfHeads
                + " half heads";
        int all = uploading + reading + readingFiles + halfHeads;
        Company company = Company.of(
                name,
                all,
                bursting + reading + readingFiles,
                process -> new CrowdPlan(List.of(
                        new CrowdPlan.Group(dripping, uploads.to(process.target("/upload"))),
                        new CrowdPlan.Group(bursting, uploads.to(process.target("/upload"), first)),
                        new CrowdPlan.Group(reading, readers.of(process.target(generated))),
                        new CrowdPlan.Group(readingFiles, readers.of(process.target("/files/" + SlowScenario.FILE))),
                        new CrowdPlan.Group(halfHeads, new Kind.HalfHead(process.target("/hello"))))));
        return List.of(new SlowScenario(
                tls.name("slow-mixed"),
                tls.title("Normal requests beside slow clients of every kind"),
                "/hello",
                tls.companies(company),
                plan()));
    }
}
