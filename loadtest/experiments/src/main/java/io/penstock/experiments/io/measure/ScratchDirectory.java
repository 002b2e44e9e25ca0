package io.penstock.experiments.io.measure;

import io.penstock.loadtest.cli.Interruption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The temporary directory for the files of one experiment. The directory and its files are deleted when the experiment has ended, and also
 * when the process must end (Ctrl-C). After Ctrl-C, the thread of the experiment is interrupted, and has some seconds to print its results.
 *
 * <p>Thread: the thread of the experiment opens and closes the directory.
 *
 * <p>Owns: the directory on the disk, and the handler of Ctrl-C ({@link Interruption}).
 */
public final class ScratchDirectory implements AutoCloseable {
    /** The free space, in bytes, that must remain on the file system. A file system that is almost full is slow. */
    private static final long MARGIN = 64L << 20;

    private final Path directory;
    private final Interruption interruption;

    private ScratchDirectory(Path directory) {
        this.directory = directory;
        this.interruption = new Interruption(Thread.currentThread()::interrupt, this::deleteAtExit);
    }

    /**
     * @param parent the directory in which the new directory is created
     * @param bytesNeeded the maximum size of all files together, in bytes
     * @throws IOException with a message for the user if the parent cannot be used, or has too little free space
     */
    public static ScratchDirectory in(Path parent, long bytesNeeded) throws IOException {
        if (!Files.isDirectory(parent) || !Files.isWritable(parent)) {
            throw new IOException(parent + " is not a writable directory: name another with --dir");
        }
        requireRoom(parent, bytesNeeded, parent.toFile().getUsableSpace());
        return new ScratchDirectory(Files.createTempDirectory(parent, "penstock-io-"));
    }

    static void requireRoom(Path parent, long needed, long free) throws IOException {
        if (free - MARGIN < needed) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "%,d MB are needed in %s, but %,d MB are free: free some space, name another directory"
                            + " with --dir, or measure smaller files",
                    (needed + MARGIN) >> 20,
                    parent,
                    free >> 20));
        }
    }

    public Path path() {
        return directory;
    }

    public Path file(String name) {
        return directory.resolve(name);
    }

    @Override
    public void close() throws IOException {
        try {
            delete();
        } finally {
            // The directory is deleted, so the process can end now.
            interruption.close();
        }
    }

    /** Whether the process must end. The thread's interrupt status is not enough to find this out, since some libraries clear it. */
    boolean mustEnd() {
        return interruption.happened();
    }

    private void deleteAtExit() {
        try {
            delete();
        } catch (IOException e) {
            System.err.println("experiments: " + directory + " could not be removed: " + e.getMessage());
        }
    }

    private void delete() throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
