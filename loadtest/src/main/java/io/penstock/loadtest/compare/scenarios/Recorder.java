package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import org.jspecify.annotations.Nullable;

/** Where a scenario writes what it measures of one server in one round. Thread: the one that runs the scenario. */
final class Recorder {
    private final Results results;
    private final Server server;
    private final int round;
    private Results.@Nullable Round latest;

    Recorder(Results results, Server server, int round) {
        this.results = results;
        this.server = server;
        this.round = round;
    }

    /** The server has started and says what it is. */
    void started(ServerProcess process) {
        results.call(server.id(), process.title());
        results.startedBy(server.id(), process.commandLine());
    }

    /** Begins a part of the scenario. */
    Results.Round part(String name) {
        Results.Round begun = results.round(server.id(), name, round);
        latest = begun;
        return begun;
    }

    /** The part that has been begun last, or else the whole measurement, could not be finished. */
    void fail(String reason) {
        Results.Round failed = latest == null ? part("") : latest;
        failed.fail(reason);
    }
}
