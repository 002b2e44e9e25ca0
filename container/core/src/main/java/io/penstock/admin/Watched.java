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
 * <p>Thread: threads of the admin site. The server's own threads must not call it: some methods wait for the reactors, for at most a
 * second.
 */
public interface Watched {

    Health health();

    /** Observes whether the process is short of memory. The site's threads report to it when an allocation fails. */
    MemoryWatch memory();

    Instant started();

    /** The version of the server. */
    String version();

    /**
     * The addresses on which the server listens, such as {@code 127.0.0.1:8080}, or {@code *:8080} for all addresses; empty before it
     * listens.
     */
    List<String> addresses();

    Configuration configuration();

    Counters counters();

    Gauges gauges();

    /** The bulkheads, in the order of their settings. */
    List<Bulkhead> bulkheads();

    ServerFigures figures();

    /** The metrics of requests; null if they are off. */
    @Nullable
    RequestMetrics metrics();

    Connections connections();

    /** The {@code most} connections with the most bytes. Updates the gauges. */
    Connections busiest(int most);

    /** All workers. A worker that has run its job for at least {@code nanos} nanoseconds has its stack. */
    List<Worker> workers(long nanos);

    List<Application> applications();

    /** The certificates of new connections; empty without TLS. */
    List<Certificate> certificates();

    /** The contexts whose last deployment failed. */
    List<Failure> failures();

    /** The current activity as text for people. */
    String dump();

    enum Health {
        STARTING,
        READY,
        /** The server stops, or is about to stop. */
        ENDING
    }

    /**
     * Connections, observed at about the same moment.
     *
     * @param silent the reactors that did not answer in time, with the reason; their connections are missing in {@code all}
     */
    record Connections(List<Connection> all, List<String> silent) {}

    /**
     * One connection.
     *
     * @param state the name of the state
     * @param waitsFor a phrase that describes the awaited event
     * @param ageNanos since the connection was opened
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
     * @param nanos since the job began; 0 without a job
     * @param job describes its job; empty without one
     * @param stack empty unless requested
     */
    record Worker(String name, Doing doing, long nanos, String job, List<StackTraceElement> stack) {}

    /**
     * One bulkhead.
     *
     * @param running workers that run its jobs
     * @param queued jobs that wait for a worker of the bulkhead
     * @param refused requests answered 503 since the start, because too many requests waited or a request had waited too long
     * @param spoolWrites the bulkhead's writes to disk that wait or run
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
     * @param failures the number of its responses so far with each status from 500 on
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
