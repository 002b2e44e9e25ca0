package io.penstock.files;

import io.penstock.context.Resource;
import io.penstock.context.Resources;
import io.penstock.http.ContentCoding;
import io.penstock.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds the compressed siblings of files, such as {@code app.js.br} beside {@code app.js}. The names of existing siblings are cached for
 * one second, because most files have no siblings. The sizes and modification times of siblings are not cached.
 *
 * <p>Thread: any. The cache is limited: only existing files have entries, and a full cache is cleared.
 */
final class CompressedFiles {
    private static final long VALID_NANOS = 1_000_000_000;
    private static final int MAX_ENTRIES = 4096;

    private record Entry(List<ContentCoding> codings, long until) {}

    private final Resources resources;
    private final Clock clock;
    private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

    CompressedFiles(Resources resources, Clock clock) {
        this.resources = resources;
        this.clock = clock;
    }

    /** Returns the codings of a file's siblings, in the order of preference. The result can be outdated. */
    List<ContentCoding> of(Resource file) {
        Entry known = entries.get(file.path());
        if (known != null && clock.nanos() - known.until() < 0) {
            return known.codings();
        }
        List<ContentCoding> found = new ArrayList<>();
        for (ContentCoding coding : ContentCoding.values()) {
            if (lookUp(file, coding) != null) {
                found.add(coding);
            }
        }
        if (entries.size() >= MAX_ENTRIES) {
            entries.clear();
        }
        List<ContentCoding> codings = List.copyOf(found);
        entries.put(file.path(), new Entry(codings, clock.nanos() + VALID_NANOS));
        return codings;
    }

    /**
     * Returns the sibling with the given coding; null if this sibling does not exist or is older than the file. An older sibling possibly
     * belongs to an earlier version of the file.
     */
    @Nullable
    Resource find(Resource file, ContentCoding coding) {
        Resource sibling = lookUp(file, coding);
        return sibling != null && !sibling.modified().isBefore(file.modified()) ? sibling : null;
    }

    /** Looks up the sibling with the given coding. The sibling must be of the same kind as the file: both on disk, or both in a jar. */
    private @Nullable Resource lookUp(Resource file, ContentCoding coding) {
        Resource found = resources.find(file.path() + suffix(coding));
        return found != null && found.kind() == file.kind() ? found : null;
    }

    private static String suffix(ContentCoding coding) {
        return switch (coding) {
            case BROTLI -> ".br";
            case ZSTANDARD -> ".zst";
            case GZIP -> ".gz";
        };
    }
}
