package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes the measurements of one server in one round. Thread: the one that runs the scenario. */
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

    /** The server has started and has reported its name and version. */
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

    /** The part of the machine that other programs used while all parts were measured; NaN if it is not known. */
    void othersUsed(double part) {
        begun.forEach(measured -> measured.othersUsed(part));
    }

    /** Drops all parts, since they are measured again. */
    void drop() {
        begun.forEach(results::drop);
    }

    /** Undoes {@link #drop}, since the parts could not be measured again. */
    void restore() {
        begun.forEach(results::restore);
    }

    /** Records that the latest part has failed, or the whole measurement if no part has begun. */
    void fail(String reason) {
        Results.Round failed = latest == null ? part("") : latest;
        failed.fail(reason);
    }
}
