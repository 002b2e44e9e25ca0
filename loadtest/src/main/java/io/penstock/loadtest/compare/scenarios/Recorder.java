package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a scenario writes what it measures of one server in one round. Thread: the one that runs the scenario. */
final class Recorder {
    private final Results results;
    private final Server server;
    private final int round;
    private final List<Results.Round> begun = new ArrayList<>();
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
        Results.Round next = results.round(server.id(), name, round);
        begun.add(next);
        latest = next;
        return next;
    }

    /** While all parts were measured, other programs used that part of the machine; NaN if it is not known. */
    void othersUsed(double part) {
        begun.forEach(measured -> measured.othersUsed(part));
    }

    /** Forgets all parts: they are measured again. */
    void drop() {
        begun.forEach(results::drop);
    }

    /** The part that has been begun last, or else the whole measurement, could not be finished. */
    void fail(String reason) {
        Results.Round failed = latest == null ? part("") : latest;
        failed.fail(reason);
    }
}
