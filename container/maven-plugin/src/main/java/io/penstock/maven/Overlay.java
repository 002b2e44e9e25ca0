package io.penstock.maven;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** An overlay is a WAR with additional files for an application. Files of the application replace files of the overlay. Thread: one. */
final class Overlay {
    private Overlay() {}

    /**
     * Unpacks the archive into a folder, and removes all other files from the folder. If the same archive was already unpacked into the
     * folder, the method does nothing, because another server might use the folder. A mark file next to the folder contains the name, size
     * and time of the unpacked archive.
     */
    static void unpack(Path war, Path folder) throws IOException {
        Path mark = folder.resolveSibling(folder.getFileName() + ".of");
        String state = war + "\n" + Files.size(war) + "\n" + Files.getLastModifiedTime(war) + "\n";
        if (Files.isDirectory(folder)
                && Files.exists(mark)
                && Files.readString(mark).equals(state)) {
            return;
        }
        Files.deleteIfExists(mark);
        delete(folder);
        unpackAll(war, folder);
        Files.writeString(mark, state);
    }

    private static void unpackAll(Path war, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (ZipFile archive = new ZipFile(war.toFile())) {
            for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements(); ) {
                ZipEntry entry = entries.nextElement();
                Path file = folder.resolve(entry.getName()).normalize();
                if (!file.startsWith(folder)) {
                    throw new IOException(war + ": the path of a member leads out of it: " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                    continue;
                }
                Files.createDirectories(file.getParent());
                try (InputStream in = archive.getInputStream(entry)) {
                    Files.copy(in, file);
                }
                Files.setLastModifiedTime(file, entry.getLastModifiedTime());
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> files;
        try (Stream<Path> walked = Files.walk(folder)) {
            files = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
