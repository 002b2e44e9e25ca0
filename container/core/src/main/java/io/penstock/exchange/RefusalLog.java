package io.penstock.exchange;

import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.work.Mapping;
import io.penstock.work.NoticedMappings;
import io.penstock.work.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator in the log that requests are answered 503: for each limit a line one second after the first such request, and then one
 * line a minute while there are more. So the lines together have the number of all. Counts the requests of each mapping, too.
 *
 * <p>Thread: any. The scheduler writes the lines.
 */
final class RefusalLog {
    private static final int UNAVAILABLE = 503;
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration NEXT = Duration.ofMinutes(1);

    private final Logger log;
    private final ServerConfig config;
    private final Scheduler scheduler;
    private final NoticedMappings noticed;
    private final Map<Key, Line> lines = new EnumMap<>(Key.class);

    RefusalLog(ServerConfig config, Scheduler scheduler, NoticedMappings noticed) {
        this(config, scheduler, noticed, LoggerFactory.getLogger(RefusalLog.class));
    }

    RefusalLog(ServerConfig config, Scheduler scheduler, NoticedMappings noticed, Logger log) {
        this.log = log;
        this.config = config;
        this.scheduler = scheduler;
        this.noticed = noticed;
        for (Key key : Key.values()) {
            if (key.consequence().status() == UNAVAILABLE) {
                lines.put(key, new Line(key));
            }
        }
    }

    /**
     * A request was refused because of this limit. Does nothing if the status of the limit is not 503.
     *
     * @param of the mapping of the request; null if it is unknown
     */
    void refused(Key limit, @Nullable Mapping of) {
        Line line = lines.get(limit);
        if (line != null) {
            if (of != null) {
                noticed.refused(of);
            }
            line.happened(of);
        }
    }

    /** The requests that one limit has refused since the last line. */
    private final class Line {
        private final Key limit;
        private final AtomicLong requests = new AtomicLong();

        /** Whether the scheduler will write a line. */
        private final AtomicBoolean due = new AtomicBoolean();

        private volatile @Nullable Mapping last;

        Line(Key limit) {
            this.limit = limit;
        }

        void happened(@Nullable Mapping of) {
            last = of;
            requests.incrementAndGet();
            // The plain read is enough for nearly all requests of an overload.
            if (!due.get() && due.compareAndSet(false, true)) {
                scheduler.after(FIRST, () -> write("second"));
            }
        }

        private void write(String period) {
            long count = requests.getAndSet(0);
            if (count > 0) {
                Mapping of = last;
                log.warn(
                        "{} {} answered 503 in the last {}: {}{}{}{}",
                        count,
                        count == 1 ? "request was" : "requests were",
                        period,
                        limit.id(),
                        value(limit),
                        of == null ? "" : "; the last one was for " + of.name(),
                        HelpPage.OVERLOAD.more());
                scheduler.after(NEXT, () -> write("minute"));
                return;
            }
            due.set(false);
            if (requests.get() > 0 && due.compareAndSet(false, true)) {
                // A request was refused after the look at the count, and saw that a line was due.
                scheduler.after(FIRST, () -> write("second"));
            }
        }
    }

    /** The value of the limit, for the limits that users meet first. */
    private String value(Key limit) {
        return switch (limit) {
            case QUEUE ->
                " = " + config.threads().queue() + ", workers = "
                        + config.threads().workers();
            case QUEUE_AGE ->
                " = " + config.service().queueAge().toSeconds() + "s, workers = "
                        + config.threads().workers();
            case OVERLOAD_AFTER ->
                " = " + config.service().overloadAfter().toSeconds() + "s, since more requests come than are served";
            case HEAD_BUDGET -> " = " + config.pipes().heads();
            case PIPE_BUDGET -> " = " + config.pipes().budget();
            default -> "";
        };
    }
}
