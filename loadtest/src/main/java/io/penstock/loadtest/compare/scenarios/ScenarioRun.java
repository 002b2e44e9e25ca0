package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.function.BiFunction;

/**
 * Runs a {@link Scenario}. In each round, every server is measured once; this is a turn. If a turn fails, the results contain the reason,
 * and the other turns continue. If other programs disturbed a turn, the turn is repeated.
 *
 * <p>Thread: one thread.
 */
final class ScenarioRun {
    private final Scenario scenario;
    private final Lineup lineup;
    private final PeersFolder peers;
    private final JvmSettings jvm;
    private final BiFunction<Server, ServerOptions, ServerOptions> setUp;
    private final OtherPrograms others;
    private final Results results;
    private final ScenarioProgress progress;

    /** @param setUp a function that adds the settings of the command line to the options of a server */
    ScenarioRun(
            Scenario scenario,
            Lineup lineup,
            PeersFolder peers,
            JvmSettings jvm,
            BiFunction<Server, ServerOptions, ServerOptions> setUp,
            OtherPrograms others,
            Results results,
            ScenarioProgress progress) {
        this.scenario = scenario;
        this.lineup = lineup;
        this.peers = peers;
        this.jvm = jvm;
        this.setUp = setUp;
        this.others = others;
        this.results = results;
        this.progress = progress;
    }

    void run(int rounds) throws IOException, InterruptedException {
        try (ContentFolder content = ContentFolder.create()) {
            scenario.prepare(content);
            ServerOptions common = ServerOptions.serving(content.root());
            for (int round = 1; round <= rounds; round++) {
                for (Server server : lineup.inRound(round)) {
                    if (results.isClosed()) {
                        return;
                    }
                    progress.onBegin(server, round);
                    measure(server, round, setUp.apply(server, common));
                    progress.onEnd();
                }
            }
        }
    }

    private void measure(Server server, int round, ServerOptions common) throws IOException, InterruptedException {
        Attempts attempts = new Attempts(server, round, common);
        OtherPrograms.Watched<Recorder> turn = others.watch(attempts, attempts);
        turn.value().othersUsed(turn.othersUsed());
    }

    /** One turn of a server, and the repetitions of this turn. */
    private final class Attempts implements OtherPrograms.Attempt<Recorder>, OtherPrograms.Repetition<Recorder> {
        private final Server server;
        private final int round;
        private final ServerOptions common;
        private boolean isRepetition;

        Attempts(Server server, int round, ServerOptions common) {
            this.server = server;
            this.round = round;
            this.common = common;
        }

        /**
         * Measures once. If the first attempt fails, the results contain the reason. If a repetition fails, nothing is added to the
         * results.
         */
        @Override
        public Recorder measure() throws IOException, InterruptedException {
            Recorder recorder = new Recorder(results, server, round);
            try {
                scenario.measure(server, how -> ServerProcess.start(server, peers, jvm, how.apply(common)), recorder);
            } catch (IOException failed) {
                if (isRepetition) {
                    recorder.drop();
                    throw failed;
                }
                recorder.fail(String.valueOf(failed.getMessage()));
            }
            return recorder;
        }

        @Override
        public void onDisturbed(Recorder disturbed, double othersUsed) {
            isRepetition = true;
            disturbed.drop();
            progress.onDisturbed(server, othersUsed);
        }

        @Override
        public void onFailed(Recorder disturbed, IOException failed) {
            disturbed.restore();
            progress.onRepetitionFailed(server, failed);
        }
    }
}
