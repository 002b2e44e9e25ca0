package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.function.UnaryOperator;

/** Starts the server that a scenario measures, as often as the scenario needs. */
@FunctionalInterface
interface Launch {

    /** @param how the settings in which the scenario differs from the comparison */
    ServerProcess start(UnaryOperator<ServerOptions> how) throws IOException, InterruptedException;
}
