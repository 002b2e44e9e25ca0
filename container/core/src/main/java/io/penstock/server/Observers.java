package io.penstock.server;

import io.penstock.dispatch.ContextTable;
import io.penstock.events.ConnectionEvents;
import io.penstock.flight.Flight;
import io.penstock.limits.Counters;
import io.penstock.limits.Https;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Switch;
import io.penstock.memory.Rounds;
import io.penstock.metrics.CloseCounts;
import io.penstock.metrics.RequestMetrics;
import io.penstock.work.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The listeners for the connection events of one server. They are the log, the counts of closed connections, the configured listeners
 * (metrics, access logs, flight recordings), and the listeners of the embedding program.
 *
 * <p>Thread: the thread that starts or stops the server. Owns: the access logs with their threads.
 */
final class Observers implements AutoCloseable {
    private final CloseCounts closes = new CloseCounts();
    private final @Nullable RequestMetrics metrics;
    private final AccessLogs accessLogs;
    private final ConnectionEvents all;

    /**
     * @param contexts the contexts of the server
     * @param given the listeners of the embedding program
     * @param rounds the {@link Rounds} that handle exceptions in the threads of the access logs
     * @throws IllegalArgumentException if the configured format of the access log does not exist. The message names the key
     */
    Observers(
            ServerConfig config,
            ContextTable contexts,
            Counters counters,
            List<ConnectionEvents> given,
            Rounds rounds) {
        List<ConnectionEvents> listeners = new ArrayList<>(List.of(new ConnectionLog(), closes));
        metrics = config.admin().measuresRequests() ? metrics(config) : null;
        if (metrics != null) {
            listeners.add(metrics);
        }
        accessLogs = new AccessLogs(config, contexts, counters, rounds);
        if (!accessLogs.isEmpty()) {
            listeners.add(accessLogs);
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
     * Opens the access logs. Also schedules a task for each that logs a warning if the log has dropped lines.
     *
     * @return the scheduled tasks. The caller must cancel them when the server stops
     * @throws ServerStartException if an access log cannot be written
     */
    List<Future<?>> start(Scheduler scheduler) throws ServerStartException {
        return accessLogs.start(scheduler);
    }

    /** Opens the files of the access logs again by their names, after the former files have been moved. Does not wait. Thread: any. */
    void reopenLogs() {
        accessLogs.reopen();
    }

    /** The number of lines that wait to be written to the access logs. Thread: any. */
    long accessLogWaiting() {
        return accessLogs.waiting();
    }

    /** Closes the access logs. Called after the last request has ended. */
    @Override
    public void close() {
        accessLogs.close();
    }
}
