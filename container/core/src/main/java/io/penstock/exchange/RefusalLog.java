package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.time.RateLimitedLog;
import io.penstock.work.Mapping;
import io.penstock.work.NoticedMappings;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the operator in the log that requests are answered 503: at most one line a minute for each limit, with the number of requests since
 * the last line. Counts the requests of each mapping, too.
 *
 * <p>Thread: any.
 */
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final int UNAVAILABLE = 503;

    private final ServerConfig config;
    private final NoticedMappings noticed;
    private final Map<Key, RateLimitedLog> lines = new EnumMap<>(Key.class);

    RefusalLog(ServerConfig config, NoticedMappings noticed) {
        this.config = config;
        this.noticed = noticed;
        for (Key key : Key.values()) {
            if (key.consequence().status() == UNAVAILABLE) {
                lines.put(key, new RateLimitedLog());
            }
        }
    }

    /**
     * A request was refused because of this limit. Does nothing if the status of the limit is not 503.
     *
     * @param of the mapping of the request; null if it is unknown
     */
    void refused(Key limit, @Nullable Mapping of) {
        RateLimitedLog line = lines.get(limit);
        if (line != null && of != null) {
            noticed.refused(of);
        }
        long count = line == null ? 0 : line.happened();
        if (count > 0) {
            LOG.warn(
                    "{} {} answered 503 since the last line: {}{}{}",
                    count,
                    count == 1 ? "request was" : "requests were",
                    limit.id(),
                    value(limit),
                    of == null ? "" : "; the last one was for " + of.name());
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
