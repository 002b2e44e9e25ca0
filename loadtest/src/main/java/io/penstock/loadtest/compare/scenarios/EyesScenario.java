package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.peers.ProcessAccount;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What it costs to be looked at: two servers side by side, one with all eyes closed, take turns.
 *
 * @param connections that {@code wrk} holds
 * @param threads of {@code wrk}
 * @param seconds of each turn
 * @param warmUp seconds of each server before the first turn
 * @param turns pairs of turns
 */
record EyesScenario(Wrk wrk, List<Eyes> eyes, int connections, int threads, int seconds, int warmUp, int turns)
        implements Scenario {
    private static final Measure WITHOUT = Measure.whole("offPerSecond", "all off, requests/s");
    private static final Measure WITH = Measure.whole("onPerSecond", "with it, requests/s");
    private static final Measure SHARE = Measure.tenths("percent", "of all off, %");
    private static final Measure WITHOUT_CPU = Measure.hundredths("offMicros", "all off, µs of CPU a request");
    private static final Measure CPU = Measure.hundredths("moreMicros", "more with it, µs");
    private static final Measure FAILED = Measure.whole("failed", "failed");
    private static final String PATH = "/hello";

    /** One turn: what was answered, and the server's processor time for each. */
    private record Got(WrkOutput wrk, double micros) {}

    EyesScenario {
        eyes = List.copyOf(eyes);
        if (seconds < 1 || warmUp < 1) {
            throw new IllegalArgumentException("wrk measures whole seconds, at least 1");
        }
    }

    @Override
    public String name() {
        return "eyes";
    }

    @Override
    public String title() {
        return "What it costs to be looked at";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "For each row two servers are started, one with everything off that looks at requests, the other with what the row"
                        + " names. `wrk -t%d -c%d -d%ds` asks each for a small servlet (`%s`), in turns, %d times; who is first"
                        + " changes. Each turn is compared with its neighbour, and the row is the median of these pairs, in"
                        + " parentheses the lowest and highest. The first row compares all off with all off: what differs there"
                        + " is the machine. Processor time is the server's, all threads, user and system. Onlookers and"
                        + " `wrk` run on the same machine, so that what they use is missing to the server.",
                threads,
                connections,
                seconds,
                PATH,
                turns);
    }

    @Override
    public String partTitle() {
        return "on";
    }

    @Override
    public List<Measure> columns() {
        return List.of(WITHOUT, WITH, SHARE, WITHOUT_CPU, CPU, FAILED);
    }

    @Override
    public String settings() {
        return "4 workers, and its own defaults but for times and bounds that let every connection stay";
    }

    @Override
    public int connections() {
        return connections;
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        for (Eyes open : eyes) {
            try (ServerProcess without = launch.start(Eyes::closed);
                    ServerProcess with = launch.start(open::open)) {
                recorder.started(without);
                recorder.started(with);
                load(without, Set.of(), warmUp);
                load(with, open.onlookers(), warmUp);
                for (int turn = 0; turn < turns; turn++) {
                    pair(turn, without, with, open, recorder.part(open.title()));
                }
            }
        }
    }

    private void pair(int turn, ServerProcess without, ServerProcess with, Eyes open, Results.Round round)
            throws IOException, InterruptedException {
        boolean withFirst = turn % 2 == 1;
        Got first = withFirst ? load(with, open.onlookers(), seconds) : load(without, Set.of(), seconds);
        Got second = withFirst ? load(without, Set.of(), seconds) : load(with, open.onlookers(), seconds);
        Got off = withFirst ? second : first;
        Got on = withFirst ? first : second;
        round.put(WITHOUT, off.wrk().perSecond())
                .put(WITH, on.wrk().perSecond())
                .put(SHARE, 100 * on.wrk().perSecond() / off.wrk().perSecond())
                .put(WITHOUT_CPU, off.micros())
                .put(CPU, on.micros() - off.micros())
                .put(FAILED, off.wrk().failed() + on.wrk().failed());
    }

    private Got load(ServerProcess process, Set<Onlooker> onlookers, int time)
            throws IOException, InterruptedException {
        Onlookers present = Onlookers.begin(onlookers, process.stats().adminPort());
        try {
            ProcessAccount before = process.account();
            WrkOutput got = wrk.load(process.uri(PATH), connections, time, threads);
            double cpu = process.account().cpuSecondsSince(before);
            return new Got(got, 1e6 * cpu / (got.perSecond() * time));
        } finally {
            present.close();
        }
    }
}
