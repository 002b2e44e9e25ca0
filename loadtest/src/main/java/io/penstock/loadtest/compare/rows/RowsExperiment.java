package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.peers.CProgram;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.EpollLoop;
import io.penstock.loadtest.peers.JarContent;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import io.penstock.loadtest.peers.TlsKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Measures all servers with each {@link Work}: starts the servers, warms them up, and measures them in turns. If a measurement fails, the
 * results have a gap, and the other measurements continue. If other programs disturbed a turn, the turn is repeated.
 *
 * <p>Thread: one thread.
 */
final class RowsExperiment {
    private final RowsPlan plan;
    private final Lineup lineup;
    private final PeersFolder peers;
    private final JvmSettings jvm;
    private final TurnMeter meter;
    private final OtherPrograms others;
    private final RowsResults results;
    private final RowsProgress progress;

    RowsExperiment(
            RowsPlan plan,
            Lineup lineup,
            PeersFolder peers,
            JvmSettings jvm,
            TurnMeter meter,
            OtherPrograms others,
            RowsResults results,
            RowsProgress progress) {
        this.plan = plan;
        this.lineup = lineup;
        this.peers = peers;
        this.jvm = jvm;
        this.meter = meter;
        this.others = others;
        this.results = results;
        this.progress = progress;
    }

    void run(Work.Size size) throws IOException, InterruptedException {
        try (ContentFolder content = ContentFolder.create()) {
            content.add(Work.FILE, plan.sheet().file(size));
            ServerOptions options = ServerOptions.serving(content.root());
            switch (plan.sheet()) {
                case PLAIN, WAITING, WAITING_VIRTUAL -> works(content, options);
                case TLS -> {
                    try (TlsKey key = TlsKey.create()) {
                        works(content, options.withTls(key));
                    }
                }
            }
        }
    }

    private void works(ContentFolder content, ServerOptions options) throws IOException, InterruptedException {
        for (Work work : plan.works()) {
            if (results.isClosed()) {
                return;
            }
            if (work instanceof Work.Start start) {
                starts(start, content, options);
            } else if (work.needsFreshServer()) {
                oneByOne(work, server -> alone(server, work, options));
            } else {
                sideBySide(work, options);
            }
        }
    }

    /** Starts all servers at the same time, and measures them in turns. */
    private void sideBySide(Work work, ServerOptions options) throws IOException, InterruptedException {
        Map<String, Contender> running = new LinkedHashMap<>();
        try {
            for (Server server : lineup.servers().stream().filter(work::fits).toList()) {
                start(server.id(), work, running, () -> start(server, options.withWorkers(work.workers())));
            }
            for (String id : plan.extra(work)) {
                start(id, work, running, () -> startExtra(id, options));
            }
            warmUp(work, running);
            for (int round = 1; round <= plan.rounds(); round++) {
                for (String id : inRound(round, lineup)) {
                    turn(id, work, round, running);
                }
            }
        } finally {
            running.values().forEach(this::close);
        }
    }

    /**
     * The ids of all {@link Contender}s, in the order of the given round. The Penstock with all features on is measured directly before or
     * after the Penstock without them. The order of these two alternates from round to round. For this reason, a gradual change of the
     * machine's speed affects both in the same way.
     */
    static List<String> inRound(int round, Lineup lineup) {
        List<String> order =
                new ArrayList<>(lineup.inRound(round).stream().map(Server::id).toList());
        lineup.firstPenstock().ifPresent(server -> {
            int place = order.indexOf(server.id());
            order.add(round % 2 == 0 ? place : place + 1, Contender.ALL_ON);
        });
        order.add(Contender.LOOP);
        return order;
    }

    /** Starts a new server for each turn. No other server runs at the same time. */
    private void oneByOne(Work work, Measurement measurement) throws IOException, InterruptedException {
        for (int round = 1; round <= plan.rounds(); round++) {
            for (Server server :
                    lineup.inRound(round).stream().filter(work::fits).toList()) {
                if (results.isClosed()) {
                    return;
                }
                Turn turn;
                try {
                    turn = turn(server.id(), work, round, () -> measurement.of(server));
                } catch (IOException failed) {
                    addGap(server.id(), work, failed);
                    continue;
                }
                add(turn);
            }
        }
    }

    @FunctionalInterface
    private interface Measurement {
        TurnMeter.Measured of(Server server) throws IOException, InterruptedException;
    }

    private TurnMeter.Measured alone(Server server, Work work, ServerOptions options)
            throws IOException, InterruptedException {
        Contender alone = start(server, options);
        try {
            meter.warmUp(alone, work, plan.warmUp());
            return meter.measure(alone, work);
        } finally {
            close(alone);
        }
    }

