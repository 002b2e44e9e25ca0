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
 * Decides when the files of a source tree form a new version: their content differs from the last version, and they no longer change. Some
 * compilers delete the classes and write them again seconds later; such a gap is no new version.
 *
 * <p>Thread: one.
 */
final class SourceChanges {
    /** Files that have not changed for this time are complete. */
    static final Duration REST = Duration.ofMillis(250);

    /** Replaces {@link #REST} if there are fewer classes than before: a compiler may be about to write the missing classes again. */
    static final Duration REST_AFTER_REMOVAL = Duration.ofSeconds(3);

    private static final String CLASS = ".class";

    private final SourceTree tree;
    private final Clock clock;
    private final ContentHashes hashes;

    /** The files that the last scan has found. */
    private SortedMap<String, FileState> seen = new TreeMap<>();

    /** When a scan last found a difference from the scan before. */
    private long changedAt;

    /** The files of the last version; null before the first version. */
    private @Nullable Files version;

    /**
     * The files of a version.
     *
     * @param states the states of the files, by their places
     * @param hashes the hashes of their contents, by their places
     */
    record Files(SortedMap<String, FileState> states, SortedMap<String, String> hashes) {}

    /** The result of a scan. */
    sealed interface Look {
        /** The files are the same as those of the last version. */
        record Unchanged() implements Look {}

        /**
         * The files still change.
         *
         * @param what describes the change, for messages
         */
        record Restless(String what) implements Look {}

        /** The files no longer change, and differ from those of the last version. */
        record Changed(Files files) implements Look {}
    }

    SourceChanges(SourceTree tree, Clock clock, ContentHashes hashes) {
        this.tree = tree;
        this.clock = clock;
        this.hashes = hashes;
    }

    /**
     * The current files for the first version, even if they still change.
     *
     * @throws IOException if a file cannot be read
     */
    Files now() throws IOException {
        seen = WatchedFiles.of(tree);
        changedAt = clock.nanos();
        return new Files(seen, hashes.of(seen));
    }

    /** Scans the files. */
    Look look() {
        try {
            return found(WatchedFiles.of(tree));
        } catch (IOException e) { // for example, the file has just been replaced
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
            version = found; // only the times differ, not the contents
            return new Look.Unchanged();
        }
        return new Look.Changed(found);
    }

    private static long classes(Map<String, FileState> files) {
        return files.keySet().stream().filter(place -> place.endsWith(CLASS)).count();
    }

    /**
     * Whether the source tree still has exactly these files.
     *
     * @throws IOException if the files cannot be listed
     */
    boolean areStill(Files files) throws IOException {
        return WatchedFiles.of(tree).equals(files.states());
    }

    /** A version of these files has been made, even if it has failed to start. */
    void made(Files files) {
        version = files;
    }

    /** The files have changed while a version was made from them. */
    void interrupted() {
        changedAt = clock.nanos();
    }

    /** The difference from the last version, for messages. */
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
