package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Mixin;

/** The part that all commands with slow clients share. */
abstract class SlowClientsCommand extends ScenarioCommand {
    @Mixin
    private NormalRequests normal = new NormalRequests();

    /**
     * The default servers. They include servers with a handler that reads the request body before it calls the servlet. With such a
     * handler, slow uploads occupy no thread.
     */
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
