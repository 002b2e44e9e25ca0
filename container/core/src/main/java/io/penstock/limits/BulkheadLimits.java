package io.penstock.limits;

import io.penstock.address.ContextLocation;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one bulkhead. A bulkhead is a path whose requests may use only a part of the server's workers and disk writes at one time.
 *
 * @param path the path, as {@link ContextLocation} writes it. The bulkhead covers the requests of this path and of all paths below it. The
 *     path {@code /} covers the application at the root
 * @param maxWorkers the most workers that serve these requests at one time; {@link #NO_LIMIT} for no limit
 * @param maxQueued the most requests that may wait for these workers; a further request is answered 503
 * @param maxSpoolWrites the most writes to disk that wait or run at one time; {@link #NO_LIMIT} for no limit. Beyond this limit, the server
 *     pauses reading from the clients of these requests
 */
public record BulkheadLimits(String path, int maxWorkers, int maxQueued, int maxSpoolWrites) {
    public static final int NO_LIMIT = 0;

    private static final Set<ApplicationKey> OF_BULKHEADS =
            EnumSet.of(ApplicationKey.MAX_WORKERS, ApplicationKey.MAX_QUEUED, ApplicationKey.MAX_SPOOL_WRITES);

    /** Whether the workers are limited. */
    public boolean limitsWorkers() {
        return maxWorkers != NO_LIMIT;
    }

    /** Whether the writes to disk are limited. */
    public boolean limitsSpoolWrites() {
        return maxSpoolWrites != NO_LIMIT;
    }

    /**
     * The configured bulkheads, in the order of their settings.
     *
     * @throws ConfigurationException if a setting would have no effect: its path ends with {@code /*}, or {@code max-queued} is set without
     *     {@code max-workers}
     */
    static List<BulkheadLimits> of(Configuration given) {
        int queued = given.number(Key.BULKHEAD_QUEUE);
        Map<String, List<ApplicationSetting>> byPath = new LinkedHashMap<>();
        for (ApplicationSetting setting : given.applicationSettings()) {
            if (OF_BULKHEADS.contains(setting.key())) {
                setting.requirePath();
                byPath.computeIfAbsent(setting.location(), path -> new ArrayList<>())
                        .add(setting);
            }
        }
        List<BulkheadLimits> all = new ArrayList<>();
        byPath.forEach((path, own) -> all.add(of(path, own, queued)));
        return List.copyOf(all);
    }

    private static BulkheadLimits of(String path, List<ApplicationSetting> own, int defaultQueued) {
        ApplicationSetting workers = find(own, ApplicationKey.MAX_WORKERS);
        ApplicationSetting queued = find(own, ApplicationKey.MAX_QUEUED);
        ApplicationSetting writes = find(own, ApplicationKey.MAX_SPOOL_WRITES);
        if (queued != null && workers == null) {
            throw new ConfigurationException(queued.id() + " needs " + path + ":" + ApplicationKey.MAX_WORKERS.id()
                    + ", for which requests wait (from " + queued.origin() + ")");
        }
        return new BulkheadLimits(
                path, number(workers, NO_LIMIT), number(queued, defaultQueued), number(writes, NO_LIMIT));
    }

    private static @Nullable ApplicationSetting find(List<ApplicationSetting> own, ApplicationKey key) {
        return own.stream().filter(setting -> setting.key() == key).findFirst().orElse(null);
    }

    private static int number(@Nullable ApplicationSetting setting, int otherwise) {
        return setting == null ? otherwise : (Integer) setting.value();
    }
}
