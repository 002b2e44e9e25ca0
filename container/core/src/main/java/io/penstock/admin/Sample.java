package io.penstock.admin;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.StreamReset;
import io.penstock.metrics.Gauge;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * The state of the server at one moment. The flow board, the live page for operators, shows this state.
 *
 * @param server the name, version and addresses of the server
 * @param up the time since the server was started
 * @param bounds the configured limits of the gauges
 * @param levels the values of all gauges
 * @param refused the recent refusals per second
 * @param failing the recent failures per second, by the application's path; a failure is a response with a status of 500 or above
 * @param lost the unsuccessful requests of the last ten seconds
 * @param workers the started workers, those with the longest-running jobs first
 * @param mappings the servlets and kinds of paths whose requests run or wait, those with the most workers first
 * @param webSockets the WebSocket sessions for which the most bytes wait
 * @param resets the streams of HTTP/2 that were reset since the server's start
 * @param applications the applications in service
 * @param certificates the certificates for new connections
 * @param failures the failed deployments
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
        List<Watched.Mapping> mappings,
        List<Watched.Bulkhead> bulkheads,
        List<Watched.WebSocket> webSockets,
        Resets resets,
        List<Watched.Application> applications,
        List<Watched.Certificate> certificates,
        List<Watched.Failure> failures,
        List<Incident> incidents) {

    /**
     * The name, version and addresses of the server.
     *
     * @param node the name of the server; empty if none is configured
     * @param addresses the addresses of the server's listeners
     * @param secure the addresses at which clients speak TLS
     */
    record Identity(String node, String version, List<String> addresses, List<String> secure) {}

    /**
     * The streams of HTTP/2 that were reset, and the pauses of clients that sent floods of frames.
     *
     * @param byCause the causes for which a stream was reset
     */
    record Resets(Map<StreamReset, Long> byCause, long floodPauses) {
        static final Resets NONE = new Resets(Map.of(), 0);

        static Resets of(Counters counters) {
            Map<StreamReset, Long> byCause = new EnumMap<>(StreamReset.class);
            for (StreamReset cause : StreamReset.values()) {
                long count = counters.value(cause);
                if (count > 0) {
                    byCause.put(cause, count);
                }
            }
            return new Resets(byCause, counters.value(Counter.FLOOD_PAUSES));
        }
    }

    long level(Gauge gauge) {
        return Objects.requireNonNull(levels.get(gauge));
    }

    /** The recent failures per second of all applications together. */
    double failed() {
        return failing.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** The number of workers that do this. */
    long workers(Predicate<Watched.Doing> doing) {
        return workers.stream().filter(worker -> doing.test(worker.doing())).count();
    }

    /** The number of clients that send or read so slowly that the server buffers bytes for them. */
    long slow() {
        return sending() + level(Gauge.CONNECTIONS_DRAINING);
    }

    /** The number of clients whose request is arriving. */
    long sending() {
        return level(Gauge.CONNECTIONS_HEAD) + level(Gauge.CONNECTIONS_BODY) + level(Gauge.CONNECTIONS_STORING);
    }
}
