package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.peers.Server;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code compare slow-read} and its options. */
@Command(
        name = "slow-read",
        description = {
            "Measures normal requests while slow clients read large responses, a few bytes per second.",
            "The runs alternate: one without slow clients, then one with slow clients. Each run starts when all"
                    + " slow clients are connected."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class SlowReadCommand extends SlowClientsCommand {
    private static final long LENGTH = 16L << 20;

    @Option(names = "--slow", paramLabel = "N", description = "Number of slow clients. Default: 400.")
    private @Nullable Integer slow;

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
        readers.check();
        int size = atLeast(1, size(slow, 400, 20), "--slow");
        long length = readers.length(LENGTH);
        Company company = Company.of(
                size + " slow readers",
                size,
                size,
                process -> CrowdPlan.of(size, readers.of(process.target("/generated?bytes=" + length))));
        return List.of(new SlowScenario(
                tls.name("slow-read"),
                tls.title("Normal requests beside slow readers"),
                "/hello",
                tls.companies(company),
                plan()));
    }
}
