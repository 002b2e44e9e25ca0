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

/** The command {@code compare slow-mixed} and its options. */
@Command(
        name = "slow-mixed",
        description = {
            "Measures normal requests while slow clients of every kind are connected.",
            "The runs alternate: one without slow clients, then one with slow clients. Each run starts when all"
                    + " slow clients are connected. Connections and files need file descriptors; see 'ulimit -n'."
        },
        defaultValueProvider = OtherDefaults.OneInSmallHeap.class)
public final class SlowMixedCommand extends SlowClientsCommand {
    private static final long LENGTH = 1L << 20;

    @Option(
            names = "--uploads",
            paramLabel = "N",
            description = "Number of slow uploads. Every second upload begins with a burst. Default: 4000.")
    private @Nullable Integer uploadCount;

    @Option(
            names = "--burst",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bytes of a burst, which an upload sends at once before it becomes slow, such as 128k."
                    + " This should be more than a server keeps in memory before it calls the servlet.")
    private Long burst = 128L << 10;

    @Option(
            names = "--readers",
            paramLabel = "N",
            description = "Number of slow readers of a generated response. Default: 2000.")
    private @Nullable Integer readerCount;

    @Option(
            names = "--file-readers",
            paramLabel = "N",
            description = "Number of slow readers of a 16 MB file. Default: 2000.")
    private @Nullable Integer fileReaderCount;

    @Option(
            names = "--half-heads",
            paramLabel = "N",
            description = "Number of clients that send half a request head. Default: 1000.")
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
