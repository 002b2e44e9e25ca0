package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code compare slow-head} and its options. */
@Command(
        name = "slow-head",
        description = {
            "Measures normal requests while slow clients have sent half a request head.",
            "The runs alternate: one without slow clients, then one with slow clients. Each run starts when all"
                    + " slow clients are connected."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class SlowHeadCommand extends SlowClientsCommand {
    private static final int NO_FILES = 0;

    @Option(names = "--slow", paramLabel = "N", description = "Number of slow clients. Default: 400.")
    private @Nullable Integer slow;

    @Override
    List<Scenario> scenarios() {
        int size = atLeast(1, size(slow, 400, 20), "--slow");
        Company company = Company.of(
                size + " half-sent heads",
                size,
                NO_FILES,
                process -> CrowdPlan.of(size, new Kind.HalfHead(process.target("/hello"))));
        return List.of(new SlowScenario(
                "slow-head", "Normal requests beside half-sent heads", "/hello", List.of(company), plan()));
    }
}
