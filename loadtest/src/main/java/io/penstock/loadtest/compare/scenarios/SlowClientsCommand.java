package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Mixin;

/** What the commands with slow clients have in common. */
abstract class SlowClientsCommand extends ScenarioCommand {
    @Mixin
    private NormalRequests normal = new NormalRequests();

    /** With those that keep bodies until they have come: it is the peers' own answer to slow uploads. */
    @Override
    final List<Server> usual() {
        return Arrays.stream(Server.values())
                .filter(server -> server.settings() == Server.Settings.TUNED)
                .toList();
    }

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    final SlowPlan plan() {
        return normal.plan(isSmoke());
    }
}
