package io.penstock.loadtest.compare.users;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The results of the measurements that are complete, and a list of the measurements that failed.
 *
 * <p>Thread: any.
 */
final class UsersResults {
    /**
     * A run that other programs disturbed.
     *
     * @param othersUsed the share of the machine that other programs used, from 0 to 1
     */
    record Disturbance(String server, int users, int round, double othersUsed) {}

    /** A measurement that is missing or incomplete, and the reason. */
    record Gap(String server, int users, String reason) {}

    /** The runs of one server with one number of users and one content: a row of the table. */
    record Row(String server, int users, Asked asked, List<Run> runs) {
        /** The median, lowest and highest value of the runs that have a value; empty if no run has a value. */
        Optional<Spread> spread(Quantity quantity) {
            List<Double> values = runs.stream()
                    .map(quantity::of)
                    .filter(value -> !value.isNaN())
                    .toList();
            return values.isEmpty() ? Optional.empty() : Optional.of(Spread.of(values));
        }
    }

    @GuardedBy("this")
    private final Map<String, String> titles = new LinkedHashMap<>();

    @GuardedBy("this")
    private final List<Run> measurements = new ArrayList<>();

    @GuardedBy("this")
    private final List<Gap> gaps = new ArrayList<>();

    @GuardedBy("this")
    private final List<Disturbance> disturbances = new ArrayList<>();

    @GuardedBy("this")
    private boolean closed;

    /** Accepts no more results. Later failures are caused by the stop of the program, so they are not recorded. */
    synchronized void close() {
        closed = true;
    }

    /** Sets the name of the server, with its version, for tables and pictures. */
    synchronized void call(Server server, String title) {
        titles.put(server.id(), title);
    }

    synchronized void add(List<Run> run) {
        if (!closed) {
            measurements.addAll(run);
        }
    }

    synchronized void addGap(Server server, int users, String reason) {
        if (!closed) {
            gaps.add(new Gap(server.id(), users, reason));
        }
    }

    synchronized void addDisturbance(Server server, int users, int round, double othersUsed) {
        if (!closed) {
            disturbances.add(new Disturbance(server.id(), users, round, othersUsed));
        }
    }

    synchronized List<Disturbance> disturbances() {
        return List.copyOf(disturbances);
    }

    /** Whether other programs disturbed one of the row's runs. */
    synchronized boolean isDisturbed(Row row) {
        return disturbances.stream().anyMatch(run -> run.server().equals(row.server()) && run.users() == row.users());
    }

    synchronized boolean isEmpty() {
        return measurements.isEmpty();
    }

    synchronized List<Run> measurements() {
        return List.copyOf(measurements);
    }

    synchronized List<Gap> gaps() {
        return List.copyOf(gaps);
    }

    /** The ids of the measured servers, in the order of {@link Server}. */
    synchronized List<String> servers() {
        Set<String> measured = measurements.stream().map(Run::server).collect(Collectors.toSet());
        return Arrays.stream(Server.values())
                .map(Server::id)
                .filter(measured::contains)
                .toList();
    }

    synchronized List<Integer> users() {
        return measurements.stream().map(Run::users).distinct().sorted().toList();
    }

    synchronized String title(String server) {
        return titles.getOrDefault(server, server);
    }

    synchronized Optional<Row> row(String server, int users, Asked asked) {
        List<Run> runs = measurements.stream()
                .filter(run -> run.server().equals(server) && run.users() == users && run.asked() == asked)
                .toList();
        return runs.isEmpty() ? Optional.empty() : Optional.of(new Row(server, users, asked, runs));
    }

    /** The rows for one content, ordered by number of users, then by server. */
    List<Row> rows(Asked asked) {
        return users().stream()
                .flatMap(users -> servers().stream().flatMap(server -> row(server, users, asked).stream()))
                .toList();
    }
}
