package io.penstock.admin;

import io.penstock.limits.BulkheadLimits;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.Gauges;
import io.penstock.metrics.RequestMetrics;
import io.penstock.metrics.ServerFigures;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The admin site's read-only view of its server.
 *
 * <p>Thread: threads of the admin site. The server's other threads must not call these methods. Some methods wait for the selector threads
 * (reactors), for at most one second.
 */
public interface Watched {

    /** The most workers whose stacks are read: those with the longest-running jobs. */
    int STACKS = 256;

    /** The most WebSocket sessions in a dump. */
    int SLOW_WEB_SOCKETS = 100;

    Health health();

    /** Observes whether the process is short of memory. Threads of the admin site report each failed allocation to this object. */
    MemoryWatch memory();

    Instant started();

    /** The version of the server. */
    String version();

    /**
     * The addresses on which the server listens, such as {@code 127.0.0.1:8080}, or {@code *:8080} for all addresses; empty before the
     * server listens.
     */
    List<String> addresses();

    /** Those of {@link #addresses} at which clients speak TLS. */
    List<String> secureAddresses();

    Configuration configuration();

    Counters counters();

    Gauges gauges();

    /** The bulkheads in the order of their settings. A bulkhead limits the workers and writes for the requests below one path. */
    List<Bulkhead> bulkheads();

    ServerFigures figures();

    /** The metrics of requests; null if requests are not measured. */
    @Nullable
    RequestMetrics metrics();

    Connections connections();

    /** The connections with the most bytes in the server; at most {@code most} connections. The call also updates the gauges. */
    Connections busiest(int most);

    /**
     * All started workers, those with the longest-running jobs first. The first {@link #STACKS} of them have their stacks, if they have run
     * their jobs for at least {@code nanos} nanoseconds.
     */
    List<Worker> workers(long nanos);

    /** The WebSocket sessions for which the most bytes wait, at most {@code most} of them; none for which no byte waits. */
    List<WebSocket> slowWebSockets(int most);

    /** The servlets, and kinds of paths, whose requests run or wait; those with the most workers first. */
    List<Mapping> mappings();

    List<Application> applications();

    /** The certificates for new connections; empty if the server has no TLS listener. */
    List<Certificate> certificates();

    /** The contexts whose last deployment failed. */
    List<Failure> failures();

    /** The current activity of the server as text for human readers. */
    String dump();

    enum Health {
        STARTING,
        READY,
        /** The server is stopping, or will stop soon. */
        ENDING
    }

    /**
     * Connections and their states at about the same moment.
     *
     * @param silent the reactors that did not answer in time, with the reason; {@code all} does not contain their connections
     */
    record Connections(List<Connection> all, List<String> silent) {}

    /**
     * One connection.
     *
     * @param state the name of the connection's state
     * @param waitsFor a phrase that describes the event that the connection waits for
     * @param ageNanos the time since the connection was opened
     * @param request method and path of the request that is in this state; empty if there is no request or its head is not complete
     * @param otherRequests methods and paths of the other requests of the connection
     * @param requestInMemory bytes of request bodies in memory
     * @param responseInFiles bytes of responses that are not sent yet, on disk or in a served file
     */
    record Connection(
            String id,
            String client,
            String state,
            String waitsFor,
            long ageNanos,
            String request,
            List<String> otherRequests,
            long requestInMemory,
            long requestOnDisk,
            long responseInMemory,
            long responseInFiles) {}

    /**
     * One WebSocket session.
     *
     * @param endpoint the application and the path of the endpoint
     * @param address empty for a client without an IP address
     * @param queuedBytes the bytes that wait for the client, in memory and on disk
     */
    record WebSocket(String endpoint, String address, long queuedBytes) {}

    /** The activity of a worker. */
    enum Doing {
        IDLE("idle"),
        BUSY("computes in the application"),
        WAITS("waits in the application"),
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
        boolean isForClient() {
            return this == WAITS_FOR_BYTES || this == WAITS_FOR_ROOM;
        }
    }

    /**
     * One worker.
     *
     * @param nanos the time since the job began; 0 without a job
     * @param job a description of the worker's job; empty without a job
     * @param stack the stack of the worker; empty if the caller did not request the stack
     */
    record Worker(String name, Doing doing, long nanos, String job, List<StackTraceElement> stack) {}

    /**
     * The requests that share the workers as one: those of a servlet, or of one kind of path.
     *
     * @param name the context path and the servlet or path
     * @param running the number of workers that run code of these requests
     * @param longestNanos the time for which the oldest running one has run; 0 if none runs
     * @param waiting the number of those that wait for a worker
     * @param oldestNanos the time for which the oldest waiting one has waited; 0 if none waits
     * @param refused the number of those that were answered 503 by the server since they first held many workers, waited or were refused
     */
    record Mapping(String name, int running, long longestNanos, int waiting, long oldestNanos, long refused) {}

    /**
     * One bulkhead.
     *
     * @param running the number of workers that run jobs of the bulkhead
     * @param queued the number of jobs that wait for a worker of the bulkhead
     * @param refused the number of requests answered 503 since the server's start, because too many requests waited or the request had
     *     waited too long
     * @param spoolWrites the number of the bulkhead's writes to disk that wait or run
     */
    record Bulkhead(BulkheadLimits limits, long running, long queued, long refused, long spoolWrites) {

        /** Whether all workers of the bulkhead are busy, and jobs wait for a worker. */
        boolean holdsBack() {
            return limits.limitsWorkers() && running >= limits.maxWorkers() && queued > 0;
        }
    }

    /**
     * One certificate.
     *
     * @param names the host names of the certificate, as text
     */
    record Certificate(String names, Instant expires) {}

    /**
     * One application in service.
     *
     * @param path the context path; {@code /} for the root
     * @param requests the number of running requests of the application
     * @param failures the number of responses so far, for each status from 500 on
     */
    record Application(String path, String name, long requests, Map<Integer, Long> failures) {}

    /**
     * A failed deployment. The list of failures contains it until a later deployment of the same context succeeds.
     *
     * @param path the context path; {@code /} for the root
     * @param source the file, folder or context whose deployment failed
     * @param reason the reason of the failure, in one line
     * @param formerServes whether the former version is still in service
     */
    record Failure(String path, String source, Instant at, String reason, boolean formerServes) {}
}
