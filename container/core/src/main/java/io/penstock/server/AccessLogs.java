package io.penstock.server;

import io.penstock.accesslog.AccessLog;
import io.penstock.dispatch.ContextTable;
import io.penstock.dispatch.PathTable;
import io.penstock.events.ConnectionEvents;
import io.penstock.events.Notes;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.ApplicationKey;
import io.penstock.limits.Counters;
import io.penstock.limits.Key;
import io.penstock.limits.OperatorFile;
import io.penstock.limits.ServerConfig;
import io.penstock.memory.Rounds;
import io.penstock.work.Scheduler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The access logs of one server: the log of the server, and those of paths. Each file has one log, even if several keys name it. A request has a
 * line in the log of the longest path that covers it, or else in the log of the server.
 *
 * <p>Thread: {@code ended}: the thread that ends a request. {@link #reopen} and {@link #waiting}: any. The others: the thread that starts or stops
 * the server. Owns: the logs with their threads.
 */
final class AccessLogs implements ConnectionEvents, AutoCloseable {
    private static final Duration LOOK_AT_LOG = Duration.ofSeconds(1);

    private final ContextTable contexts;
    private final @Nullable AccessLog ofServer;
    private final @Nullable PathTable<OfPath> ofPaths;

    /** The logs by the keys that name them first. */
    private final Map<String, AccessLog> all = new LinkedHashMap<>();

    /** @param log null if the requests of the path have no lines */
    private record OfPath(@Nullable AccessLog log) {}

    /**
     * @param contexts finds the applications of requests
     * @param rounds handle exceptions in the threads of the logs
     * @throws IllegalArgumentException if the configured format of the access log does not exist. The message names the key
     */
    AccessLogs(ServerConfig config, ContextTable contexts, Counters counters, Rounds rounds) {
        this.contexts = contexts;
        Map<Object, AccessLog> byDestination = new LinkedHashMap<>();
        this.ofServer = log(Key.ACCESS_LOG.id(), config.accessLog(), byDestination, counters, rounds);
        Map<String, OfPath> logs = new HashMap<>();
        // In the order of the paths, so that the same key is named in each message about a file.
        new TreeMap<>(config.accessLogsOfPaths())
                .forEach((path, log) ->
                        logs.put(path, new OfPath(log(key(path), log, byDestination, counters, rounds))));
        this.ofPaths = PathTable.of(logs);
    }

    /** The name of the key for the log of a path. */
    static String key(String path) {
        return path + ":" + ApplicationKey.ACCESS_LOG.id();
    }

    private @Nullable AccessLog log(
            String key, AccessLogging config, Map<Object, AccessLog> present, Counters counters, Rounds rounds) {
        if (config.where() == AccessLogging.Where.NOWHERE) {
            return null;
        }
        Path file = config.file();
        Object destination = file == null ? config.where() : destination(file);
        AccessLog known = present.get(destination);
        if (known != null) {
            return known;
        }
        AccessLog made = new AccessLog(config, counters, rounds);
        present.put(destination, made);
        all.put(key, made);
        return made;
    }

    /** The file behind symbolic links. */
    private static Path destination(Path file) {
        Path whole = file.toAbsolutePath().normalize();
        Path folder = whole.getParent();
        try {
            if (Files.exists(whole)) {
                return whole.toRealPath();
            }
            return folder == null ? whole : folder.toRealPath().resolve(whole.getFileName());
        } catch (IOException e) {
            // The start of the log reports the failure.
            return whole;
        }
    }

    /** Whether there is no log at all. */
    boolean isEmpty() {
        return all.isEmpty();
    }

    /**
     * Opens the files. Also schedules a task for each log that logs a warning if the log has dropped lines.
     *
     * @return the scheduled tasks. The caller must cancel them when the server stops
     * @throws ServerStartException if a log cannot be written
     */
    List<Future<?>> start(Scheduler scheduler) throws ServerStartException {
        List<Future<?>> tasks = new ArrayList<>();
        for (Map.Entry<String, AccessLog> log : all.entrySet()) {
            try {
                log.getValue().start();
            } catch (IOException e) {
                tasks.forEach(task -> task.cancel(false));
                throw new ServerStartException(log.getKey() + ": cannot be written: " + OperatorFile.explained(e), e);
            }
            tasks.add(scheduler.every(LOOK_AT_LOG, log.getValue()::look));
        }
        return tasks;
    }

    @Override
    public boolean followsRequests() {
        return true;
    }

    @Override
    public Notes.Wanted wanted() {
        Notes.Wanted wanted = Notes.Wanted.NOTHING;
        for (AccessLog log : all.values()) {
            wanted = wanted.and(log.wanted());
        }
        return wanted;
    }

    @Override
    public void ended(RequestSummary summary, Notes notes) {
        AccessLog log = ofPaths == null ? ofServer : find(ofPaths, summary.request());
        if (log != null) {
            log.ended(summary, notes);
        }
    }

    private @Nullable AccessLog find(PathTable<OfPath> table, Request request) {
        OfPath found = contexts.find(
                table, request.target(), request.fields().first("Host").orElse(null));
        return found == null ? ofServer : found.log();
    }

    /** Opens the files again by their names, after they have been moved. Does not wait. */
    void reopen() {
        all.values().forEach(AccessLog::reopen);
    }

    /** The number of lines that wait to be written. */
    long waiting() {
        return all.values().stream().mapToLong(AccessLog::waiting).sum();
    }

    /** Writes the waiting lines. Called after the last request has ended. */
    @Override
    public void close() {
        all.values().forEach(AccessLog::close);
    }
}
