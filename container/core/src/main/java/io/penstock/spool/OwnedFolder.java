package io.penstock.spool;

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
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A private folder for files that need not outlive the server. Only the server's user has access. A lock file beside the folder shows
 * that its server is running. The next server that makes a folder in the same place removes the folders of crashed servers.
 *
 * <p>Thread: the owner calls {@link #create} and {@link #close}; any thread calls {@link #makeAgain}.
 */
public final class OwnedFolder implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OwnedFolder.class);
    private static final String PREFIX = "penstock-";
    private static final String LOCK_SUFFIX = ".lock";
    private static final Set<PosixFilePermission> OWNER_ENTERS = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNER_READS = PosixFilePermissions.fromString("rw-------");

    /** Lock files of this process. A check must not open such a file, since closing its channel would release the lock. */
    private static final Set<Path> OURS = ConcurrentHashMap.newKeySet();

    private final Path folder;
    private final Path lockFile;
    private final FileChannel lock;

    private OwnedFolder(Path folder, Path lockFile, FileChannel lock) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Makes a folder and removes the folders of servers that have ended.
     *
     * @param parent an existing folder; null for the system's temporary one
     * @param purpose part of the folder's name, for people
     * @throws IOException if no folder can be made there
     */
    public static OwnedFolder create(@Nullable Path parent, String purpose) throws IOException {
        Path place = (parent == null ? Path.of(System.getProperty("java.io.tmpdir")) : parent).toRealPath();
        removeStale(place);
        while (true) {
            String name = PREFIX + purpose + "-" + uniqueName();
            Path lockFile = place.resolve(name + LOCK_SUFFIX);
            OURS.add(lockFile);
            OwnedFolder made = null;
            try {
                made = lockAndCreate(place.resolve(name), lockFile);
            } finally {
                if (made == null) {
                    OURS.remove(lockFile);
                }
            }
            if (made != null) {
                return made;
            }
        }
    }

    /**
     * The name is not a secret, since existing files and folders are never used. So it needs no secure random numbers, which would delay
     * the start of the server.
     */
    private static UUID uniqueName() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong());
    }

    /** Null if another process that is starting has mistaken the lock file for the file of a crashed server. */
    private static @Nullable OwnedFolder lockAndCreate(Path folder, Path lockFile) throws IOException {
        FileChannel lock = FileChannel.open(
                lockFile,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                ownerOnly(folder, OWNER_READS));
        try {
            if (lock.tryLock() != null && Files.exists(lockFile)) {
                Files.createDirectory(folder, ownerOnly(folder, OWNER_ENTERS));
                return new OwnedFolder(folder, lockFile, lock);
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

    /** Attributes for files in the folder: only the owner may read them, if the file system has permissions. */
    FileAttribute<?>[] readableByOwner() {
        return ownerOnly(folder, OWNER_READS);
    }

    /** Makes the folder again after somebody has deleted it. */
    synchronized void makeAgain() throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(folder, ownerOnly(folder, OWNER_ENTERS));
        }
    }

    /** Removes the folder with its contents. Idempotent. */
    @Override
    public void close() throws IOException {
        try {
            remove(folder);
            Files.deleteIfExists(lockFile);
        } finally {
            lock.close();
            OURS.remove(lockFile);
        }
    }

    private static FileAttribute<?>[] ownerOnly(Path where, Set<PosixFilePermission> permissions) {
        return where.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    // ---- folders of other servers

    private static void removeStale(Path place) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(place, PREFIX + "*" + LOCK_SUFFIX)) {
            for (Path lockFile : locks) {
                if (!OURS.contains(lockFile)) {
                    removeUnlessOthers(lockFile);
                }
            }
        }
    }

    private static void removeUnlessOthers(Path lockFile) {
        try {
            removeIfStale(lockFile);
        } catch (IOException e) {
            // It belongs to another user, or another server is removing it: leave it.
            LOG.debug("{} was not removed", lockFile, e);
        }
    }

    private static void removeIfStale(Path lockFile) throws IOException {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return; // its server is running
            }
            String name = lockFile.getFileName().toString();
            remove(lockFile.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length())));
            Files.deleteIfExists(lockFile);
            LOG.info("Removed the folder of a server that ended without removing it: {}", name);
        } catch (OverlappingFileLockException e) {
            LOG.debug("{} belongs to another server in this process", lockFile, e);
        }
    }

    /** A link is removed, not followed. */
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