    /**
     * Measures the start of each server. The first Penstock is started as a runnable jar. If the jar cannot be prepared, the work is not
     * measured and the results have a gap.
     */
    private void starts(Work.Start work, ContentFolder content, ServerOptions options)
            throws IOException, InterruptedException {
        StartMeter starts = new StartMeter(peers, jvm, results);
        Optional<Server> ours = lineup.firstPenstock();
        JarContent jar;
        try {
            jar = starts.prepare(work, content);
        } catch (IOException failed) {
            addGap(ours.map(Server::id).orElse(StartMeter.NAME), work, failed);
            return;
        }
        oneByOne(
                work,
                server -> ours.filter(server::equals).isPresent()
                        ? starts.runnable(jar)
                        : starts.embedded(server, options));
    }

    @FunctionalInterface
    private interface Launch {
        Contender start() throws IOException, InterruptedException;
    }

    private Contender start(Server server, ServerOptions options) throws IOException, InterruptedException {
        ServerProcess process = ServerProcess.start(server, peers, jvm, options);
        results.started(server.id(), process.title(), process.commandLine());
        return new Contender.Of(server.id(), process);
    }

    private Contender startExtra(String id, ServerOptions options) throws IOException, InterruptedException {
        return id.equals(Contender.LOOP) ? startLoop() : startAllOn(options);
    }

    private Contender startAllOn(ServerOptions options) throws IOException, InterruptedException {
        Server server = lineup.firstPenstock().orElseThrow(() -> new IOException("--servers names no Penstock"));
        ServerProcess process = ServerProcess.start(
                server,
                peers,
                jvm,
                options.with("access-log", "access.log")
                        .with("request-metrics", "on")
                        .with("admin-port", "0"));
        results.started(Contender.ALL_ON, process.title() + ", all on", process.commandLine());
        return new Contender.Of(Contender.ALL_ON, process);
    }

    private Contender startLoop() throws IOException, InterruptedException {
        Contender loop = new Contender.Loop(EpollLoop.start());
        results.started(loop.id(), "C epoll loop", CProgram.COMPILER + " -O2 epoll_loop.c");
        return loop;
    }

    private void start(String id, Work work, Map<String, Contender> running, Launch launch)
            throws IOException, InterruptedException {
        try {
            running.put(id, launch.start());
        } catch (IOException failed) {
            giveUp(id, work, failed, running);
        }
    }

    /**
     * Warms up the servers in two passes. In each pass, every server is warmed up for half of the time, one after the other. While one
     * server is warmed up, the JVMs of the other servers can compile code. With a single pass, the last server would begin its measurement
     * with uncompiled code.
     */
    private void warmUp(Work work, Map<String, Contender> running) throws IOException, InterruptedException {
        for (int half = 0; half < 2; half++) {
            for (Contender contender : List.copyOf(running.values())) {
                try {
                    meter.warmUp(contender, work, plan.warmUp().dividedBy(2));
                } catch (IOException failed) {
                    giveUp(contender.id(), work, failed, running);
                }
            }
        }
    }

    private void turn(String id, Work work, int round, Map<String, Contender> running)
            throws IOException, InterruptedException {
        Contender contender = running.get(id);
        if (contender == null || results.isClosed()) {
            return;
        }
        Turn turn;
        try {
            turn = turn(id, work, round, () -> meter.measure(contender, work));
        } catch (IOException failed) {
            giveUp(id, work, failed, running);
            return;
        }
        add(turn);
    }

    private Turn turn(String id, Work work, int round, OtherPrograms.Attempt<TurnMeter.Measured> attempt)
            throws IOException, InterruptedException {
        OtherPrograms.Watched<TurnMeter.Measured> watched = others.watch(attempt, new OtherPrograms.Repetition<>() {
            @Override
            public void onDisturbed(TurnMeter.Measured disturbed, double othersUsed) {
                progress.onDisturbed(id, work, othersUsed);
            }

            @Override
            public void onFailed(TurnMeter.Measured disturbed, IOException failed) throws IOException {
                addGap(id, work, OtherPrograms.repetitionFailed(failed));
            }
        });
        return new Turn(
                id, work.id(), round, watched.value().figures(), watched.value().firstTrouble(), watched.othersUsed());
    }

    private void add(Turn turn) throws IOException {
        results.add(turn);
        progress.onTurn(turn);
    }

    /** Ends the server after a failure. It is not measured again with this work. */
    private void giveUp(String id, Work work, IOException failed, Map<String, Contender> running) throws IOException {
        addGap(id, work, failed);
        Contender contender = running.remove(id);
        if (contender != null) {
            close(contender);
        }
    }

    /** Ends the server. If this fails, only a message is printed, since the failure does not change the results. */
    private void close(Contender contender) {
        try {
            contender.close();
        } catch (IOException leftBehind) {
            progress.say("%s has ended, but its files could not be deleted: %s", contender.id(), leftBehind);
        }
    }

    private void addGap(String id, Work work, IOException failed) throws IOException {
        addGap(id, work, String.valueOf(failed.getMessage()));
    }

    private void addGap(String id, Work work, String reason) throws IOException {
        results.addGap(id, work.id(), reason);
        progress.onGap(id, work, reason);
    }
}
