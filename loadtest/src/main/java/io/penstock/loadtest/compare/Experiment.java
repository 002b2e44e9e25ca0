package io.penstock.loadtest.compare;

import io.penstock.loadtest.compare.Setup.Lineup;
import io.penstock.loadtest.peers.CProgram;
import io.penstock.loadtest.peers.ContentFolder;
import io.penstock.loadtest.peers.EpollLoop;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Measures all servers with each {@link Work}, in turns. If a measurement fails, the results have a gap, and the other measurements
 * continue. If other programs disturbed a turn, the turn is repeated. The results are saved after every turn.
 *
 * <p>Thread: one thread.
 */
final class Experiment {
    private static final int FIGURES_SHOWN = 3;

    private final Setup setup;
    private final OtherPrograms others;
    private final Results results;
    private final Report report;
    private final PrintWriter err;
    private final @Nullable Path folder;
    private int done;

    /** @param folder the folder for the results; null if they are only printed */
    Experiment(
            Setup setup, OtherPrograms others, Results results, Report report, PrintWriter err, @Nullable Path folder) {
        this.setup = setup;
        this.others = others;
        this.results = results;
        this.report = report;
        this.err = err;
        this.folder = folder;
    }

    void run() throws IOException, InterruptedException {
        try (ContentFolder content = ContentFolder.create()) {
            for (Work work : setup.works()) {
                try (Stage stage = Stage.of(setup, work.job(), content, results)) {
                    if (work.job() instanceof Job.Together job) {
                        together(work, job, stage);
                    } else if (work.job() instanceof Job.Alone job) {
                        oneByOne(work, job, stage);
                    }
                }
            }
        }
    }

    /** Starts all servers at the same time, and measures them in turns. */
    private void together(Work work, Job.Together job, Stage stage) throws IOException, InterruptedException {
        Map<String, Contender> running = new LinkedHashMap<>();
        try {
            for (Server server : fitting(setup.lineup().servers(), job)) {
                start(server.id(), work, running, () -> new Contender(server.id(), stage.start(server)));
            }
            for (String id : work.extra()) {
                start(id, work, running, () -> id.equals(Contender.LOOP) ? loop(stage) : allOn(stage));
            }
            warmUp(work, job, stage, running);
            for (int round = 1; round <= setup.sizes().rounds(); round++) {
                for (String id : inRound(round, setup.lineup())) {
                    Contender contender = running.get(id);
                    if (contender != null
                            && !turn(id, work, round, figures -> job.measure(stage, contender, figures))) {
                        close(running.remove(id));
                    }
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
    private void oneByOne(Work work, Job.Alone job, Stage stage) throws IOException, InterruptedException {
        for (int round = 1; round <= setup.sizes().rounds(); round++) {
            for (Server server : fitting(setup.lineup().inRound(round), job)) {
                turn(server.id(), work, round, figures -> job.measure(stage, server, figures));
            }
        }
    }

    private static List<Server> fitting(List<Server> servers, Job job) {
        return servers.stream().filter(job::fits).toList();
    }

    @FunctionalInterface
    private interface Launch {
        Contender start() throws IOException, InterruptedException;
    }

    private void start(String id, Work work, Map<String, Contender> running, Launch launch)
            throws IOException, InterruptedException {
        try {
            running.put(id, launch.start());
        } catch (IOException failed) {
            addGap(id, work, String.valueOf(failed.getMessage()));
        }
    }

    private Contender allOn(Stage stage) throws IOException, InterruptedException {
        Server server =
                setup.lineup().firstPenstock().orElseThrow(() -> new IOException("--servers names no Penstock"));
        return new Contender(
                Contender.ALL_ON, stage.start(Contender.ALL_ON, ", all on", server, List.of(), options -> options.with(
                                "access-log", "access.log")
                        .with("request-metrics", "on")
                        .with("admin-port", "0")));
    }

    private static Contender loop(Stage stage) throws IOException, InterruptedException {
        Contender loop = new Contender(Contender.LOOP, EpollLoop.start());
        stage.started(loop.id(), "C epoll loop", CProgram.COMPILER + " -O2 epoll_loop.c");
        return loop;
    }

    /**
     * Warms up the servers in two passes. In each pass, every server is warmed up for half of the time, one after the other. While one
     * server is warmed up, the JVMs of the other servers can compile code. With a single pass, the last server would begin its measurement
     * with uncompiled code.
     */
    private void warmUp(Work work, Job.Together job, Stage stage, Map<String, Contender> running)
            throws IOException, InterruptedException {
        for (int half = 0; half < 2; half++) {
            for (Contender contender : List.copyOf(running.values())) {
                try {
                    job.warmUp(stage, contender, setup.sizes().warmUp().dividedBy(2));
                } catch (IOException failed) {
                    addGap(contender.id(), work, String.valueOf(failed.getMessage()));
                    close(running.remove(contender.id()));
                }
            }
        }
    }

    @FunctionalInterface
    private interface Measurement {
        void into(Figures figures) throws IOException, InterruptedException;
    }

    /** Measures one turn, and returns whether it has not failed. */
    private boolean turn(String id, Work work, int round, Measurement measurement)
            throws IOException, InterruptedException {
        if (results.isClosed()) {
            return true;
        }
        Figures[] latest = {new Figures()};
        OtherPrograms.Watched<Figures> watched;
        try {
            watched = others.watch(
                    () -> {
                        latest[0] = new Figures();
                        measurement.into(latest[0]);
                        return latest[0];
                    },
                    used -> say(
                            "%s, %s again: other programs used %s of this machine",
                            work.id(), id, OtherPrograms.percent(used)),
                    failed -> addGap(
                            id, work, "the repetition failed, so the disturbed turn counts: " + failed.getMessage()));
        } catch (IOException failed) {
            addGap(id, work, String.valueOf(failed.getMessage()));
            if (!latest[0].isEmpty()) {
                add(id, work, round, latest[0].note(String.valueOf(failed.getMessage())), Double.NaN);
            }
            return false;
        }
        add(id, work, round, watched.value(), watched.othersUsed());
        return true;
    }

    private void add(String id, Work work, int round, Figures figures, double othersUsed) throws IOException {
        results.add(new Results.Turn(
                id, work.id(), round, figures.values(), figures.client(), figures.notes(), othersUsed));
        done++;
        say(
                "[%d of %d] %s, round %d, %s: %s",
                done,
                setup.turns(),
                work.id(),
                round,
                id,
                figures.values().entrySet().stream()
                        .limit(FIGURES_SHOWN)
                        .map(figure ->
                                figure.getKey().title() + " " + figure.getKey().write(figure.getValue()))
                        .collect(Collectors.joining(", ")));
        save();
    }

    /** Ends the server. If this fails, only a message is printed, since the failure does not change the results. */
    private void close(@Nullable Contender contender) {
        try {
            if (contender != null) {
                contender.peer().close();
            }
        } catch (IOException leftBehind) {
            say("A server has ended, but its files could not be deleted: %s", leftBehind);
        }
    }

    private void addGap(String id, Work work, String reason) throws IOException {
        results.addGap(id, work.id(), reason);
        say("%s, %s: not measured: %s", work.id(), id, reason);
        save();
    }

    private void say(String form, Object... values) {
        err.println(String.format(Locale.ROOT, form, values));
        err.flush();
    }

    private void save() throws IOException {
        Optional<Path> file = Optional.ofNullable(folder).filter(any -> !results.isEmpty());
        if (file.isPresent()) {
            report.save(file.get());
        }
    }
}
