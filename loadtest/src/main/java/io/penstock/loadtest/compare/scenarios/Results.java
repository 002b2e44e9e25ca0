package io.penstock.loadtest.compare.scenarios;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a {@link Scenario}. There is a row for each server and part of the scenario; it has the values of all rounds so far.
 * The rows are in the order in which they were added.
 *
 * <p>Thread: the thread that runs the scenario writes; any thread reads.
 */
final class Results {

    /** The key of a row: the name of a server on the command line, and the name of a part of the scenario. */
    record Key(String server, String part) {}

    /** One measurement, or the reason for its failure. A failed measurement has the values that were stored before the failure. */
    final class Round {
        private final Key key;
        private final int number;
        private final Map<Measure, Double> numbers = new ConcurrentHashMap<>();
        private final Map<Measure, String> texts = new ConcurrentHashMap<>();
        private volatile @Nullable String failure;
        private volatile double othersUsed = Double.NaN;

        private Round(Key key, int number) {
            this.key = key;
            this.number = number;
        }

        Round put(Measure column, double value) {
            keep(() -> numbers.put(column, value));
            return this;
        }

        Round put(Measure column, long value) {
            return put(column, (double) value);
        }

        Round put(Measure column, String text) {
            keep(() -> texts.put(column, text));
            return this;
        }

        void fail(String reason) {
            keep(() -> failure = reason);
        }

        /** @param part the share of the machine that other programs used during the measurement, from 0 to 1; NaN if it is not known */
        void othersUsed(double part) {
            keep(() -> othersUsed = part);
        }

        private void keep(Runnable value) {
            synchronized (Results.this) {
                if (!closed) {
                    value.run();
                }
            }
        }

        Key key() {
            return key;
        }

        int number() {
            return number;
        }

        @Nullable
        Double number(Measure column) {
            return numbers.get(column);
        }

        @Nullable
        String text(Measure column) {
            return texts.get(column);
        }

        @Nullable
        String failure() {
            return failure;
        }

        double othersUsed() {
            return othersUsed;
        }
    }

    private final List<Measure> columns;

    @GuardedBy("this")
    private final Map<String, String> titles = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<String, Set<String>> commands = new LinkedHashMap<>();

    @GuardedBy("this")
    private final Map<Key, List<Round>> rows = new LinkedHashMap<>();

    @GuardedBy("this")
    private boolean closed;

    Results(List<Measure> columns) {
        this.columns = List.copyOf(columns);
    }

    List<Measure> columns() {
        return columns;
    }

    /** Accepts no more results. Later failures are caused by the stop of the program, so they are not recorded. */
    synchronized void close() {
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Sets the name of the server in tables. */
    synchronized void call(String server, String title) {
        titles.put(server, title);
    }

    synchronized String titleOf(Key key) {
        return titles.getOrDefault(key.server(), key.server());
    }

    /**
     * Records the command that started the server. There can be several commands for one server, since its parts can use different
     * settings.
     */
    synchronized void startedBy(String server, String command) {
        if (!closed) {
            commands.computeIfAbsent(server, absent -> new LinkedHashSet<>()).add(command);
        }
    }

    /** Maps the name of each server in tables to the commands that started the server. */
    synchronized Map<String, List<String>> commands() {
        Map<String, List<String>> byTitle = new LinkedHashMap<>();
        commands.forEach((server, all) -> byTitle.put(titles.getOrDefault(server, server), List.copyOf(all)));
        return byTitle;
    }

    /** Creates and adds the object for the measurement of one server in one part and one round. Rounds are counted from 1. */
    synchronized Round round(String server, String part, int number) {
        Key key = new Key(server, part);
        Round round = new Round(key, number);
        restore(round);
        return round;
    }

    /** Adds a measurement. It is new, or was removed with {@link #drop}. */
    synchronized void restore(Round round) {
        if (!closed) {
            rows.computeIfAbsent(round.key(), absent -> new ArrayList<>()).add(round);
        }
    }

    /** Removes a measurement. Other programs disturbed it, so it is repeated. */
    synchronized void drop(Round round) {
        List<Round> row = rows.get(round.key());
        if (!closed && row != null) {
            row.remove(round);
            if (row.isEmpty()) {
                rows.remove(round.key());
            }
        }
    }

    synchronized List<Key> rows() {
        return List.copyOf(rows.keySet());
    }

    synchronized List<Round> roundsOf(Key key) {
        return List.copyOf(rows.getOrDefault(key, List.of()));
    }

    /** The values of all rounds in the given row and column. */
    List<Double> numbers(Key key, Measure column) {
        List<Double> numbers = new ArrayList<>();
        for (Round round : roundsOf(key)) {
            Double number = round.number(column);
            if (number != null) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    /** Whether nothing has been measured. */
    boolean isEmpty() {
        return rows().stream().noneMatch(key -> columns.stream()
                .anyMatch(column -> !numbers(key, column).isEmpty()));
    }

    /**
     * The texts of all rounds in the given row and column, each text once. If the rounds have different texts, each text is followed by the
     * number of rounds that have it.
     */
    String text(Key key, Measure column) {
        List<Round> rounds = roundsOf(key);
        Map<String, Integer> texts = new LinkedHashMap<>();
        for (Round round : rounds) {
            String text = round.text(column);
            if (text != null && !text.isEmpty()) {
                texts.merge(text, 1, Integer::sum);
            }
        }
        return texts.entrySet().stream()
                .map(text -> text.getValue() == rounds.size()
                        ? text.getKey()
                        : text.getKey() + " (" + text.getValue() + " of " + rounds.size() + " rounds)")
                .collect(Collectors.joining("; "));
    }

    /** The reasons for which measurements of the row have failed, each reason once. */
    List<String> failures(Key key) {
        List<String> reasons = new ArrayList<>();
        for (Round round : roundsOf(key)) {
            String reason = round.failure();
            if (reason != null && !reasons.contains(reason)) {
                reasons.add(reason);
            }
        }
        return reasons;
    }
}
