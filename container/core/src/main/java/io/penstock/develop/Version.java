package io.penstock.develop;

import io.penstock.spool.OwnedFolder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the files of one version, in the layout of an exploded web application. The server uses only the copy, so a compiler cannot
 * change a version that is in service. If the file system supports hard links, unchanged files are hard links to the files of the previous
 * version.
 *
 * <p>Thread: one thread at a time. Owns: the folder of the copy, until {@link #close}.
 */
final class Version implements AutoCloseable {
    private final OwnedFolder folder;
    private final SourceChanges.Files files;

    private Version(OwnedFolder folder, SourceChanges.Files files) {
        this.folder = folder;
        this.files = files;
    }

    /**
     * Copies the files.
     *
     * @param temporary the folder in which the copy is made, or null for the system's temporary folder
     * @param before the previous version, whose unchanged files are shared, or null if there is no previous version
     * @throws IOException if a file cannot be read, for example because it has been deleted
     */
    static Version of(SourceChanges.Files files, @Nullable Path temporary, @Nullable Version before)
            throws IOException {
        OwnedFolder folder = OwnedFolder.create(temporary, "development");
        try {
            Version version = new Version(folder, files);
            version.copyAll(before);
            return version;
        } catch (IOException | RuntimeException | Error e) {
            folder.close();
            throw e;
        }
    }

    Path path() {
        return folder.path();
    }

    private void copyAll(@Nullable Version before) throws IOException {
        Files.createDirectory(path().resolve("WEB-INF"));
        Map<String, SortedMap<String, FileState>> packed = new TreeMap<>();
        for (Map.Entry<String, FileState> file : files.states().entrySet()) {
            String name = file.getKey();
            int inLibrary = name.indexOf(WatchedFiles.IN_LIBRARY);
            if (inLibrary >= 0) {
                packed.computeIfAbsent(name.substring(0, inLibrary), library -> new TreeMap<>())
                        .put(name.substring(inLibrary + WatchedFiles.IN_LIBRARY.length()), file.getValue());
            } else if (before == null || !before.has(name, files) || !share(name, before)) {
                Path target = made(name);
                Files.copy(file.getValue().file(), target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        for (Map.Entry<String, SortedMap<String, FileState>> library : packed.entrySet()) {
            if (before == null || !before.hasLibrary(library.getKey(), files) || !share(library.getKey(), before)) {
                pack(library.getValue(), made(library.getKey()));
            }
        }
    }

    /** Returns the path of a file in this version, and creates the folder of the file. */
    private Path made(String name) throws IOException {
        Path target = path().resolve(name);
        Files.createDirectories(target.getParent());
        return target;
    }

    private boolean has(String name, SourceChanges.Files other) {
        String hash = files.hashes().get(name);
        return hash != null && hash.equals(other.hashes().get(name));
    }

    private boolean hasLibrary(String library, SourceChanges.Files other) {
        String from = library + WatchedFiles.IN_LIBRARY;
        // The end of the range is exclusive. The character '0' comes directly after '/', so the range has exactly the
        // files of this library.
        String to = library + "!0";
        return files.hashes().subMap(from, to).equals(other.hashes().subMap(from, to));
    }

    private boolean share(String name, Version before) throws IOException {
        Path present = before.path().resolve(name);
        Path target = made(name);
        try {
            Files.createLink(target, present);
            return true;
        } catch (UnsupportedOperationException | IOException e) {
            // This file system has no hard links, so the caller copies the file.
            return false;
        }
    }

    private static void pack(SortedMap<String, FileState> library, Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(out)) {
            packed.setLevel(Deflater.NO_COMPRESSION);
            for (Map.Entry<String, FileState> file : library.entrySet()) {
                JarEntry entry = new JarEntry(file.getKey());
                entry.setLastModifiedTime(file.getValue().changed());
                packed.putNextEntry(entry);
                Files.copy(file.getValue().file(), packed);
                packed.closeEntry();
            }
        }
    }

    @Override
    public void close() throws IOException {
        folder.close();
    }
}
