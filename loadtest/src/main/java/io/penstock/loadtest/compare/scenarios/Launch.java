package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** Starts the server that a scenario measures, as often as it likes. */
@FunctionalInterface
interface Launch {

    /** @param how what the scenario wants otherwise than the settings of the comparison have it */
    ServerProcess start(UnaryOperator<ServerOptions> how) throws IOException, InterruptedException;
}
