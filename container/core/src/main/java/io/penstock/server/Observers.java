package io.penstock.server;

import io.penstock.accesslog.AccessLog;
import io.penstock.events.ConnectionEvents;
import io.penstock.flight.Flight;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.Counters;
import io.penstock.limits.Https;
import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Switch;
import io.penstock.memory.Rounds;
import io.penstock.metrics.CloseCounts;
import io.penstock.metrics.RequestMetrics;
import io.penstock.work.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The listeners for the connection events of one server. They are the log, the counts of closed connections, the configured listeners
 * (metrics, access log, flight recordings), and the listeners of the embedding program.
 *
 * <p>Thread: the thread that starts or stops the server. Owns: the access log with its thread.
 */
final class Observers implements AutoCloseable {
    private static final Duration LOOK_AT_LOG = Duration.ofSeconds(1);

    private final CloseCounts closes = new CloseCounts();
    private final @Nullable RequestMetrics metrics;
    private final @Nullable AccessLog accessLog;
    private final ConnectionEvents all;

    /**
     * @param given the listeners of the embedding program
     * @param rounds the {@link Rounds} that handle exceptions in the thread of the access log
     * @throws IllegalArgumentException if the configured format of the access log does not exist. The message names the key
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
     * Opens the access log. Also schedules a task that logs a warning if the access log has dropped lines.
     *
     * @return the scheduled tasks. The caller must cancel them when the server stops
     * @throws ServerStartException if the access log cannot be written
     */
    List<Future<?>> start(Scheduler scheduler) throws ServerStartException {
        if (accessLog == null) {
            return List.of();
        }
        try {
            accessLog.start();
        } catch (IOException e) {
            throw new ServerStartException(
                    Key.ACCESS_LOG.id() + ": cannot be written: " + OperatorFile.explained(e), e);
        }
        return List.of(scheduler.every(LOOK_AT_LOG, accessLog::look));
    }

    /** Opens the file of the access log again by its name, after the former file has been moved. Does not wait. Thread: any. */
    void reopenLogs() {
        if (accessLog != null) {
            accessLog.reopen();
        }
    }

    /** The number of lines that wait to be written to the access log. Thread: any. */
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
