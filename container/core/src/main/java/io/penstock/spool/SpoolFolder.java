package io.penstock.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The private folder of one server's spool files. It belongs to the server's user alone, and a lock beside it says that its server
 * lives: what a server that crashed has left is removed by the next one that starts.
 *
 * <p>A spool file has a name only for the moment between its creation and its opening: it is deleted as soon as it is open, so that
 * the system frees its bytes with the channel, whatever becomes of the server.
 *
 * <p>Thread: {@link #create} and {@link #close} the server's owner, {@link #newFile} spool threads.
 */
final class SpoolFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolFolder.class);
    private static final String PREFIX = "penstock-spool-";
    private static final String LOCK_SUFFIX = ".lock";
    private static final Set<PosixFilePermission> OWNER_ENTERS = PosixFilePermissions.fromString("rwx------");
    private static final Set<PosixFilePermission> OWNER_READS = PosixFilePermissions.fromString("rw-------");

    private final Path folder;
    private final Path lockFile;
    private final FileChannel lock;

    private SpoolFolder(Path folder, Path lockFile, FileChannel lock) {
        this.folder = folder;
        this.lockFile = lockFile;
        this.lock = lock;
    }

    /**
     * Makes a folder inside {@code parent}, which must exist, and removes those of servers that are gone.
     *
     * @throws IOException if nothing can be made there
     */
    static SpoolFolder create(Path parent) throws IOException {
        removeStale(parent);
        while (true) {
            String name = PREFIX + UUID.randomUUID();
            Path lockFile = parent.resolve(name + LOCK_SUFFIX);
            FileChannel lock = FileChannel.open(
                    lockFile,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    ownerOnly(parent, OWNER_READS));
            try {
                if (lock.tryLock() != null && Files.exists(lockFile)) { // else a server that starts took it for stale
                    Path folder = parent.resolve(name);
                    Files.createDirectory(folder, ownerOnly(parent, OWNER_ENTERS));
                    return new SpoolFolder(folder, lockFile, lock);
                }
            } catch (IOException | RuntimeException e) {
                lock.close();
                Files.deleteIfExists(lockFile);
                throw e;
            }
            lock.close();
        }
    }

    /** An open file without a name, for reading and writing. */
    FileChannel newFile() throws IOException {
        try {
            return openUnnamed();
        } catch (NoSuchFileException e) {
            // Whoever tidies up temporary folders has removed ours, which is empty nearly all the time.
            LOG.info("The spool folder {} has been removed; it is made again", folder);
            makeAgain();
            return openUnnamed();
        }
    }

    private FileChannel openUnnamed() throws IOException {
        Path file = folder.resolve(UUID.randomUUID().toString());
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                ownerOnly(folder, OWNER_READS));
        try {
            Files.delete(file);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    private synchronized void makeAgain() throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            Files.createDirectory(folder, ownerOnly(folder.getParent(), OWNER_ENTERS));
        }
    }

    Path path() {
        return folder;
    }

    void close() throws IOException {
        try {
            remove(folder);
            Files.deleteIfExists(lockFile);
        } finally {
            lock.close();
        }
    }

    /** Files that nobody else can read where the file system knows of permissions. */
    private static FileAttribute<?>[] ownerOnly(@Nullable Path where, Set<PosixFilePermission> permissions) {
        boolean posix = where != null
                && where.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(permissions)}
                : new FileAttribute<?>[0];
    }

    // ---- what others have left

    private static void removeStale(Path parent) throws IOException {
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, PREFIX + "*" + LOCK_SUFFIX)) {
            for (Path lockFile : locks) {
                try {
                    removeIfStale(lockFile);
                } catch (IOException e) {
                    // Another user's, or one that another server removes at this moment: neither is ours to mend.
                    LOG.debug("{} was left alone", lockFile, e);
                }
            }
        }
    }

    private static void removeIfStale(Path lockFile) throws IOException {
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            try (FileLock lock = channel.tryLock()) {
                if (lock == null) {
                    return; // its server lives
                }
                String name = lockFile.getFileName().toString();
                remove(lockFile.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length())));
                Files.deleteIfExists(lockFile);
                LOG.info("Removed the spool folder of a server that ended without removing it: {}", name);
            } catch (OverlappingFileLockException e) {
                LOG.debug("{} is another server's in this process", lockFile, e);
            }
        }
    }

    /** A spool folder is flat; a link in its place is removed, not followed. */
    private static void remove(Path folder) throws IOException {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
                for (Path file : files) {
                    Files.delete(file);
                }
            }
        }
        Files.deleteIfExists(folder);
    }
}
