package io.penstock.admin;

import io.penstock.limits.BulkheadLimits;
import io.penstock.metrics.Gauge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Builds the data that the flow board (the live page for operators) shows. By default, the server has four workers and no requests. */
final class Samples {
    private static final Instant NOW = Instant.EPOCH;

    private final Map<Gauge, Long> levels = new EnumMap<>(Gauge.class);
    private final List<Watched.Worker> workers = new ArrayList<>();
    private final List<Watched.Mapping> mappings = new ArrayList<>();
    private final List<Watched.Bulkhead> bulkheads = new ArrayList<>();
    private final List<Watched.Application> applications = new ArrayList<>();
    private final List<Watched.Certificate> certificates = new ArrayList<>();
    private final List<Watched.Failure> failures = new ArrayList<>();
    private final List<RecentLosses.Loss> lost = new ArrayList<>();
    private final List<String> blockedReactor = new ArrayList<>();
    private Watched.Health health = Watched.Health.READY;
    private Pace pace = new Pace(Pace.Source.REQUESTS, 0, 0, 0, 0, Percentiles.NONE, Map.of());
    private double refused;
    private final SortedMap<String, Double> failing = new TreeMap<>();

    Samples() {
        for (Gauge gauge : Gauge.values()) {
            levels.put(gauge, 0L);
        }
        with(Gauge.WORKERS, 4).with(Gauge.SPOOL_LIMIT, 1000).with(Gauge.PIPE_BUDGET, 1000);
    }

    Samples with(Gauge gauge, long value) {
        levels.put(gauge, value);
        return this;
    }

    Samples health(Watched.Health now) {
        health = now;
        return this;
    }

    /** Adds refusals: the server refuses {@code perSecond} requests a second. */
    Samples refused(double perSecond, int status, String words) {
        refused = perSecond;
        return refusedBefore(Duration.ZERO, Math.round(perSecond * 2), status, words);
    }

    Samples refused(double perSecond) {
        return refused(perSecond, 503, "the queue was full (100)");
    }

    /** Adds refusals in the past: the server refused {@code times} requests. */
    Samples refusedBefore(Duration ago, long times, int status, String words) {
        lost.add(new RecentLosses.Loss(NOW.minus(ago), status, "", words, times));
        return this;
    }

    /** Adds failures: in the application at {@code path}, {@code perSecond} requests a second fail. */
    Samples failed(String path, double perSecond, int status) {
        failing.put(path, perSecond);
        return failedBefore(Duration.ZERO, path, Math.round(perSecond * 2), status);
    }

    /** Adds failures in the past: in the application at {@code path}, {@code times} requests failed. */
    Samples failedBefore(Duration ago, String path, long times, int status) {
        lost.add(new RecentLosses.Loss(NOW.minus(ago), status, path, path + " failed", times));
        return this;
    }

    Samples blockedReactor(String reactor) {
        blockedReactor.add(reactor);
        return this;
    }

    Samples requests(double perSecond, long halfNanos, long ninetyNineNanos) {
        Percentiles total = new Percentiles(100, halfNanos, ninetyNineNanos, ninetyNineNanos);
        pace = new Pace(Pace.Source.REQUESTS, perSecond, 0, 0, 0, total, Map.of());
        return this;
    }

    Samples application(String path) {
        applications.add(new Watched.Application(path, "", 0, Map.of()));
        return this;
    }

    Samples certificate(String names, Duration left) {
        certificates.add(new Watched.Certificate(names, NOW.plus(left)));
        return this;
    }

    Samples notDeployed(String path) {
        failures.add(new Watched.Failure(path, path + ".war", NOW, "web.xml line 3", false));
        return this;
    }

    Samples notMeasured() {
        pace = Pace.UNKNOWN;
        return this;
    }

    /** Adds a bulkhead with four workers and room for 100 waiting requests. */
    Samples bulkhead(String path, long running, long queued) {
        bulkheads.add(new Watched.Bulkhead(new BulkheadLimits(path, 4, 100, 0), running, queued, 0, 0));
        return this;
    }

    /** Adds a servlet or path with workers that have run for 200 ms, and with requests that have waited for 380 ms. */
    Samples mapping(String name, int running, int waiting) {
        mappings.add(new Watched.Mapping(name, running, 200_000_000, waiting, 380_000_000, 0));
        return this;
    }

    /** Adds workers with the given activity and stack. */
    Samples workers(int count, Watched.Doing doing, StackTraceElement... stack) {
        for (int i = 0; i < count; i++) {
            workers.add(new Watched.Worker(
                    "worker-" + workers.size(), doing, 200_000_000, "c1-1 GET /shop/orders", List.of(stack)));
        }
        return with(Gauge.WORKERS_BUSY, workers.size());
    }

    /** Adds busy workers. Their requests have just begun. */
    Samples busyWithShortRequests(int count) {
        for (int i = 0; i < count; i++) {
            workers.add(
                    new Watched.Worker("worker-" + workers.size(), Watched.Doing.BUSY, 1000, "c1-1 GET /", List.of()));
        }
        return with(Gauge.WORKERS_BUSY, workers.size());
    }

    Sample sample() {
        return new Sample(
                new Sample.Identity("", "1.2.3", List.of("*:8080", "*:8443"), List.of("*:8443")),
                NOW,
                Duration.ofHours(1),
                health,
                Map.of(),
                levels,
                pace,
                refused,
                failing,
                new RecentLosses(RecentLosses.SPAN, lost),
                new Watched.Connections(List.of(), blockedReactor),
                workers,
                mappings,
                bulkheads,
                List.of(),
                Sample.Resets.NONE,
                applications,
                certificates,
                failures,
                List.of());
    }
}
