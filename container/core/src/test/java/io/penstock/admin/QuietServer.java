package io.penstock.admin;

import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.CloseCounts;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Gauges;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import java.time.Instant;
import java.util.List;

/** A server for tests, without connections and requests. */
final class QuietServer implements Watched {
    private final Counters counters = new Counters();
    private final RequestMetrics metrics = new RequestMetrics();
    private final MemoryWatch memory = new MemoryWatch(() -> {});
    private final Gauges gauges = gauge -> gauge == Gauge.WORKERS ? 4 : 0;

    @Override
    public Health health() {
        return Health.READY;
    }

    @Override
    public MemoryWatch memory() {
        return memory;
    }

    @Override
    public Instant started() {
        return Instant.EPOCH;
    }

    @Override
    public Configuration configuration() {
        return Configuration.defaults();
    }

    @Override
    public Counters counters() {
        return counters;
    }

    @Override
    public Gauges gauges() {
        return gauges;
    }

    @Override
    public List<Bulkhead> bulkheads() {
        return List.of();
    }

    @Override
    public ServerFigures figures() {
        return new ServerFigures(
                this::configuration, counters, gauges, List.of(), List::of, new CloseCounts(), end -> 0, metrics);
    }

    @Override
    public RequestMetrics metrics() {
        return metrics;
    }

    @Override
    public Connections connections() {
        return new Connections(List.of(), List.of());
    }

    @Override
    public Connections busiest(int most) {
        return connections();
    }

    @Override
    public List<WebSocket> slowWebSockets(int most) {
        return List.of();
    }

    @Override
    public List<Worker> workers(long nanos) {
        return List.of();
    }

    @Override
    public List<Mapping> mappings() {
        return List.of();
    }

    @Override
    public List<Application> applications() {
        return List.of();
    }

    @Override
    public List<Certificate> certificates() {
        return List.of();
    }

    @Override
    public String version() {
        return "1.2.3";
    }

    @Override
    public List<String> secureAddresses() {
        return List.of();
    }

    @Override
    public List<String> addresses() {
        return List.of("*:8080");
    }

    @Override
    public List<Failure> failures() {
        return List.of();
    }

    @Override
    public String dump() {
        return "nothing\n";
    }
}
