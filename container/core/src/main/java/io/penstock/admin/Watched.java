package io.penstock.admin;

import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.Gauges;
import io.penstock.memory.MemoryWatch;
import io.penstock.metrics.RequestMetrics;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What can be seen of the server that is watched.
 *
 * <p>Thread: any of the admin site, none of the server's own: some answers wait for the server's reactors, a second at most.
 */
public interface Watched {

    Health health();

    /** Whether the process has memory; the site's threads tell it when they have none. */
    MemoryWatch memory();

    Instant started();

    Configuration configuration();

    Counters counters();

    Gauges gauges();

    /** What is measured of requests; null where they are not. */
    @Nullable
    RequestMetrics metrics();

    /** All connections. */
    Connections connections();

    /** The connections that hold most, at most so many. What it finds is good for the gauges, too. */
    Connections busiest(int most);

    /** All workers; those that have been at something for {@code nanos} nanoseconds come with their stacks. */
    List<Worker> workers(long nanos);

    List<Application> applications();

    /** The contexts whose last deployment failed. */
    List<Failure> failures();

    /** All of that as text for people. */
    String dump();

    /** Where a server is in its life. */
    enum Health {
        STARTING,
        READY,
        /** It takes no more work, or soon will take none. */
        ENDING
    }

    /**
     * Connections at about one moment.
     *
     * @param silent the threads that did not answer in time, and why: their connections are missing
     */
    record Connections(List<Connection> all, List<String> silent) {}

    /**
     * One connection.
     *
     * @param state a word
     * @param waitsFor the same in words
     * @param ageNanos since it was opened
     * @param request what is being answered, drains or arrives, without query; empty if nothing does, or nobody has looked at its head
     * @param requestInMemory bytes of request bodies
     * @param responseInFiles bytes that wait on disk, or in a file that is served
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

    /** What a worker does. */
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

        /** Whether a client keeps the worker. */
        boolean isWaiting() {
            return this == WAITS_FOR_BYTES || this == WAITS_FOR_ROOM;
        }
    }

    /**
     * One worker.
     *
     * @param nanos since it began what it does; 0 if that is nothing
     * @param job what it does, for people; empty if that is nothing
     * @param stack empty unless it was asked for
     */
    record Worker(String name, Doing doing, long nanos, String job, List<StackTraceElement> stack) {}

    /**
     * One application in service.
     *
     * @param path {@code /} for the root
     * @param requests that are in it now
     */
    record Application(String path, String name, long requests) {}

    /**
     * A deployment that has failed, and that no later one has made good.
     *
     * @param path {@code /} for the root
     * @param source the file, or what else was to be deployed
     * @param reason one line
     * @param formerServes whether the version that was there before is still in service
     */
    record Failure(String path, String source, Instant at, String reason, boolean formerServes) {}
}
