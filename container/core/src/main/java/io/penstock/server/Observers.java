package io.penstock.server;

import io.penstock.accesslog.AccessLog;
import io.penstock.events.ConnectionEvents;
import io.penstock.flight.Flight;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Counters;
import io.penstock.limits.Https;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Switch;
import io.penstock.memory.Rounds;
import io.penstock.metrics.CloseCounts;
import io.penstock.metrics.RequestMetrics;
import io.penstock.work.Scheduler;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of one server: its log and the count of closes; metrics, access log and flight recordings as configured; then the listeners
 * of the embedding program.
 *
 * <p>Thread: the server's owner. Owns: the access log with its thread.
 */
final class Observers implements AutoCloseable {
    private static final Duration LOOK_AT_LOG = Duration.ofSeconds(1);

    private final CloseCounts closes = new CloseCounts();
    private final @Nullable RequestMetrics metrics;
    private final @Nullable AccessLog accessLog;
    private final ConnectionEvents all;

    /**
     * @param given listeners of the embedding program
     * @param rounds guards the access log's thread
     * @throws IllegalArgumentException naming the key, if the access log has no such format
     */
    Observers(ServerConfig config, Counters counters, List<ConnectionEvents> given, Rounds rounds) {
        List<ConnectionEvents> listeners = new ArrayList<>(List.of(new ConnectionLog(), closes));
        metrics = config.admin().measuresRequests() ? metrics(config) : null;
        if (metrics != null) {
            listeners.add(metrics);
        }
        accessLog = config.accessLog().where() == AccessLogging.Where.NOWHERE
                ? null
                : new AccessLog(config.accessLog(), counters, rounds);
        if (accessLog != null) {
            listeners.add(accessLog);
        }
        if (config.telemetry().flight() == Switch.ON) {
            Flight.recorder().ifPresent(listeners::add);
        }
        listeners.addAll(given);
        all = ConnectionEvents.all(listeners);
    }

    private static RequestMetrics metrics(ServerConfig config) {
        return config.listen().any(Switch.ON)
                ? RequestMetrics.overTls(
                        config.listen().any(Switch.OFF) || config.https().redirectPort() != Https.OFF)
                : new RequestMetrics();
    }

    ConnectionEvents all() {
        return all;
    }

    /** The numbers of closed connections, by cause. */
    CloseCounts closes() {
        return closes;
    }

    /** The metrics of requests; null if they are off. */
    @Nullable
    RequestMetrics metrics() {
        return metrics;
    }

    /**
     * Opens the access log and schedules its upkeep.
     *
     * @return the scheduled task, to be cancelled at the end
     * @throws ServerStartException if the access log cannot be written
     */
    List<Future<?>> start(Scheduler scheduler) throws ServerStartException {
        if (accessLog == null) {
            return List.of();
        }
        try {
            accessLog.start();
        } catch (IOException e) {
            throw new ServerStartException(Key.ACCESS_LOG.id() + ": cannot be written: " + reason(e), e);
        }
        return List.of(scheduler.every(LOOK_AT_LOG, accessLog::look));
    }

    /**
     * The exception's message, if it contains the reason of the file system. Otherwise the message after the name of the exception, which
     * is then the only reason.
     */
    private static String reason(IOException failure) {
        boolean explained = failure instanceof FileSystemException file && file.getReason() != null;
        return explained ? String.valueOf(failure.getMessage()) : failure.toString();
    }

    /** Opens the access log again by its name, after the former file has been moved. Any thread; does not wait. */
    void reopenLogs() {
        if (accessLog != null) {
            accessLog.reopen();
        }
    }

    /** How many lines wait to be written to the access log. Any thread. */
    long accessLogWaiting() {
        return accessLog == null ? 0 : accessLog.waiting();
    }

    /** Closes the access log. Called after the last request has ended. */
    @Override
    public void close() {
        if (accessLog != null) {
            accessLog.close();
        }
    }
}
