package io.penstock.loadtest.compare.rows;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The measurements so far, and those that failed. Thread: all methods any. */
final class RowsResults {
    /** A server could not do a work, or not completely. */
    record Gap(String server, String work, String reason) {}

    @GuardedBy("this")
    private final Map<String, String> titles = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<String, Set<String>> commands = new LinkedHashMap<>();

    @GuardedBy("this")
    private final List<Turn> turns = new ArrayList<>();

    @GuardedBy("this")
    private final List<Gap> gaps = new ArrayList<>();

    @GuardedBy("this")
    private final List<String> earlierRuns = new ArrayList<>();

    @GuardedBy("this")
    private boolean closed;

    /** Accepts no more results: after this, failures are caused by the stop. */
    synchronized void close() {
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** The name of a server in tables, and the command that started it. */
    synchronized void started(String server, String title, String command) {
        if (!closed) {
            titles.put(server, title);
            commands.computeIfAbsent(title, absent -> new LinkedHashSet<>()).add(command);
        }
    }

    /**
     * Takes over the results of an earlier run, except those of the works in {@code again}, which are measured again.
     */
    synchronized void takeOver(EarlierRun earlier, Set<String> again) {
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

    /** A line for each earlier run from which results were taken. */
    synchronized List<String> earlierRuns() {
        return List.copyOf(earlierRuns);
    }

    /** The names of servers in tables, by their names on the command line. */
    synchronized Map<String, String> titles() {
        return new LinkedHashMap<>(titles);
    }

    /** The command that has started a program other than a server. */
    synchronized void startedBy(String title, String command) {
        if (!closed) {
            commands.computeIfAbsent(title, absent -> new LinkedHashSet<>()).add(command);
        }
    }

    synchronized String titleOf(String server) {
        return titles.getOrDefault(server, server);
    }

    /** The commands that have started the servers and other programs, by their names in tables. */
    synchronized Map<String, List<String>> commands() {
        Map<String, List<String>> all = new LinkedHashMap<>();
        commands.forEach((title, lines) -> all.put(title, List.copyOf(lines)));
        return all;
    }

    synchronized void add(Turn turn) {
        if (!closed) {
            turns.add(turn);
        }
    }

    synchronized void addGap(String server, String work, String reason) {
        if (!closed) {
            gaps.add(new Gap(server, work, reason));
        }
    }

    synchronized boolean isEmpty() {
        return turns.isEmpty();
    }

    synchronized List<Turn> turns() {
        return List.copyOf(turns);
    }

    synchronized List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    List<Turn> turns(String server, String work) {
        return turns().stream()
                .filter(turn -> turn.server().equals(server) && turn.work().equals(work))
                .toList();
    }

    /** By the number of the round; without the rounds that have no such figure. */
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

    /** Whether other programs disturbed a measurement of that work, with any server. */
    boolean isDisturbed(String work) {
        return turns().stream().anyMatch(turn -> turn.work().equals(work) && OtherPrograms.disturb(turn.othersUsed()));
    }
}
