package io.penstock.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.ServerResources;
import io.penstock.metrics.Gauge;
import io.penstock.metrics.Gauges;
import io.penstock.time.Saturated;
import io.penstock.tls.TlsResources;
import io.penstock.work.Workers;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gauges of one server. The reactors are asked for the states of their connections at most once a second, even if the gauges are
 * read more often.
 *
 * <p>Thread: any, except for reactors. A reactor would wait for itself.
 */
final class ServerGauges {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long FRESH_NANOS = Saturated.nanos(Duration.ofSeconds(1));

    private final Reactors reactors;
    private final Gauges gauges;

    @GuardedBy("this")
    private @Nullable ConnectionCensus last;

    @GuardedBy("this")
    private long counted;

    /** @param others the sources of the gauges that are not about the {@link Transport} */
    ServerGauges(
            ServerResources server,
            TlsResources tls,
            Workers workers,
            Reactors reactors,
            ConnectionAcceptor acceptor,
            Map<Gauge, LongSupplier> others) {
        this.reactors = reactors;
        Map<Gauge, LongSupplier> sources = new EnumMap<>(Gauge.class);
        sources.putAll(others);
        sources.put(Gauge.CONNECTIONS, acceptor.open()::count);
        sources.put(Gauge.CONNECTIONS_TURNED_AWAY, acceptor::refused);
        for (ConnectionState state : ConnectionState.values()) {
            sources.put(
                    gauge(state), () -> Objects.requireNonNull(recent().counts().get(state)));
        }
        sources.put(Gauge.STREAMS, () -> recent().streams());
        sources.put(Gauge.STREAMS_BLOCKED, () -> recent().blocked());
        sources.put(Gauge.QUEUED, server.queue()::size);
        sources.put(
                Gauge.QUEUE_OLDEST,
                () -> TimeUnit.NANOSECONDS.toMillis(server.queue().oldestNanos()));
        sources.put(Gauge.WORKERS, workers::count);
        sources.put(Gauge.WORKERS_STARTED, workers::started);
        sources.put(Gauge.WORKERS_BUSY, workers::busy);
        sources.put(
                Gauge.WORKERS_WAITING,
                () -> workers.busy(thread -> server.pool().waits().of(thread) != null));
        sources.put(Gauge.WORKERS_STREAMING, server.queue()::streaming);
        sources.put(Gauge.WORKERS_SPOOLING, server.queue()::spooling);
        sources.put(Gauge.WORKERS_IDLE, () -> Math.max(0, workers.started() - workers.busy()));
        sources.put(Gauge.PIPE_BYTES, server.pool()::inUse);
        sources.put(Gauge.PIPE_BUDGET, server.pool()::budget);
        sources.put(Gauge.HEAD_BYTES, server.headBudget()::used);
        sources.put(Gauge.HEAD_BUDGET, server.headBudget()::limit);
        sources.put(Gauge.TLS_BYTES, tls::bufferBytes);
        sources.put(Gauge.TLS_BUDGET, tls::budget);
        sources.put(Gauge.TLS_TASKS, tls::pendingTasks);
        sources.put(Gauge.BODIES_STARVING, reactors::waitingForMemory);
        sources.put(Gauge.SPOOL_BYTES, server.spool()::used);
        sources.put(Gauge.SPOOL_LIMIT, server.spool()::limit);
        sources.put(Gauge.SPOOL_FILES_OPEN, server.spool()::files);
        sources.put(Gauge.SPOOL_PENDING, server.spool()::pending);
        sources.put(Gauge.SPOOL_THREADS, server.spool()::threads);
        this.gauges = new Gauges(sources);
    }

    Gauges gauges() {
        return gauges;
    }

    /** Returns all current connections. */
    ConnectionList connections() {
        return ConnectionList.take(reactors.all(), PATIENCE);
    }

    /** Returns the current number of connections in each state, and the busiest connections. Updates the gauges of connections. */
    ConnectionCensus census(int most) {
        ConnectionCensus census = ConnectionCensus.take(reactors.all(), PATIENCE, most);
        remember(census);
        return census;
    }

    private synchronized void remember(ConnectionCensus found) {
        last = found;
        counted = System.nanoTime();
    }

    private synchronized ConnectionCensus recent() {
        ConnectionCensus known = last;
        return known == null || System.nanoTime() - counted > FRESH_NANOS ? census(0) : known;
    }

    private static Gauge gauge(ConnectionState state) {
        return switch (state) {
            case HANDSHAKE -> Gauge.CONNECTIONS_HANDSHAKE;
            case IDLE -> Gauge.CONNECTIONS_IDLE;
            case HEAD -> Gauge.CONNECTIONS_HEAD;
            case BODY -> Gauge.CONNECTIONS_BODY;
            case STORING -> Gauge.CONNECTIONS_STORING;
            case QUEUED -> Gauge.CONNECTIONS_QUEUED;
            case RUNNING -> Gauge.CONNECTIONS_RUNNING;
            case DRAINING -> Gauge.CONNECTIONS_DRAINING;
            case UPGRADED -> Gauge.CONNECTIONS_UPGRADED;
            case CLOSING -> Gauge.CONNECTIONS_CLOSING;
        };
    }
}
