package io.penstock.context;

import io.penstock.time.Clock;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the real paths of resources. In a real path, all links are resolved and the letter case is exact. The search for a real path
 * needs a system call for each segment, so its result is cached for one second. The existence, size and modification time of a file are
 * never cached.
 *
 * <p>Thread: any. Bounded: only existing files have entries, and a full cache is cleared.
 */
final class RealPathCache {
    private static final long VALID_NANOS = 1_000_000_000;
    private static final int MAX_ENTRIES = 4096;

    private record Entry(Path real, long until) {}

    private final Clock clock;
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

    RealPathCache(Clock clock) {
        this.clock = clock;
    }

    /** The real path of a resource; null if there is no valid entry. */
    @Nullable
    Path get(String path) {
        Entry entry = entries.get(path);
        return entry != null && clock.nanos() - entry.until() < 0 ? entry.real() : null;
    }

    void put(String path, Path real) {
        if (entries.size() >= MAX_ENTRIES) {
            entries.clear();
        }
        entries.put(path, new Entry(real, clock.nanos() + VALID_NANOS));
    }
}
