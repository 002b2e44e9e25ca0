package io.penstock.accesslog;

import io.penstock.limits.AccessLogging;
import io.penstock.limits.AccessLogging.Rotate;
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
 * Where the lines go: a file that is put aside when it is large or old enough, another kind of file such as a named pipe, or the standard
 * output. Readable for its owner and group only where we make it: it says who asked for what.
 *
 * <p>Thread: {@link #check} who starts, before the writer begins; the rest the writer, which may wait in any of it for as long as a disk likes.
 * Owns: the open file. A failure leaves what was open open, so that lines go on to where they went.
 */
final class LogFile {
    private static final Logger LOG = LoggerFactory.getLogger(AccessLog.class);

    /** What others may not read is no log that an operator's tools can follow; what all may read tells too much. */
    private static final String PERMISSIONS = "rw-r-----";

    private final @Nullable Path path;
    private final Rotate rotate;
    private final long rotateSize;
    private final @Nullable Archive archive;
    private final InstantSource clock;
    private final ZoneId zone;

    private @Nullable WritableByteChannel channel;
    private long size;
    private End end = End.NOTHING;
    private LocalDate day = LocalDate.EPOCH;

    /** What stands last in the file. */
    enum End {
        NOTHING,
        WHOLE_LINE,
        /** Of a server that was killed, or whose disk was full. */
        PART_OF_LINE
    }

    LogFile(AccessLogging config, InstantSource clock, ZoneId zone) {
        this.rotate = config.rotate();
        this.rotateSize = config.rotateSize();
        this.clock = clock;
        this.zone = zone;
        boolean rotates = rotate != Rotate.NEVER || rotateSize > 0;
        Path given = config.file();
        this.path = given != null && rotates ? itself(given) : given;
        this.archive = path != null && rotates ? new Archive(path, config.keep()) : null;
    }

    /** What a link leads to: a file is put aside where it is, and its link stays. */
    private static Path itself(Path given) {
        try {
            return Files.isSymbolicLink(given) && Files.isRegularFile(given) ? given.toRealPath() : given;
        } catch (IOException e) {
            return given; // opening it will say what is wrong
        }
    }

    /** Opens it, unless that could make the caller wait for whoever reads. */
    void check() throws IOException {
        if (path == null || !Files.exists(path) || Files.isRegularFile(path)) {
            WritableByteChannel opened = open();
            if (!claim(opened)) {
                opened.close();
                throw new FileSystemException(
                        String.valueOf(path),
                        null,
                        "another server writes it and puts it aside; each needs a file of its own");
            }
        } else if (Files.isDirectory(path)) {
            throw new FileSystemException(path.toString(), null, "is a directory");
        } else if (!Files.isWritable(path)) {
            throw new FileSystemException(path.toString(), null, "cannot be written");
        }
    }

    /** Adds some of the bytes, at least one. */
    void write(ByteBuffer bytes) throws IOException {
        WritableByteChannel open = channel;
        if (open == null || !open.isOpen()) {
            open = open();
        }
        size += open.write(bytes);
        end = End.WHOLE_LINE; // unless the caller has more of it, and writes that next
    }

    /** Where the next lines will stand: behind a part of a line only if the file was found so. */
    End end() {
        return end;
    }

    /** Puts the file aside if it is large enough, or its day is over, and begins another. */
    void turnOver() throws IOException {
        if (path == null || archive == null || channel == null || size == 0) {
            return;
        }
        boolean tooLarge = rotateSize > 0 && size >= rotateSize;
        boolean tooOld = rotate == Rotate.DAILY && today().isAfter(day);
        if ((tooLarge || tooOld) && Files.isRegularFile(path)) {
            Path aside = archive.nextName(clock.instant());
            Files.move(path, aside);
            try {
                reopen();
            } catch (IOException e) {
                Files.move(aside, path); // lines go on to it
                throw e;
            }
            archive.added();
        }
    }

    /** Goes over to the file that has the name now, after somebody has moved the one that had it. */
    void reopen() throws IOException {
        if (path == null) {
            return;
        }
        WritableByteChannel former = channel;
        WritableByteChannel present = open();
        if (former != null) {
            former.close(); // first: with it the system forgets every claim of this process to the file that it had
        }
        claim(present); // which nobody else had when the server began
    }

    /**
     * Of two servers that put the same file aside each would lose what the other still writes to it. Returns whether it is this one's, or
     * nobody can say.
     */
    private boolean claim(WritableByteChannel open) {
        if (archive == null || !(open instanceof FileChannel file)) {
            return true;
        }
        try {
            return file.tryLock() != null; // until the channel is closed
        } catch (OverlappingFileLockException e) {
            return false; // in this process
        } catch (IOException e) {
            LOG.debug("The file system of {} knows no locks", path, e);
            return true;
        }
    }

    /** Does some of what is to be done with files that were put aside; returns whether there is more. */
    boolean tidy() throws IOException {
        if (archive == null || !archive.isBusy()) {
            return false;
        }
        archive.pack();
        return archive.isBusy();
    }

    /** The standard output stays open: it is everybody's. */
    void close() throws IOException {
        if (archive != null) {
            archive.stop();
        }
        if (path != null && channel != null) {
            channel.close();
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
        // What a former server has written belongs to the day of its last line.
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
            return End.WHOLE_LINE; // a file that can be written and not be read: nobody knows
        }
        return last.get(0) == '\n' ? End.WHOLE_LINE : End.PART_OF_LINE;
    }

    private LocalDate today() {
        Instant now = clock.instant();
        return LocalDate.ofInstant(now, zone);
    }

    /** A stream to a new file with the permissions of a log. */
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
