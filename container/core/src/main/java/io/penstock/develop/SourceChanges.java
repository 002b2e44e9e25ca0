package io.penstock.develop;

import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the files of a source tree are a new version. The content of the files must differ from the last version, and the files must
 * not have changed for some time. Some compilers delete the classes, and write them again seconds later. The state between these two steps
 * must not become a version.
 *
 * <p>Thread: one thread at a time.
 */
final class SourceChanges {
    /** If the files have not changed for this time, they are treated as complete. */
    static final Duration REST = Duration.ofMillis(250);

    /**
     * Replaces {@link #REST} if there are fewer classes than in the last version. In this case, a compiler may have deleted the missing
     * classes, and may write them again.
     */
    static final Duration REST_AFTER_REMOVAL = Duration.ofSeconds(3);

    private static final String CLASS = ".class";

    private final SourceTree tree;
    private final Clock clock;
    private final ContentHashes hashes;

    /** The files that the last scan has found. */
    private SortedMap<String, FileState> seen = new TreeMap<>();

    /** The time of the last scan whose result differs from that of the previous scan. */
    private long changedAt;

    /** The names of the classes of all sources that were ever found. */
    private final Set<String> sourcesSeen = new HashSet<>();

    /** The files of the last version, or null before the first version. */
    private @Nullable Files version;

    /**
     * The files of a version.
     *
     * @param states the states of the files. The keys are those of {@link WatchedFiles}
     * @param hashes the hashes of the contents of the files, by the same keys
     */
    record Files(SortedMap<String, FileState> states, SortedMap<String, String> hashes) {}

    /** The result of a scan. */
    sealed interface ScanResult {
        /** The files are the same as those of the last version. */
        record Unchanged() implements ScanResult {}

        /**
         * The files are changing, or have changed a short time ago.
         *
         * @param what a description of the change, for messages
         */
        record Restless(String what) implements ScanResult {}

        /**
         * All classes of the application or of one of its libraries have gone. A build that still runs has deleted them, or a build that
         * has failed.
         *
         * @param where where the classes were, such as {@code WEB-INF/classes}
         */
        record ClassesGone(String where) implements ScanResult {}

        /** The files have stopped changing, and differ from the files of the last version. */
        record Changed(Files files) implements ScanResult {}
    }

    SourceChanges(SourceTree tree, Clock clock, ContentHashes hashes) {
        this.tree = tree;
        this.clock = clock;
        this.hashes = hashes;
    }

    /**
     * Returns the current files for the first version. Does not wait until the files have stopped changing.
     *
     * @throws IOException if a file cannot be read
     */
    Files now() throws IOException {
        seen = list();
        changedAt = clock.nanos();
        return new Files(seen, hashes.of(seen));
    }

    /** Scans the files of the source tree. */
    ScanResult scan() {
        try {
            return found(list());
        } catch (IOException e) {
            // A file may have been replaced during the scan.
            changedAt = clock.nanos();
            return new ScanResult.Restless(e.toString());
        }
    }

    private ScanResult found(SortedMap<String, FileState> now) throws IOException {
        Files last = version;
        if (last != null && now.equals(last.states())) {
            seen = now;
            if (hashes.areCurrent(now) || hashes.of(now).equals(last.hashes())) {
                return new ScanResult.Unchanged();
            }
        }
        if (!now.equals(seen)) {
            String what = difference(seen, now);
            seen = now;
            changedAt = clock.nanos();
            return new ScanResult.Restless(what);
        }
        long classesBefore = last == null ? 0 : classes(last.states());
        long classes = classes(now);
        Set<String> gone = last == null ? new TreeSet<>() : foldersOfClasses(last.states());
        gone.removeAll(foldersOfClasses(now));
        Duration rest = classes < classesBefore && gone.isEmpty() ? REST_AFTER_REMOVAL : REST;
        if (clock.nanos() - changedAt < Saturated.nanos(rest)) {
            return new ScanResult.Restless("the files have changed");
        }
        if (!gone.isEmpty()) {
            return new ScanResult.ClassesGone(String.join(", ", gone));
        }
        Files found = new Files(now, hashes.of(now));
        if (last != null && last.hashes().equals(found.hashes())) {
            // Modification times of files have changed. The contents are the same.
            version = found;
            return new ScanResult.Unchanged();
        }
        return new ScanResult.Changed(found);
    }

    /** The folders in which classes are: {@code WEB-INF/classes}, and the libraries that are folders. */
    private static Set<String> foldersOfClasses(Map<String, FileState> files) {
        Set<String> found = new TreeSet<>();
        for (String path : files.keySet()) {
            int inLibrary = path.indexOf(WatchedFiles.IN_LIBRARY);
            if (path.endsWith(CLASS) && inLibrary >= 0) {
                found.add(path.substring(0, inLibrary));
            } else if (path.endsWith(CLASS) && path.startsWith(WatchedFiles.CLASSES)) {
                found.add(WatchedFiles.CLASSES.substring(0, WatchedFiles.CLASSES.length() - 1));
            }
        }
        return found;
    }

    private static long classes(Map<String, FileState> files) {
        return files.keySet().stream().filter(path -> path.endsWith(CLASS)).count();
    }

    /**
     * Whether the source tree has exactly these files at the moment.
     *
     * @throws IOException if the files cannot be listed
     */
    boolean areStill(Files files) throws IOException {
        return list().equals(files.states());
    }

    /**
     * Lists the files without those classes that the server compiles. A build can write or delete these classes, and no version depends on
     * it. A class whose source was renamed or deleted is left out, too.
     */
    private SortedMap<String, FileState> list() throws IOException {
        SortedMap<String, FileState> found = WatchedFiles.of(tree);
        for (String source : WatchedFiles.sources(found).keySet()) {
            sourcesSeen.add(WatchedFiles.className(source));
        }
        if (!sourcesSeen.isEmpty()) {
            found.keySet().removeIf(this::isOfSource);
        }
        return found;
    }

    private boolean isOfSource(String path) {
        return path.startsWith(WatchedFiles.CLASSES)
                && path.endsWith(CLASS)
                && sourcesSeen.contains(WatchedFiles.outermost(
                        path.substring(WatchedFiles.CLASSES.length(), path.length() - CLASS.length())));
    }

    /** The names of the outermost classes of all sources that were ever found, such as {@code com/example/Shop}. */
    Set<String> sourcesSeen() {
        return sourcesSeen;
    }

    /** Called after a version has been made from these files, even if the version does not start. */
    void made(Files files) {
        version = files;
    }

    /** Called after files have changed while they were copied for a version. */
    void interrupted() {
        changedAt = clock.nanos();
    }

    /** Describes the difference of the files from the last version, for messages. */
    String differenceTo(Files files) {
        return difference(version == null ? Map.of() : version.hashes(), files.hashes());
    }

    private static String difference(Map<String, ?> before, Map<String, ?> now) {
        Set<String> all = new TreeSet<>(before.keySet());
        all.addAll(now.keySet());
        List<String> differing = new ArrayList<>();
        for (String path : all) {
            if (!Objects.equals(before.get(path), now.get(path))) {
                differing.add(path);
            }
        }
        int shown = Math.min(3, differing.size());
        String names = String.join(", ", differing.subList(0, shown));
        int more = differing.size() - shown;
        return more == 0 ? names : names + " and " + more + " more";
    }
}
