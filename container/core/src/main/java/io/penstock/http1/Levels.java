package io.penstock.http1;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.ByteAccount;
import io.penstock.limits.Gauge;
import io.penstock.limits.Gauges;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import io.penstock.spool.Spool;
import io.penstock.time.Saturated;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the levels of one server's transport. What only the reactors know is asked of them once a second at most, however many ask
 * here.
 *
 * <p>Thread: any but a reactor, which would wait for itself.
 */
final class Levels {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long FRESH_NANOS = Saturated.nanos(Duration.ofSeconds(1));

    private final List<Reactor> reactors;
    private final Gauges gauges;

    @GuardedBy("this")
    private @Nullable Map<ConnectionState, Long> counts;

    @GuardedBy("this")
    private long counted;

    /**
     * The lists are full before anybody reads here.
     *
     * @param above where the levels are read that others hold
     */
    Levels(
            SegmentPool pool,
            ByteAccount heads,
            Spool spool,
            RequestQueue queue,
            Workers workers,
            List<Reactor> reactors,
            List<UnfinishedBodies> unfinished,
            Entrance entrance,
            Map<Gauge, LongSupplier> above) {
        this.reactors = reactors;
        Map<Gauge, LongSupplier> sources = new EnumMap<>(Gauge.class);
        sources.putAll(above);
        sources.put(Gauge.CONNECTIONS, entrance.open()::count);
        sources.put(Gauge.CONNECTIONS_TURNED_AWAY, entrance::turnedAway);
        for (ConnectionState state : ConnectionState.values()) {
            sources.put(gauge(state), () -> count(state));
        }
        sources.put(Gauge.QUEUED, queue::size);
        sources.put(Gauge.QUEUE_OLDEST, () -> TimeUnit.NANOSECONDS.toMillis(queue.oldestNanos()));
        sources.put(Gauge.WORKERS, workers::count);
        sources.put(Gauge.WORKERS_BUSY, workers::busy);
        sources.put(
                Gauge.WORKERS_WAITING, () -> workers.busy(thread -> pool.waits().of(thread) != null));
        sources.put(Gauge.WORKERS_STREAMING, queue::streaming);
        sources.put(Gauge.WORKERS_IDLE, () -> Math.max(0, workers.count() - workers.busy()));
        sources.put(Gauge.PIPE_BYTES, pool::inUse);
        sources.put(Gauge.PIPE_BUDGET, pool::budget);
        sources.put(Gauge.HEAD_BYTES, heads::used);
        sources.put(Gauge.HEAD_BUDGET, heads::limit);
        sources.put(
                Gauge.BODIES_STARVING,
                () -> unfinished.stream().mapToLong(UnfinishedBodies::starving).sum());
        sources.put(Gauge.SPOOL_BYTES, spool::used);
        sources.put(Gauge.SPOOL_LIMIT, spool::limit);
        sources.put(Gauge.SPOOL_FILES_OPEN, spool::files);
        sources.put(Gauge.SPOOL_PENDING, spool::pending);
        sources.put(Gauge.SPOOL_THREADS, spool::threads);
        this.gauges = new Gauges(sources);
    }

    Gauges gauges() {
        return gauges;
    }

    /** How all connections stand now. What it finds is good for the gauges, too. */
    Survey survey() {
        Survey survey = Survey.take(reactors, PATIENCE);
        remember(survey.counts());
        return survey;
    }

    /** How many connections are in each state now, and the busiest. What it finds is good for the gauges, too. */
    Census census(int most) {
        Census census = Census.take(reactors, PATIENCE, most);
        remember(census.counts());
        return census;
    }

    private synchronized void remember(Map<ConnectionState, Long> found) {
        counts = found;
        counted = System.nanoTime();
    }

    private synchronized long count(ConnectionState state) {
        Map<ConnectionState, Long> known = counts;
        if (known == null || System.nanoTime() - counted > FRESH_NANOS) {
            census(0);
            known = Objects.requireNonNull(counts);
        }
        return Objects.requireNonNull(known.get(state));
    }

    private static Gauge gauge(ConnectionState state) {
        return switch (state) {
            case IDLE -> Gauge.CONNECTIONS_IDLE;
            case HEAD -> Gauge.CONNECTIONS_HEAD;
            case BODY -> Gauge.CONNECTIONS_BODY;
            case SETTLING -> Gauge.CONNECTIONS_SETTLING;
            case QUEUED -> Gauge.CONNECTIONS_QUEUED;
            case RUNNING -> Gauge.CONNECTIONS_RUNNING;
            case DRAINING -> Gauge.CONNECTIONS_DRAINING;
            case UPGRADED -> Gauge.CONNECTIONS_UPGRADED;
            case CLOSING -> Gauge.CONNECTIONS_CLOSING;
        };
    }
}
