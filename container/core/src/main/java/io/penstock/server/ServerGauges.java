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
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the gauges of one server. The reactors are asked for the states of their connections at most once a second, even if the gauges are
 * read more often.
 *
 * <p>Thread: any, except for reactors. A reactor would wait for itself.
 */
final class ServerGauges implements Gauges {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long FRESH_NANOS = Saturated.nanos(Duration.ofSeconds(1));

    private final ServerResources server;
    private final TlsResources tls;
    private final Workers workers;
    private final Reactors reactors;
    private final ConnectionAcceptor acceptor;
    private final Gauges others;

    @GuardedBy("this")
    private @Nullable ConnectionCensus last;

    @GuardedBy("this")
    private long counted;

    /** @param others reads the gauges that are not about the {@link Transport} */
    ServerGauges(
            ServerResources server,
            TlsResources tls,
            Workers workers,
            Reactors reactors,
            ConnectionAcceptor acceptor,
            Gauges others) {
        this.server = server;
        this.tls = tls;
        this.workers = workers;
        this.reactors = reactors;
        this.acceptor = acceptor;
        this.others = others;
    }

    /** A switch, since a lambda expression for each gauge would be a class that each start of a server loads. */
    @Override
    public long value(Gauge gauge) {
        return switch (gauge) {
            case CONNECTIONS -> acceptor.open().count();
            case CONNECTIONS_TURNED_AWAY -> acceptor.refused();
            case CONNECTIONS_HANDSHAKE -> in(ConnectionState.HANDSHAKE);
            case CONNECTIONS_IDLE -> in(ConnectionState.IDLE);
            case CONNECTIONS_HEAD -> in(ConnectionState.HEAD);
            case CONNECTIONS_BODY -> in(ConnectionState.BODY);
            case CONNECTIONS_STORING -> in(ConnectionState.STORING);
            case CONNECTIONS_QUEUED -> in(ConnectionState.QUEUED);
            case CONNECTIONS_RUNNING -> in(ConnectionState.RUNNING);
            case CONNECTIONS_DRAINING -> in(ConnectionState.DRAINING);
            case CONNECTIONS_UPGRADED -> in(ConnectionState.UPGRADED);
            case CONNECTIONS_CLOSING -> in(ConnectionState.CLOSING);
            case STREAMS -> recent().streams();
            case STREAMS_BLOCKED -> recent().blocked();
            case QUEUED -> server.queue().size();
            case QUEUE_OLDEST -> TimeUnit.NANOSECONDS.toMillis(server.queue().oldestNanos());
            case WORKERS -> workers.count();
            case WORKERS_STARTED -> workers.started();
            case WORKERS_BUSY -> workers.busy();
            case WORKERS_WAITING -> workers.busy(thread -> server.pool().waits().of(thread) != null);
            case WORKERS_STREAMING -> server.queue().streaming();
            case WORKERS_SPOOLING -> server.queue().spooling();
            case WORKERS_IDLE -> Math.max(0, workers.started() - workers.busy());
            case PIPE_BYTES -> server.pool().inUse();
            case PIPE_BUDGET -> server.pool().budget();
            case HEAD_BYTES -> server.headBudget().used();
            case HEAD_BUDGET -> server.headBudget().limit();
            case TLS_BYTES -> tls.bufferBytes();
            case TLS_BUDGET -> tls.budget();
            case TLS_TASKS -> tls.pendingTasks();
            case BODIES_STARVING -> reactors.waitingForMemory();
            case SPOOL_BYTES -> server.spool().used();
            case SPOOL_LIMIT -> server.spool().limit();
            case SPOOL_FILES_OPEN -> server.spool().files();
            case SPOOL_PENDING -> server.spool().pending();
            case SPOOL_THREADS -> server.spool().threads();
            case WEBSOCKET_SESSIONS,
                    WEBSOCKET_QUEUED_BYTES,
                    SESSIONS,
                    LOGIN_SESSIONS,
                    SESSION_STORE_THREADS,
                    FILE_CACHE_BYTES,
                    COMPRESSORS,
                    PARSED_BYTES,
                    PARSED_BUDGET,
                    ACCESS_LOG_WAITING,
                    ADMIN_LISTENERS,
                    CONTEXTS_FAILED,
                    CERTIFICATE_EXPIRY_TIMESTAMP,
                    CERTIFICATES_OUTDATED,
                    CERTIFICATE_PENDING,
                    OCSP_ANSWERS_MISSING,
                    ACME_FAILURES -> others.value(gauge);
        };
    }

    private long in(ConnectionState state) {
        return Objects.requireNonNull(recent().counts().get(state));
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
}
