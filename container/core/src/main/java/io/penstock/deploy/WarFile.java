package io.penstock.deploy;

import io.penstock.limits.Key;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Enumeration;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/** Unpacks a web application archive. Thread: one thread at a time. */
final class WarFile {
    /**
     * The largest number of members of an archive, and of the files and folders that it makes. One member can make thousands of folders.
     * Without this limit, a malicious archive could use up the inodes of the file system. Real applications have far fewer members.
     */
    static final int MAX_ENTRIES = 200_000;

    private static final int BUFFER = 64 * 1024;

    private final Path target;
    private final FileTime changed;
    private final long limit;
    private final int most;
    private final byte[] buffer = new byte[BUFFER];
    private long unpacked;
    private int made;

    private WarFile(Path target, FileTime changed, long limit, int most) {
        this.target = target;
        this.changed = changed;
        this.limit = limit;
        this.most = most;
    }

    /** The unpacked archive exceeds the limit of bytes ({@code unpacked-limit}). */
    static final class TooLargeException extends DeploymentException {
        TooLargeException(long limit) {
            super("unpacks to more than " + limit + " bytes (" + Key.UNPACKED_LIMIT.id() + ")");
        }
    }

    /**
     * Unpacks the archive into {@code target}, an existing directory. After a failure, the directory contains the members that have been
     * unpacked before the failure.
     *
     * @param limit the largest total size of the unpacked members, in bytes; 0 means no limit. The unpacked bytes are counted, because the
     *     archive can declare false sizes
     * @throws TooLargeException if the members have more bytes than {@code limit}
     * @throws DeploymentException if the file is not an archive, or if the path of a member leads out of {@code target}
     */
    static void unpack(Path war, Path target, long limit) throws DeploymentException, IOException {
        unpack(war, target, limit, MAX_ENTRIES);
    }

    /** @param most the largest number of files and folders */
    static void unpack(Path war, Path target, long limit, int most) throws DeploymentException, IOException {
        try (ZipFile archive = new ZipFile(war.toFile())) {
            if (archive.size() > most) {
                throw new DeploymentException("has " + archive.size() + " members, more than " + most);
            }
            WarFile file = new WarFile(target, Files.getLastModifiedTime(war), limit, most);
            for (Enumeration<? extends ZipEntry> entries = archive.entries(); entries.hasMoreElements(); ) {
                file.unpack(archive, entries.nextElement());
            }
        } catch (ZipException e) {
            throw new DeploymentException("is not a WAR: it is not a zip file: " + e.getMessage(), e);
        }
    }

    private void unpack(ZipFile archive, ZipEntry entry) throws DeploymentException, IOException {
        Path file = inside(target, entry.getName());
        if (entry.isDirectory()) {
            makeFolders(file);
            return;
        }
        makeFolders(Objects.requireNonNull(file.getParent()));
        count(1);
        try (InputStream in = archive.getInputStream(entry);
                OutputStream out = Files.newOutputStream(file, StandardOpenOption.CREATE_NEW)) {
            copy(in, out);
        } catch (FileAlreadyExistsException e) {
            throw new DeploymentException("has two members with the name " + printable(entry.getName()), e);
        }
        // Validators such as Last-Modified depend on the modification time. The time in the archive is not used,
        // because reproducible builds set this time to a constant.
        Files.setLastModifiedTime(file, changed);
    }

    /** Makes the folder and the missing folders above it. */
    private void makeFolders(Path folder) throws DeploymentException, IOException {
        int missing = 0;
        for (Path each = folder; each != null && !Files.isDirectory(each); each = each.getParent()) {
            missing++;
        }
        if (missing > 0) {
            count(missing);
            Files.createDirectories(folder);
        }
    }

    private void count(int more) throws DeploymentException {
        made += more;
        if (made > most) {
            throw new DeploymentException("unpacks to more than " + most + " files and folders");
        }
    }

    private void copy(InputStream in, OutputStream out) throws TooLargeException, IOException {
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            unpacked += read;
            if (limit > 0 && unpacked > limit) {
                throw new TooLargeException(limit);
            }
            out.write(buffer, 0, read);
        }
    }

    /** The file for a member. Rejects paths that lead out of {@code target} ("zip slip"). */
    private static Path inside(Path target, String name) throws DeploymentException {
        try {
            Path file = target.resolve(name).normalize();
            boolean absolute = name.startsWith("/") || name.startsWith("\\");
            if (!absolute && file.startsWith(target) && !file.equals(target)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw new DeploymentException("has a member with an invalid name: " + printable(name), e);
        }
        throw new DeploymentException("has a member whose path leads out of the archive: " + printable(name));
    }

    private static String printable(String name) {
        return name.replaceAll("\\p{Cntrl}", "?");
    }
}
