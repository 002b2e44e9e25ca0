package io.penstock.deploy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the class files of an application. Each folder or jar is read once. Several folders and jars are read in parallel. The time for
 * reading is measured.
 *
 * <p>Thread: one thread at a time. {@link #read} also uses the threads of the common pool.
 */
final class ClassScans {
    private final ApplicationFiles files;
    private final Map<Path, AnnotationScanner.Scan> scans = new HashMap<>();
    private long nanos;

    ClassScans(ApplicationFiles files) {
        this.files = files;
    }

    /** The result for one folder or jar: the scan, or a failure. */
    private record Outcome(
            Path entry,
            AnnotationScanner.@Nullable Scan scan,
            @Nullable Exception failure) {}

    /**
     * Reads the folders and jars of {@code entries} that have not been read before. If several of them fail, the exception of the first is
     * thrown.
     */
    void read(Collection<Path> entries) throws DeploymentException, IOException {
        long begin = System.nanoTime();
        List<Outcome> outcomes = entries.stream().filter(entry -> !scans.containsKey(entry)).toList().parallelStream()
                .map(this::scan)
                .toList();
        nanos += System.nanoTime() - begin;
        for (Outcome outcome : outcomes) {
            if (outcome.failure instanceof DeploymentException failure) {
                throw failure;
            } else if (outcome.failure instanceof IOException failure) {
                throw failure;
            } else if (outcome.scan != null) {
                scans.put(outcome.entry, outcome.scan);
            }
        }
    }

    private Outcome scan(Path entry) {
        try {
            AnnotationScanner.Scan scan = entry.equals(files.classes())
                    ? AnnotationScanner.folder(entry, ApplicationFiles.CLASSES)
                    : AnnotationScanner.jar(entry, Fragment.path(entry));
            return new Outcome(entry, scan, null);
        } catch (DeploymentException | IOException e) {
            return new Outcome(entry, null, e);
        }
    }

    AnnotationScanner.Scan of(Path entry) throws DeploymentException, IOException {
        read(List.of(entry));
        AnnotationScanner.Scan scan = scans.get(entry);
        if (scan == null) {
            throw new IOException(entry + " has not been read");
        }
        return scan;
    }

    /** Calls {@code to} for each class that has been read, with the folder or jar of the class. */
    void forEach(BiConsumer<Path, ClassFacts> to) {
        scans.forEach((entry, scan) -> scan.classes().forEach(facts -> to.accept(entry, facts)));
    }

    /** The class with the given name, or null if no such class has been read. */
    @Nullable
    ClassFacts find(String className) {
        return scans.values().stream()
                .flatMap(scan -> scan.classes().stream())
                .filter(facts -> facts.name().equals(className))
                .findFirst()
                .orElse(null);
    }

    /** Describes the number of classes and the time, for the log. Returns null if no class has been read. */
    @Nullable
    String cost() {
        int classes =
                scans.values().stream().mapToInt(scan -> scan.classes().size()).sum();
        if (classes == 0) {
            return null;
        }
        long jars = scans.keySet().stream()
                .filter(entry -> !entry.equals(files.classes()))
                .count();
        // The first use of String.format takes longer than the scan of a small application, so the text is
        // concatenated.
        int all = files.libraries().size();
        return "looked for annotations in " + classes + " classes of " + ApplicationFiles.CLASSES
                + (all == 0 ? "" : " and of " + jars + " of " + all + " jars") + ": "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }
}
