package io.penstock.loadtest.compare;

import io.penstock.loadtest.cli.Interruption;
import io.penstock.loadtest.report.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The results of the measurements that are complete, and a list of the measurements that failed. Thread: one; {@link #close}: any. */
final class Results {
    /** A measurement that is missing or incomplete, and the reason. */
    record Gap(String server, String work, String reason) {}

    /**
     * The results of an earlier run, as its JSON file has them. So a long comparison can be measured in several runs.
     *
     * @param terms the conditions of the earlier run; the run that adds these results must have the same conditions
     * @param titles a map from the name of each server to its name in tables
     * @param commands a map from the name of each server in tables to the commands that started it
     * @param runs one line for each run in which a part of these results was measured
     */
    record Saved(
            String terms,
            Map<String, String> titles,
            Map<String, List<String>> commands,
            List<String> runs,
            List<Turn> turns,
            List<Gap> gaps) {
        /** The name of this object in the JSON file of a run. */
        static final String KEY = "toGoOn";

        /** @throws IOException if the file cannot be read, or is not a result of this program */
        static Saved read(Path file) throws IOException {
            return Json.read(file, KEY, Saved.class);
        }

        Set<String> works() {
            return turns.stream().map(Turn::work).collect(Collectors.toSet());
        }
    }

    private final Map<String, String> titles = new LinkedHashMap<>();
    private final Map<String, Set<String>> commands = new LinkedHashMap<>();
    private final List<Turn> turns = new ArrayList<>();
    private final List<Gap> gaps = new ArrayList<>();
    private final List<String> earlierRuns = new ArrayList<>();
    private volatile boolean closed;

    /** At Ctrl-C, accepts no more results, and interrupts the thread that measures. So it can print the results so far. */
    Interruption closedAtInterruption(Thread measuring) {
        return new Interruption(() -> {
            close();
            measuring.interrupt();
        });
    }

    /** Accepts no more results. Later failures are caused by the stop of the program, so they are not recorded. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }

    /** Records the name of a server in tables, and the command that started the server. */
    void started(String server, String title, String command) {
        if (!closed) {
            titles.put(server, title);
            commands.computeIfAbsent(title, absent -> new LinkedHashSet<>()).add(command);
        }
    }

    /** Adds the results of an earlier run, except the results of the works in {@code again}. These works are measured again. */
    void takeOver(Saved earlier, Set<String> again) {
        titles.putAll(earlier.titles());
        earlier.commands().forEach((title, lines) -> commands.computeIfAbsent(title, absent -> new LinkedHashSet<>())
                .addAll(lines));
        turns.addAll(earlier.turns().stream()
                .filter(turn -> !again.contains(turn.work()))
                .toList());
        gaps.addAll(earlier.gaps().stream()
                .filter(gap -> !again.contains(gap.work()))
                .toList());
        earlierRuns.addAll(earlier.runs());
    }

    /**
     * The results for a file with which a later run can go on.
     *
     * @param run the present run in one line
     */
    Saved save(String terms, String run) {
        List<String> runs = new ArrayList<>(earlierRuns);
        runs.add(run);
        return new Saved(terms, new LinkedHashMap<>(titles), commands(), runs, turns(), gaps());
    }

    /** The earlier runs from which results were added, as one line each. */
    List<String> earlierRuns() {
        return List.copyOf(earlierRuns);
    }

    String titleOf(String server) {
        return titles.getOrDefault(server, server);
    }

    /** Maps the name of each server or other program in tables to the commands that have started it. */
    Map<String, List<String>> commands() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        commands.forEach((title, lines) -> all.put(title, List.copyOf(lines)));
        return all;
    }

    void add(Turn turn) {
        if (!closed) {
            turns.add(turn);
        }
    }

    void addGap(String server, String work, String reason) {
        if (!closed) {
            gaps.add(new Gap(server, work, reason));
        }
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    List<Turn> turns() {
        return List.copyOf(turns);
    }

    List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    List<Turn> turns(String server, String work) {
        return turns().stream()
                .filter(turn -> turn.server().equals(server) && turn.work().equals(work))
                .toList();
    }

    /** Maps the number of each round to the value of the figure. Rounds without this figure are left out. */
    SortedMap<Integer, Double> byRound(String server, String work, Figure figure) {
        SortedMap<Integer, Double> values = new TreeMap<>();
        for (Turn turn : turns(server, work)) {
            Double value = turn.figures().get(figure);
            if (value != null) {
                values.put(turn.round(), value);
            }
        }
        return values;
    }

    /** Whether other programs disturbed a measurement of this work, for any server. */
    boolean isDisturbed(String work) {
        return turns().stream().anyMatch(turn -> turn.work().equals(work) && OtherPrograms.disturb(turn.othersUsed()));
    }

    /**
     * The results of one turn. A turn is one measurement of one server with one {@link Work} in one round.
     *
     * @param server the name of the server on the command line
     * @param work the name of the work
     * @param round the number of the round, counted from 1
     * @param client the program that has sent the requests; empty if it is always the load test itself
     * @param note errors and other remarks; empty if there are none
     * @param othersUsed the share of this machine's processors that other programs used during the turn, from 0 to 1; NaN if it is not
     *     known
     */
    record Turn(
            String server,
            String work,
            int round,
            Map<Figure, Double> figures,
            String client,
            String note,
            double othersUsed) {
        Turn {
            Map<Figure, Double> inOrder = new EnumMap<>(Figure.class);
            inOrder.putAll(figures);
            figures = Collections.unmodifiableMap(inOrder);
        }
    }
}
