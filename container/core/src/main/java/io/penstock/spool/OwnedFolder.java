package io.penstock.spool;

import io.penstock.limits.FileClaim;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A private folder for files that are needed only while the server runs. Only the operating system user of the server has access. While the
 * server runs, it holds a lock on a lock file beside the folder. Before a server makes its folder, it removes the folders of crashed
 * servers in the same parent folder.
 *
 * <p>Thread: the owner calls {@link #create} and {@link #close}. Any thread may call {@link #makeAgain}.
 */
public final class OwnedFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedFolder.class);
    private static final String PREFIX = "penstock-";
    private static final String LOCK_SUFFIX = ".lock";
    private static final Set<PosixFilePermission> OWNER_ENTERS = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNER_READS = PosixFilePermissions.fromString("rw-------");

    private final Path folder;
    private final Path lockFile;
    private final FileClaim claim;
    private final FileChannel lock;

    private OwnedFolder(Path folder, Path lockFile, FileClaim claim, FileChannel lock) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.claim = claim;
        this.lock = lock;
    }

    /**
     * Removes the folders of servers that do not run any more, and makes a new folder.
     *
     * @param parent an existing folder for the new folder; null for the temporary folder of the system
     * @param purpose a part of the folder's name, which helps operators to recognise the folder
     * @throws IOException if the folder cannot be made
     */
    public static OwnedFolder create(@Nullable Path parent, String purpose) throws IOException {
        Path base = (parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent).toRealPath();
        removeStale(base);
        while (true) {
            String name = PREFIX + purpose + "-" + uniqueName();
            Path lockFile = base.resolve(name + LOCK_SUFFIX);
            FileClaim claim = Objects.requireNonNull(FileClaim.of(lockFile), "the name is new");
            OwnedFolder made = null;
            try {
                made = lockAndCreate(base.resolve(name), lockFile, claim);
            } finally {
                if (made == null) {
                    claim.close();
                }
            }
            if (made != null) {
                return made;
            }
        }
    }

    /**
     * Makes a random name. The name need not be secret, because the server never uses existing files and folders. So the random numbers
     * need not be secure; a secure generator would delay the start of the server.
     */
    private static UUID uniqueName() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong());
    }

    /**
     * Makes and locks the lock file, then makes the folder. Returns null if another process has locked or removed the lock file meanwhile.
     * A process that starts at the same time can do this, because the new file looks like the lock file of a crashed server.
     */
    private static @Nullable OwnedFolder lockAndCreate(Path folder, Path lockFile, FileClaim claim) throws IOException {
        FileChannel lock = FileChannel.open(
                lockFile,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly(folder, OWNER_READS));
        try {
            if (lock.tryLock() != null && Files.exists(lockFile)) {
                Files.createDirectory(folder, ownerOnly(folder, OWNER_ENTERS));
                return new OwnedFolder(folder, lockFile, claim, lock);
            }
        } catch (IOException | RuntimeException e) {
            lock.close();
            Files.deleteIfExists(lockFile);
            throw e;
        }
        lock.close();
        return null;
    }

    public Path path() {
        return folder;
    }

    /** The attributes for files in the folder. If the file system has permissions, only the owner may read the files. */
    FileAttribute<?>[] readableByOwner() {
        return ownerOnly(folder, OWNER_READS);
    }

    /** Makes the folder again if it has been deleted. */
    synchronized void makeAgain() throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(folder, ownerOnly(folder, OWNER_ENTERS));
        }
    }

    /** Removes the folder with its contents. A second call has no effect. */
    @Override
    public void close() throws IOException {
        try {
            remove(folder);
            Files.deleteIfExists(lockFile);
        } finally {
            lock.close();
            claim.close();
        }
    }

    /**
     * Removes the folder with its contents after the last shutdown hook of the JVM. May only be called while the shutdown hooks run. If the
     * JVM is killed before, the next server removes the folder.
     */
    public void closeAfterHooks() throws IOException {
        try {
            // The JVM deletes the files in the reverse order of their registration.
            lockFile.toFile().deleteOnExit();
            Files.walkFileTree(folder, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    directory.toFile().deleteOnExit();
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    file.toFile().deleteOnExit();
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IllegalStateException hooksHaveEnded) {
            close();
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path where, Set<PosixFilePermission> permissions) {
        return where.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    // ---- folders of other servers

    private static void removeStale(Path base) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(base, PREFIX + "*" + LOCK_SUFFIX)) {
            for (Path lockFile : locks) {
                removeUnlessOthers(lockFile);
            }
        }
    }

    private static void removeUnlessOthers(Path lockFile) {
        try (FileClaim claim = FileClaim.of(lockFile)) {
            if (claim != null) {
                removeIfStale(lockFile);
            }
        } catch (IOException e) {
            // The folder belongs to another user, or another server is removing the folder. So this server ignores the
            // folder.
            LOG.debug("{} was not removed", lockFile, e);
        }
    }

    private static void removeIfStale(Path lockFile) throws IOException {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                // The server of this lock file is running.
                return;
            }
            String name = lockFile.getFileName().toString();
            remove(lockFile.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length())));
            Files.deleteIfExists(lockFile);
            LOG.info("Removed the folder of a server that ended without removing it: {}", name);
        } catch (OverlappingFileLockException e) {
            LOG.debug("{} belongs to another server in this process", lockFile, e);
        }
    }

    /** Removes a folder with its contents. A symbolic link is removed, and its target is not changed. */
    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                if (failure != null) {
                    throw failure;
                }
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
