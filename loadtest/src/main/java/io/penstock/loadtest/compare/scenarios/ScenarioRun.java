package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs a scenario: in each round every server has its turn. What fails becomes a reason in the results, and the rest goes on.
 *
 * <p>Thread: one.
 */
final class ScenarioRun {
    /** Is told before and after every measurement. */
    interface Watcher {
        void onBegin(Server server, int round);

        void onEnd() throws IOException;
    }

    /** What whoever runs it wants of a server, whatever the scenario. */
    @FunctionalInterface
    interface SetUp {
        ServerOptions of(Server server, ServerOptions common);
    }

    private final Scenario scenario;
    private final List<Server> servers;
    private final PeersFolder peers;
    private final JvmSettings jvm;
    private final SetUp setUp;
    private final Results results;
    private final Watcher watcher;

    ScenarioRun(
            Scenario scenario,
            List<Server> servers,
            PeersFolder peers,
            JvmSettings jvm,
            SetUp setUp,
            Results results,
            Watcher watcher) {
        this.scenario = scenario;
        this.servers = servers;
        this.peers = peers;
        this.jvm = jvm;
        this.setUp = setUp;
        this.results = results;
        this.watcher = watcher;
    }

    void run(int rounds) throws IOException, InterruptedException {
        try (ContentFolder content = ContentFolder.create()) {
            scenario.prepare(content);
            ServerOptions common = ServerOptions.serving(content.root());
            for (int round = 1; round <= rounds; round++) {
                // Who begins the round changes, for what comes first may meet a cooler or a quieter machine.
                List<Server> turns = new ArrayList<>(servers);
                Collections.rotate(turns, 1 - round);
                for (Server server : turns) {
                    if (results.isClosed()) {
                        return;
                    }
                    watcher.onBegin(server, round);
                    measure(server, round, setUp.of(server, common));
                    watcher.onEnd();
                }
            }
        }
    }

    private void measure(Server server, int round, ServerOptions common) throws InterruptedException {
        Recorder recorder = new Recorder(results, server, round);
        try {
            scenario.measure(server, how -> ServerProcess.start(server, peers, jvm, how.apply(common)), recorder);
        } catch (IOException failed) {
            recorder.fail(String.valueOf(failed.getMessage()));
        }
    }
}
