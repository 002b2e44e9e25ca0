package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.peers.Server;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code compare pooled} and its options. */
@Command(
        name = "pooled",
        description = {
            "Measures normal requests while slow clients use the same servlet. Each call of the servlet"
                    + " holds one of ten permits, like a database connection of a pool.",
            "The first part has slow uploads, the second slow readers. The runs alternate: one"
                    + " without slow clients, then one with slow clients. The command also measures how long a call by a fast client holds its permit."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class PooledCommand extends SlowClientsCommand {
    private static final String PATH = "/pooled?bytes=";
    private static final String NORMAL_PATH = PATH + 13;
    private static final long LENGTH = 1L << 20;

    @Option(
            names = "--slow",
            paramLabel = "N",
            description = "Number of slow uploads in the first part, and of slow readers in the second. Default: 400.")
    private @Nullable Integer slow;

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
        int size = atLeast(1, size(slow, 400, 20), "--slow");
        String longPath = PATH + readers.length(LENGTH);
        Company uploading = new Company(
                size + " slow uploads",
                size,
                size,
                NORMAL_PATH,
                process -> CrowdPlan.of(size, uploads.to(process.target(NORMAL_PATH))));
        Company reading = new Company(
                size + " slow readers",
                size,
                size,
                longPath,
                process -> CrowdPlan.of(size, readers.of(process.target(longPath))));
        return List.of(new SlowScenario(
                tls.name("pooled"),
                tls.title("Normal requests to a servlet with ten permits"),
                NORMAL_PATH,
                tls.companies(uploading, reading),
                plan()));
    }
}
