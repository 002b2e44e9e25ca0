package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Measures all servers with each number of users: starts the servers, warms them up, and measures them in turns. If a measurement fails,
 * the results have a gap, and the other measurements continue. If other programs disturbed a turn, the turn is repeated.
 *
 * <p>Thread: one thread.
 */
final class UsersExperiment {
    private final UsersPlan plan;
    private final Lineup lineup;
    private final PeersFolder peers;
    private final JvmSettings jvm;
    private final OtherPrograms others;
    private final UsersResults results;
    private final UsersProgress progress;

    UsersExperiment(
            UsersPlan plan,
            Lineup lineup,
            PeersFolder peers,
            JvmSettings jvm,
            OtherPrograms others,
            UsersResults results,
            UsersProgress progress) {
        this.plan = plan;
        this.lineup = lineup;
        this.peers = peers;
        this.jvm = jvm;
        this.others = others;
        this.results = results;
        this.progress = progress;
    }

    void run() throws IOException, InterruptedException {
        try (ContentFolder content = ContentFolder.create()) {
            content.add(Asked.TEXT_NAME, Asked.TEXT_LENGTH);
            ServerOptions options = ServerOptions.serving(content.root());
            for (int users : plan.users()) {
                measureWith(users, options);
            }
        }
    }

    private void measureWith(int users, ServerOptions options) throws IOException, InterruptedException {
        Map<Server, ServerProcess> running = new LinkedHashMap<>();
        try {
            for (Server server : lineup.servers()) {
                start(server, users, options, running);
            }
            for (int round = 1; round <= plan.rounds(); round++) {
                for (Server server : lineup.inRound(round)) {
                    measure(server, users, round, running);
                }
            }
        } finally {
            for (ServerProcess process : new ArrayList<>(running.values())) {
                process.close();
            }
        }
    }

    private void start(Server server, int users, ServerOptions options, Map<Server, ServerProcess> running)
            throws IOException, InterruptedException {
        try {
            ServerProcess process = ServerProcess.start(server, peers, jvm, options);
            running.put(server, process);
            results.call(server, process.title());
            new UsersRun(plan, process).warmUp();
        } catch (IOException failed) {
            giveUp(server, users, failed, running);
        }
    }

    private void measure(Server server, int users, int round, Map<Server, ServerProcess> running)
            throws IOException, InterruptedException {
        ServerProcess process = running.get(server);
        if (process == null) {
            return;
        }
        OtherPrograms.Watched<UsersRun.Outcome> turn;
        try {
            turn = others.watch(
                    () -> new UsersRun(plan, process).measure(users, round), new OtherPrograms.Repetition<>() {
                        @Override
                        public void onDisturbed(UsersRun.Outcome disturbed, double othersUsed) {
                            progress.onDisturbed(server, users, othersUsed);
                        }

                        @Override
                        public void onFailed(UsersRun.Outcome disturbed, IOException failed) throws IOException {
                            addGap(server, users, OtherPrograms.repetitionFailed(failed));
                        }
                    });
        } catch (IOException failed) {
            giveUp(server, users, failed, running);
            return;
        }
        UsersRun.Outcome outcome = turn.value();
        results.add(outcome.runs());
        if (OtherPrograms.disturb(turn.othersUsed())) {
            results.addDisturbance(server, users, round, turn.othersUsed());
        }
        progress.onRun(outcome.runs());
        if (!outcome.withoutHeap().isEmpty()) {
            addGap(server, users, outcome.withoutHeap());
        }
    }

    private void addGap(Server server, int users, String reason) throws IOException {
        results.addGap(server, users, reason);
        progress.onGap(server, users, reason);
    }

    /** Ends the server after a failure. It is not measured again with this number of users, but it is started again for the next number. */
    private void giveUp(Server server, int users, IOException failed, Map<Server, ServerProcess> running)
            throws IOException {
        String reason = String.valueOf(failed.getMessage());
        results.addGap(server, users, reason);
        ServerProcess process = running.remove(server);
        if (process != null) {
            process.close();
        }
        progress.onGap(server, users, reason);
    }
}
