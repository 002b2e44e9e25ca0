package io.penstock.develop;

import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the files of a source tree are a new version: when their content differs from that of the last version, and they have come to
 * rest. A compiler that deletes the classes first, and writes them seconds later, is waited for.
 *
 * <p>Thread: one.
 */
final class SourceChanges {
    /** Files that have not changed for this time are whole. */
    static final Duration REST = Duration.ofMillis(250);

    /** The same if there are fewer classes than before: a compiler may be about to write them again. */
    static final Duration REST_AFTER_REMOVAL = Duration.ofSeconds(3);

    private static final String CLASS = ".class";

    private final SourceTree tree;
    private final Clock clock;
    private final ContentHashes hashes;

    /** Those of the last look. */
    private SortedMap<String, FileState> seen = new TreeMap<>();

    /** When a look last found other files than the one before. */
    private long changedAt;

    /** The files whose version has been made; null before the first. */
    private @Nullable Files version;

    /**
     * The files of a version.
     *
     * @param states by their places
     * @param hashes of their contents, by their places
     */
    record Files(SortedMap<String, FileState> states, SortedMap<String, String> hashes) {}

    /** The result of a look. */
    sealed interface Look {
        /** The files are those of the last version. */
        record Unchanged() implements Look {}

        /**
         * The files are being changed.
         *
         * @param what is awaited, for people
         */
        record Restless(String what) implements Look {}

        /** The files are at rest, and differ from those of the last version. */
        record Changed(Files files) implements Look {}
    }

    SourceChanges(SourceTree tree, Clock clock, ContentHashes hashes) {
        this.tree = tree;
        this.clock = clock;
        this.hashes = hashes;
    }

    /**
     * The files as they are now, at rest or not; for the first version.
     *
     * @throws IOException if one cannot be read
     */
    Files now() throws IOException {
        seen = WatchedFiles.of(tree);
        changedAt = clock.nanos();
        return new Files(seen, hashes.of(seen));
    }

    /** Looks at the files. */
    Look look() {
        try {
            return found(WatchedFiles.of(tree));
        } catch (IOException e) { // such as a file that has just been replaced
            changedAt = clock.nanos();
            return new Look.Restless(e.toString());
        }
    }

    private Look found(SortedMap<String, FileState> now) throws IOException {
        Files last = version;
        if (last != null && now.equals(last.states())) {
            seen = now;
            if (hashes.areCurrent(now) || hashes.of(now).equals(last.hashes())) {
                return new Look.Unchanged();
            }
        }
        if (!now.equals(seen)) {
            String what = difference(seen, now);
            seen = now;
            changedAt = clock.nanos();
            return new Look.Restless(what);
        }
        long classesBefore = last == null ? 0 : classes(last.states());
        long classes = classes(now);
        if (classes == 0 && classesBefore > 0) {
            return new Look.Restless("all classes are gone");
        }
        Duration rest = classes < classesBefore ? REST_AFTER_REMOVAL : REST;
        if (clock.nanos() - changedAt < Saturated.nanos(rest)) {
            return new Look.Restless("the files have changed");
        }
        Files found = new Files(now, hashes.of(now));
        if (last != null && last.hashes().equals(found.hashes())) {
            version = found; // only times differ
            return new Look.Unchanged();
        }
        return new Look.Changed(found);
    }

    private static long classes(Map<String, FileState> files) {
        return files.keySet().stream().filter(place -> place.endsWith(CLASS)).count();
    }

    /**
     * Whether these are still the files.
     *
     * @throws IOException if they cannot be listed
     */
    boolean areStill(Files files) throws IOException {
        return WatchedFiles.of(tree).equals(files.states());
    }

    /** A version of these files has been made, whatever came of it. */
    void made(Files files) {
        version = files;
    }

    /** The files have changed while a version was made of them. */
    void interrupted() {
        changedAt = clock.nanos();
    }

    /** What differs from the last version, for people. */
    String differenceTo(Files files) {
        return difference(version == null ? Map.of() : version.hashes(), files.hashes());
    }

    private static String difference(Map<String, ?> before, Map<String, ?> now) {
        Set<String> all = new TreeSet<>(before.keySet());
        all.addAll(now.keySet());
        List<String> differing = new ArrayList<>();
        for (String place : all) {
            if (!Objects.equals(before.get(place), now.get(place))) {
                differing.add(place);
            }
        }
        int shown = Math.min(3, differing.size());
        String names = String.join(", ", differing.subList(0, shown));
        int more = differing.size() - shown;
        return more == 0 ? names : names + " and " + more + " more";
    }
}
