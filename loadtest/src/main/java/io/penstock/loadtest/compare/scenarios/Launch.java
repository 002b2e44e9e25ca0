package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** Starts the server that a scenario measures, as often as the scenario needs. */
@FunctionalInterface
interface Launch {

    /** @param how a function that changes the common options of all scenarios into the options for this scenario */
    ServerProcess start(UnaryOperator<ServerOptions> how) throws IOException, InterruptedException;
}
