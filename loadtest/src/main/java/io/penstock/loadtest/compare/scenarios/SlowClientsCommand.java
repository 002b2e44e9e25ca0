package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The part that the commands with slow clients share. */
abstract class SlowClientsCommand extends ScenarioCommand {
    @Mixin
    private NormalRequests normal = new NormalRequests();

    /** Includes servers that hold bodies back until they are complete: this is the peers' own solution for slow uploads. */
    @Override
    List<Server> usual() {
        return Arrays.stream(Server.values())
                .filter(server -> server.settings() == Server.Settings.TUNED && !server.needsSessionStore())
                .toList();
    }

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    final SlowPlan plan() {
        return normal.plan(isSmoke());
    }
}
