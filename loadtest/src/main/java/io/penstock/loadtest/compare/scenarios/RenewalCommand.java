package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code compare renewal}. */
@Command(
        name = "renewal",
        description = {
            "Does a request fail while the files of the certificate are replaced, and when do new handshakes get the new one?",
            "Penstock alone: the others do not follow their files."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class RenewalCommand extends ScenarioCommand {
    @Option(names = "--rate", paramLabel = "N", description = "Requests due in a second on connections that stay open.")
    private int rate = 1000;

    @Option(
            names = "--handshakes",
            paramLabel = "N",
            description = "Requests due in a second beside them, each on a new connection.")
    private int handshakes = 50;

    @Option(names = "--swaps", paramLabel = "N", description = "How often the certificate is replaced; 6 if absent.")
    private @Nullable Integer swaps;

    @Option(
            names = "--between",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "Time between two of them, such as 5s; 5s if absent. The server looks at the files each second.")
    private @Nullable Duration between;

    @Override
    List<Server> usual() {
        return List.of(Server.PENSTOCK);
    }

    @Override
    List<Scenario> scenarios() {
        return List.of(new RenewalScenario(
                atLeast(1, rate, "--rate"),
                atLeast(1, handshakes, "--handshakes"),
                atLeast(1, size(swaps, 6, 1), "--swaps"),
                size(between, Duration.ofSeconds(5), Duration.ofSeconds(4))));
    }
}
