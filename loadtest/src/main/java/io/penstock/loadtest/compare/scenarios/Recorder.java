package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Collects the measurements of one server in one round, and adds them to the {@link Results}. Thread: the thread that runs the scenario.
 */
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

    /** Records the name and the command of a server that has started. */
    void started(ServerProcess process) {
        results.call(server.id(), process.title());
        results.startedBy(server.id(), process.commandLine());
    }

    /** Begins a part of the scenario, and returns the object for its values. */
    Results.Round part(String name) {
        Results.Round next = results.round(server.id(), name, round);
        begun.add(next);
        latest = next;
        return next;
    }

    /**
     * Stores the share of the machine that other programs used during the measurement of all parts, from 0 to 1; NaN if it is not known.
     */
    void othersUsed(double part) {
        begun.forEach(measured -> measured.othersUsed(part));
    }

    /** Removes all parts from the results, since they are measured again. */
    void drop() {
        begun.forEach(results::drop);
    }

    /** Adds all parts again after {@link #drop}, since the repeated measurement has failed. */
    void restore() {
        begun.forEach(results::restore);
    }

    /** Records that the latest part has failed. If no part has begun, records that the whole measurement has failed. */
    void fail(String reason) {
        Results.Round failed = latest == null ? part("") : latest;
        failed.fail(reason);
    }
}
