package io.penstock.admin;

import io.penstock.limits.Gauge;
import io.penstock.limits.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;

/**
 * The state of the server at one moment, as the flow board shows it.
 *
 * @param server its name and places
 * @param up since the server was started
 * @param bounds the configured limits of the levels
 * @param levels the values of all gauges
 * @param refused recent refusals a second
 * @param failing recent requests a second that an application answered with a status of 500 or above, by the application's path
 * @param lost the unsuccessful requests of the last ten seconds
 * @param applications in service
 * @param certificates of new connections
 * @param failures deployments that failed
 */
record Sample(
        Identity server,
        Instant at,
        Duration up,
        Watched.Health health,
        Map<Key, Long> bounds,
        Map<Gauge, Long> levels,
        Pace pace,
        double refused,
        SortedMap<String, Double> failing,
        RecentLosses lost,
        Watched.Connections busiest,
        List<Watched.Worker> workers,
        List<Watched.Bulkhead> bulkheads,
        List<Watched.Application> applications,
        List<Watched.Certificate> certificates,
        List<Watched.Failure> failures,
        List<Incident> incidents) {

    /**
     * The server itself.
     *
     * @param node its name; empty without one
     * @param addresses where it listens
     */
    record Identity(String node, String version, List<String> addresses) {}

    long level(Gauge gauge) {
        return Objects.requireNonNull(levels.get(gauge));
    }

    /** Recent requests a second that applications answered with a status of 500 or above. */
    double failed() {
        return failing.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Clients that send or read so slowly that the server holds bytes for them. */
    long slow() {
        return sending() + level(Gauge.CONNECTIONS_DRAINING);
    }

    /** Clients whose request is arriving. */
    long sending() {
        return level(Gauge.CONNECTIONS_HEAD) + level(Gauge.CONNECTIONS_BODY) + level(Gauge.CONNECTIONS_STORING);
    }
}
