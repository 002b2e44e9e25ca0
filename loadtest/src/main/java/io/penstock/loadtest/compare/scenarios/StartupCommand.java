package io.penstock.loadtest.compare.scenarios;

import java.util.List;
import picocli.CommandLine.Command;

/** The command {@code compare startup}. */
@Command(
        name = "startup",
        description = "Time from the start of a server's process to its first response.",
        defaultValueProvider = OtherDefaults.Five.class)
public final class StartupCommand extends ScenarioCommand {
    @Override
    List<Scenario> scenarios() {
        return List.of(new StartupScenario());
    }
}
