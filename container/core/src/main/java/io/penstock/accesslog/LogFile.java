package io.penstock.accesslog;

import io.penstock.limits.AccessLogging;
import io.penstock.limits.AccessLogging.Rotate;
import io.penstock.limits.FileClaim;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The destination of the log's lines. This is a regular file, a special file such as a named pipe, or the standard output. A regular file
 * is archived when it is large or old enough. Only the owner and the group can read a new file, because the file contains data about
 * clients.
 *
 * <p>Thread: {@link #check}: the thread that starts the server, before the {@link LogWriter} begins. The other methods: the log writer;
 * these methods can wait for a disk for any time. Owns: the open file. After a failure, the file stays open and receives the next lines.
 */
final class LogFile {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    /** The group can read the file, for the operator's tools. Other users cannot read it, because the content is confidential. */
    private static final String PERMISSIONS = "rw-r-----";

    private final @Nullable Path path;
    private final Rotate rotate;
    private final long rotateSize;
    private final @Nullable Archive archive;
    private final InstantSource clock;
    private final ZoneId zone;

    /** Held from {@link #check} until {@link #close}, also while the file is opened again. Null if the file is not archived. */
    private @Nullable FileClaim claim;

    private @Nullable WritableByteChannel channel;
    private long size;
    private End end = End.NOTHING;
    private LocalDate day = LocalDate.EPOCH;

    /** The end of the file's content. */
    enum End {
        NOTHING,
        WHOLE_LINE,
        /** The last line is incomplete, because a server process was killed or its disk was full. */
        PART_OF_LINE
    }

    LogFile(AccessLogging config, InstantSource clock, ZoneId zone) {
        this.rotate = config.rotate();
        this.rotateSize = config.rotateSize();
        this.clock = clock;
        this.zone = zone;
        boolean rotates = rotate != Rotate.NEVER || rotateSize > 0;
        Path given = config.file();
        this.path = given != null && rotates ? linkTarget(given) : given;
        this.archive = path != null && rotates ? new Archive(path, config.keep()) : null;
    }

    /** Resolves a symbolic link to its target. So the server archives the target in the target's folder, and does not move the link. */
    private static Path linkTarget(Path given) {
        try {
            return Files.isSymbolicLink(given) && Files.isRegularFile(given) ? given.toRealPath() : given;
        } catch (IOException e) {
            // A later call of open() will report the failure.
            return given;
        }
    }

    /** Checks that the file can be written. A special file is not opened, because the opening of a named pipe could wait for a reader. */
    void check() throws IOException {
        requireFolder();
        if (path == null || !Files.exists(path) || Files.isRegularFile(path)) {
            openForThisServer();
        } else if (Files.isDirectory(path)) {
            throw new FileSystemException(path.toString(), null, "is a directory");
        } else if (!Files.isWritable(path)) {
            throw new FileSystemException(path.toString(), null, "cannot be written");
        }
    }

    /** Opens the file. If the server archives the file, no other server may do so. */
    private void openForThisServer() throws IOException {
        if (path == null || archive == null) {
            open();
            return;
        }
        FileClaim claimed = FileClaim.of(path);
        if (claimed == null) {
            throw inUse(path);
        }
        boolean alone = false;
        try {
            WritableByteChannel opened = open();
            alone = lock(opened);
            if (!alone) {
                opened.close();
                throw inUse(path);
            }
            claim = claimed;
        } finally {
            if (!alone) {
                claimed.close();
            }
        }
    }

    private static FileSystemException inUse(Path file) {
        return new FileSystemException(
                file.toString(), null, "another server writes and archives it; each server needs its own file");
    }

    private void requireFolder() throws FileSystemException {
        Path folder = path == null ? null : path.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new FileSystemException(String.valueOf(path), null, "no such folder; create it first");
        }
    }

    /** Writes one or more of the bytes, but not always all of them. */
    void write(ByteBuffer bytes) throws IOException {
        WritableByteChannel open = channel;
        if (open == null || !open.isOpen()) {
            open = open();
        }
        size += open.write(bytes);
        // If the end of a line is missing, the caller writes the missing bytes next.
        end = End.WHOLE_LINE;
    }

    /**
     * The end of the file's content, before the next lines are written. The result is {@link End#PART_OF_LINE} only if the last line was
     * already incomplete when the file was opened.
     */
    End end() {
        return end;
    }

    /** If the file has reached the configured size or its day is over, archives the file and begins a new file. */
    void rotateIfDue() throws IOException {
        if (path == null || archive == null || channel == null || size == 0) {
            return;
        }
        boolean tooLarge = rotateSize > 0 && size >= rotateSize;
        boolean tooOld = rotate == Rotate.DAILY && isOver(day);
        if ((tooLarge || tooOld) && Files.isRegularFile(path)) {
            Path archived = archive.nextName(clock.instant());
            Files.move(path, archived);
            try {
                reopen();
            } catch (IOException e) {
                // The next lines are written to the former file.
                Files.move(archived, path);
                throw e;
            }
            archive.added();
        }
    }

    /** Opens a file with the log's name, after the former file has been moved. */
    void reopen() throws IOException {
        if (path == null) {
            return;
        }
        WritableByteChannel former = channel;
        WritableByteChannel present = open();
        if (former != null) {
            // Close before lock(): a close releases all locks of this process on the file.
            former.close();
        }
        // The result is ignored, because check() has already excluded other servers.
        lock(present);
    }

    /**
     * Locks the file, because two servers that archive the same file would lose lines. Returns false if another server has the lock.
     * Returns true if the file system does not support locks.
     */
    private boolean lock(WritableByteChannel open) {
        if (archive == null || !(open instanceof FileChannel file)) {
            return true;
        }
        try {
            // The lock is held until the channel is closed.
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another server in this process has the lock
        } catch (IOException e) {
            LOG.debug("The file system of {} does not support locks", path, e);
            return true;
        }
    }

    /** Compresses a slice of an archived file. Returns whether more slices might follow. */
    boolean tidy() throws IOException {
        if (archive == null || !archive.isBusy()) {
            return false;
        }
        archive.pack();
        return archive.isBusy();
    }

    /** Closes the file. The standard output stays open, because it belongs to the whole process. */
    void close() throws IOException {
        FileClaim claimed = claim;
        WritableByteChannel opened = path == null ? null : channel;
        try (claimed;
                opened) {
            if (archive != null) {
                archive.stop();
            }
        }
    }

    private WritableByteChannel open() throws IOException {
        if (path == null) {
            channel = new FileOutputStream(FileDescriptor.out).getChannel();
            return channel;
        }
        FileChannel opened = openOrCreate(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        channel = opened;
        boolean counts = Files.isRegularFile(path);
        size = counts ? opened.size() : 0;
        end = size == 0 ? End.NOTHING : endOf(path, size);
        // A file from an earlier run belongs to the day of its last line.
        day = size == 0
                ? today()
                : LocalDate.ofInstant(Files.getLastModifiedTime(path).toInstant(), zone);
        return opened;
    }

    private static End endOf(Path file, long size) {
        ByteBuffer last = ByteBuffer.allocate(1);
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            in.read(last, size - 1);
        } catch (IOException e) {
            // The file cannot be read. Assume a complete last line.
            return End.WHOLE_LINE;
        }
        return last.get(0) == '\n' ? End.WHOLE_LINE : End.PART_OF_LINE;
    }

    private LocalDate today() {
        Instant now = clock.instant();
        return LocalDate.ofInstant(now, zone);
    }

    /** Whether the day is over. A day that is far ahead is of a clock that was set back since. */
    private boolean isOver(LocalDate begun) {
        LocalDate today = today();
        return today.isAfter(begun) || today.isBefore(begun.minusDays(1));
    }

    /** Creates a file with the permissions of a log. */
    static OutputStream create(Path file, OpenOption option) throws IOException {
        return Channels.newOutputStream(openOrCreate(file, option, StandardOpenOption.WRITE));
    }

    private static FileChannel openOrCreate(Path file, OpenOption... options) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS))
                }
                : new FileAttribute<?>[0];
        return FileChannel.open(file, Set.of(options), attributes);
    }
}
