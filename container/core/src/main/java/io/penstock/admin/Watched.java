package io.penstock.admin;

import io.penstock.limits.BulkheadLimits;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.Gauges;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The admin site's read-only view of its server.
 *
 * <p>Thread: any of the admin site, none of the server: some answers wait for the server's reactors, a second at most.
 */
public interface Watched {

    Health health();

    /** Observes whether the process has memory. The site's threads report to it when an allocation fails. */
    MemoryWatch memory();

    Instant started();

    /** The version of the server. */
    String version();

    /** The places where it listens, such as {@code 127.0.0.1:8080}, or {@code *:8080} for all addresses; empty before it listens. */
    List<String> addresses();

    Configuration configuration();

    Counters counters();

    Gauges gauges();

    /** The bulkheads, in the order of their settings. */
    List<Bulkhead> bulkheads();

    /** All figures. */
    ServerFigures figures();

    /** The metrics of requests; null if they are off. */
    @Nullable
    RequestMetrics metrics();

    /** All connections. */
    Connections connections();

    /** At most {@code most} connections, those with the most bytes. Updates the gauges. */
    Connections busiest(int most);

    /** All workers; with their stacks if they have run their job for at least {@code nanos} nanoseconds. */
    List<Worker> workers(long nanos);

    List<Application> applications();

    /** The certificates of new connections; empty without TLS. */
    List<Certificate> certificates();

    /** The contexts whose last deployment failed. */
    List<Failure> failures();

    /** The current activity as text for people. */
    String dump();

    /** The stage of life of a server. */
    enum Health {
        STARTING,
        READY,
        /** It stops, or is about to stop. */
        ENDING
    }

    /**
     * Connections at about one moment.
     *
     * @param silent the reactors that did not answer in time, with the reason; their connections are missing
     */
    record Connections(List<Connection> all, List<String> silent) {}

    /**
     * One connection.
     *
     * @param state a word
     * @param waitsFor the event that it waits for, in words
     * @param ageNanos since it was opened
     * @param request method and path of the current request; empty if there is none, or its head is not complete
     * @param requestInMemory bytes of request bodies
     * @param responseInFiles bytes that wait on disk or in a served file
     */
    record Connection(
            String id,
            String client,
            String state,
            String waitsFor,
            long ageNanos,
            String request,
            long requestInMemory,
            long requestOnDisk,
            long responseInMemory,
            long responseInFiles) {}

    /** The activity of a worker. */
    enum Doing {
        IDLE("idle"),
        BUSY("in the application"),
        WAITS_FOR_BYTES("waits for its client to send"),
        WAITS_FOR_ROOM("waits for its client to take its answer");

        private final String words;

        Doing(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        /** Whether the worker waits for a client. */
        boolean isWaiting() {
            return this == WAITS_FOR_BYTES || this == WAITS_FOR_ROOM;
        }
    }

    /**
     * One worker.
     *
     * @param nanos since its job began; 0 without a job
     * @param job describes its job; empty without one
     * @param stack empty unless requested
     */
    record Worker(String name, Doing doing, long nanos, String job, List<StackTraceElement> stack) {}

    /**
     * One bulkhead.
     *
     * @param running workers that run its jobs
     * @param queued jobs that wait for one of its workers
     * @param refused requests answered 503 since the start, because too many waited or because they had waited too long
     * @param spoolWrites its writes to disk that wait or run
     */
    record Bulkhead(BulkheadLimits limits, long running, long queued, long refused, long spoolWrites) {

        /** Whether all its workers are busy, and jobs wait for them. */
        boolean holdsBack() {
            return limits.limitsWorkers() && running >= limits.maxWorkers() && queued > 0;
        }
    }

    /**
     * One certificate.
     *
     * @param names of hosts, as text
     */
    record Certificate(String names, Instant expires) {}

    /**
     * One application in service.
     *
     * @param path {@code /} for the root
     * @param requests its running requests
     * @param failures numbers of its responses so far by status, from 500 on
     */
    record Application(String path, String name, long requests, Map<Integer, Long> failures) {}

    /**
     * A failed deployment without a later successful one.
     *
     * @param path {@code /} for the root
     * @param source the file, folder or context that was to be deployed
     * @param reason one line
     * @param formerServes whether the former version is still in service
     */
    record Failure(String path, String source, Instant at, String reason, boolean formerServes) {}
}
