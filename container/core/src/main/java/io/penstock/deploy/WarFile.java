package io.penstock.deploy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** A web application as one file. */
final class WarFile {
    /** More members than any real application has; a guard against archives made to exhaust the disk's index. */
    static final int MAX_ENTRIES = 200_000;

    private WarFile() {}

    /**
     * Unpacks the archive into {@code target}, an existing directory.
     *
     * @throws DeploymentException if it is no archive, or names a member outside of itself
     */
    static void unpack(Path war, Path target) throws DeploymentException, IOException {
        try (ZipFile archive = new ZipFile(war.toFile())) {
            if (archive.size() > MAX_ENTRIES) {
                throw new DeploymentException("has " + archive.size() + " members, more than " + MAX_ENTRIES);
            }
            FileTime changed = Files.getLastModifiedTime(war);
            for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements(); ) {
                unpack(archive, entries.nextElement(), target, changed);
            }
        } catch (ZipException e) {
            throw new DeploymentException("is no WAR, and no zip file: " + e.getMessage(), e);
        }
    }

    private static void unpack(ZipFile archive, ZipEntry entry, Path target, FileTime changed)
            throws DeploymentException, IOException {
        Path file = inside(target, entry.getName());
        if (entry.isDirectory()) {
            Files.createDirectories(file);
            return;
        }
        Files.createDirectories(file.getParent());
        try (InputStream in = archive.getInputStream(entry)) {
            Files.copy(in, file);
        }
        // Validators depend on it. Not the member's own time, which reproducible builds keep fixed whatever changes.
        Files.setLastModifiedTime(file, changed);
    }

    /** Where a member goes; refuses names that lead anywhere else ("zip slip"). */
    private static Path inside(Path target, String name) throws DeploymentException {
        try {
            Path file = target.resolve(name).normalize();
            boolean absolute = name.startsWith("/") || name.startsWith("\\");
            if (!absolute && file.startsWith(target) && !file.equals(target)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw new DeploymentException("has a member with an impossible name: " + printable(name), e);
        }
        throw new DeploymentException("has a member that would be unpacked outside of it: " + printable(name));
    }

    private static String printable(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }
}
