package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code compare slow-read}. */
@Command(
        name = "slow-read",
        description = {
            "Are normal requests answered while slow clients read large responses a few bytes a second?",
            "Runs alone and runs beside them take turns, and the load starts when all slow clients stand."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        defaultValueProvider = DefaultRounds.One.class,
        sortOptions = false)
public final class SlowReadCommand extends ScenarioCommand {
    @Option(names = "--slow", paramLabel = "N", description = "Slow clients; 400 if absent.")
    private @Nullable Integer slow;

    @Mixin
    private SlowReaders readers = new SlowReaders();

    @Mixin
    private NormalRequests normal = new NormalRequests();

    @Override
    List<Scenario> scenarios() {
        readers.check();
        int size = atLeast(1, size(slow, 400, 20), "--slow");
        Company company = new Company(
                size + " slow readers",
                size,
                process -> CrowdPlan.of(size, readers.of(process.target("/generated?bytes=" + readers.length()))));
        return List.of(new SlowScenario(
                "slow-read",
                "Normal requests beside slow readers",
                "/hello",
                List.of(company),
                normal.plan(isSmoke())));
    }
}
