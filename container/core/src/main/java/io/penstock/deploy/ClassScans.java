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
 * Reads the class files of an application: each folder or jar once, several in parallel. Measures the time.
 *
 * <p>Thread: one. While it reads, it also uses the common pool.
 */
final class ClassScans {
    private final ApplicationFiles files;
    private final Map<Path, AnnotationScanner.Scan> scans = new HashMap<>();
    private long nanos;

    ClassScans(ApplicationFiles files) {
        this.files = files;
    }

    /** The result for one folder or jar: its classes, or a failure. */
    private record Outcome(
            Path place,
            AnnotationScanner.@Nullable Scan scan,
            @Nullable Exception failure) {}

    /** Reads the folders and jars that have not been read yet. If several fail, throws the failure of the first folder or jar. */
    void read(Collection<Path> places) throws DeploymentException, IOException {
        long begin = System.nanoTime();
        List<Outcome> outcomes = places.stream().filter(place -> !scans.containsKey(place)).toList().parallelStream()
                .map(this::scan)
                .toList();
        nanos += System.nanoTime() - begin;
        for (Outcome outcome : outcomes) {
            if (outcome.failure instanceof DeploymentException failure) {
                throw failure;
            } else if (outcome.failure instanceof IOException failure) {
                throw failure;
            } else if (outcome.scan != null) {
                scans.put(outcome.place, outcome.scan);
            }
        }
    }

    private Outcome scan(Path place) {
        try {
            AnnotationScanner.Scan scan = place.equals(files.classes())
                    ? AnnotationScanner.folder(place, ApplicationFiles.CLASSES)
                    : AnnotationScanner.jar(place, Fragment.place(place));
            return new Outcome(place, scan, null);
        } catch (DeploymentException | IOException e) {
            return new Outcome(place, null, e);
        }
    }

    AnnotationScanner.Scan of(Path place) throws DeploymentException, IOException {
        read(List.of(place));
        AnnotationScanner.Scan scan = scans.get(place);
        if (scan == null) {
            throw new IOException(place + " has not been read");
        }
        return scan;
    }

    /** Calls {@code to} with each class that has been read, and its folder or jar. */
    void forEach(BiConsumer<Path, ClassFacts> to) {
        scans.forEach((place, scan) -> scan.classes().forEach(facts -> to.accept(place, facts)));
    }

    /** The class of that name, if it has been read. */
    @Nullable
    ClassFacts find(String className) {
        return scans.values().stream()
                .flatMap(scan -> scan.classes().stream())
                .filter(facts -> facts.name().equals(className))
                .findFirst()
                .orElse(null);
    }

    /** Describes the work so far, for the log; null if nothing has been read. */
    @Nullable
    String cost() {
        int classes =
                scans.values().stream().mapToInt(scan -> scan.classes().size()).sum();
        if (classes == 0) {
            return null;
        }
        long jars = scans.keySet().stream()
                .filter(place -> !place.equals(files.classes()))
                .count();
        // No String.format here: its first use takes longer than the scan of a small application.
        int all = files.libraries().size();
        return "looked for annotations in " + classes + " classes of " + ApplicationFiles.CLASSES
                + (all == 0 ? "" : " and of " + jars + " of " + all + " jars") + ": "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }
}
