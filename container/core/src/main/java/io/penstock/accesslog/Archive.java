package io.penstock.accesslog;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The archived files of one log, in the folder of the log. A file has a name such as {@code access.log.20261121T140816Z}, and after
 * compression {@code access.log.20261121T140816Z.gz}. The log writer compresses a file in slices while no line waits. So no second thread
 * is needed, and compression causes no dropped lines. Other files in the folder are not changed.
 *
 * <p>Thread: the log writer. Owns: the file that is being compressed, and the compressed file. The compressed file gets its final name only
 * when it is complete.
 */
final class Archive {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String PACKED = ".gz";
    private static final String UNFINISHED = ".gz.part";
    private static final int SLICE = 256 << 10;

    private final Path folder;
    private final String name;
    private final Pattern ours;
    private final int keep;

    private Scan scan = Scan.NOT_YET;
    private @Nullable Compression compression;

    /** Whether the folder might contain uncompressed files. */
    private enum Scan {
        NOT_YET,
        NOTHING_LEFT
    }

    /**
     * An archived file.
     *
     * @param stamp the time of archiving, as in the file name
     * @param number distinguishes files that were archived in the same second
     */
    private record ArchivedFile(Path file, String stamp, int number) {
        static final Comparator<ArchivedFile> BY_AGE =
                Comparator.comparing(ArchivedFile::stamp).thenComparing(ArchivedFile::number);

        boolean isPacked() {
            return file.toString().endsWith(PACKED);
        }
    }

    /** @param keep the number of archived files to keep; 0 for all */
    Archive(Path log, int keep) {
        Path whole = log.toAbsolutePath();
        Path parent = whole.getParent();
        this.folder = parent == null ? whole : parent;
        this.name = String.valueOf(log.getFileName());
        this.ours = Pattern.compile(Pattern.quote(name) + "\\.(\\d{8}T\\d{6}Z)(?:\\.(\\d{1,9}))?(?:\\.gz)?");
        this.keep = keep;
    }

    /** Returns an unused file name for the next archived file. */
    Path nextName(Instant now) {
        String stamped = name + '.' + STAMP.format(now);
        Path free = folder.resolve(stamped);
        for (int i = 1; isTaken(free); i++) {
            free = folder.resolve(stamped + '.' + i);
        }
        return free;
    }

    private static boolean isTaken(Path file) {
        return Files.exists(file) || Files.exists(file.resolveSibling(file.getFileName() + PACKED));
    }

    /**
     * The caller must call this method after a file was archived. The method schedules the compression of the file. If there are more than
     * {@code keep} archived files, the method deletes the oldest files.
     */
    void added() throws IOException {
        scan = Scan.NOT_YET;
        List<ArchivedFile> all = all();
        for (int i = 0; keep > 0 && i < all.size() - keep; i++) {
            Files.deleteIfExists(all.get(i).file);
        }
    }

    /** Whether a compression is in progress, or uncompressed files might exist. */
    boolean isBusy() {
        return compression != null || scan == Scan.NOT_YET;
    }

    /** Compresses one slice. After a failure, compression stops until the next file is archived. */
    void pack() throws IOException {
        try {
            if (compression == null) {
                compression = next();
            }
            Compression now = compression;
            if (now == null) {
                scan = Scan.NOTHING_LEFT;
            } else if (now.compressSlice()) {
                compression = null;
            }
        } catch (IOException e) {
            scan = Scan.NOTHING_LEFT;
            stop();
            throw e;
        }
    }

    /** @throws IOException if no file is left, except for files that cannot be read */
    private @Nullable Compression next() throws IOException {
        IOException unreadable = null;
        for (ArchivedFile archived : all()) {
            if (!archived.isPacked()) {
                try {
                    return new Compression(archived.file);
                } catch (IOException e) {
                    unreadable = unreadable == null ? e : unreadable;
                }
            }
        }
        if (unreadable != null) {
            throw unreadable;
        }
        return null;
    }

    /** Stops the compression of the current file. The next server process compresses the file from the beginning. */
    void stop() throws IOException {
        Compression unfinished = compression;
        compression = null;
        if (unfinished != null) {
            unfinished.abandon();
        }
    }

    private List<ArchivedFile> all() throws IOException {
        List<ArchivedFile> found = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Matcher matcher = ours.matcher(String.valueOf(file.getFileName()));
                if (matcher.matches()) {
                    String number = matcher.group(2);
                    found.add(new ArchivedFile(file, matcher.group(1), number == null ? 0 : Integer.parseInt(number)));
                }
            }
        }
        found.sort(ArchivedFile.BY_AGE);
        return found;
    }

    /** A file that is being compressed. */
    private static final class Compression {
        private final Path source;
        private final Path target;
        private final InputStream in;
        private final OutputStream out;
        private final byte[] slice = new byte[SLICE];

        Compression(Path source) throws IOException {
            this.source = source;
            this.target = source.resolveSibling(source.getFileName() + UNFINISHED);
            // The file can exist if a server process ended during the compression.
            Files.deleteIfExists(target);
            OutputStream file = LogFile.create(target, StandardOpenOption.CREATE_NEW);
            try {
                this.in = Files.newInputStream(source);
                this.out = new GZIPOutputStream(file, SLICE);
            } catch (IOException | RuntimeException e) {
                file.close();
                Files.deleteIfExists(target);
                throw e;
            }
        }

        /** Compresses the next slice. Returns true at the end of the file. */
        boolean compressSlice() throws IOException {
            int count = in.read(slice);
            if (count >= 0) {
                out.write(slice, 0, count);
                return false;
            }
            out.close();
            in.close();
            // The file can exist if a server process ended before it deleted the source.
            Files.move(
                    target, source.resolveSibling(source.getFileName() + PACKED), StandardCopyOption.REPLACE_EXISTING);
            Files.deleteIfExists(source);
            return true;
        }

        void abandon() throws IOException {
            try (in;
                    out) {
                Files.deleteIfExists(target);
            }
        }
    }
}
