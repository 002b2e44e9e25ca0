package io.penstock.loadtest.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Creates and deletes temporary folders. Folders that still exist at the end of this JVM are deleted then. Thread: any. */
final class Folders {
    private static final Set<Path> LEFT = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Folders::deleteAll, "temporary folders"));
    }

    private Folders() {}

    static Path create(String prefix) throws IOException {
        Path folder = Files.createTempDirectory(prefix);
        LEFT.add(folder);
        return folder;
    }

    private static void deleteAll() {
        for (Path folder : LEFT) {
            try {
                delete(folder);
            } catch (IOException busy) {
                System.err.println("Not deleted, since a server still used it: " + folder + " (" + busy + ")");
            }
        }
    }

    static void delete(Path folder) throws IOException {
        LEFT.remove(folder);
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.deleteIfExists(path);
        }
    }
}
