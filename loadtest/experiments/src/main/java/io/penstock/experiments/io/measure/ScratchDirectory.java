package io.penstock.experiments.io.measure;

import io.penstock.loadtest.cli.Interruption;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The directory of one experiment's files. It is removed with its content when the experiment is over, and also when the process
 * must end (Ctrl-C): then the experiment's thread is interrupted, and has a moment to print its results.
 *
 * <p>Thread: the experiment's thread opens and closes the directory.
 *
 * <p>Owns: the directory on disk and the interruption.
 */
public final class ScratchDirectory implements AutoCloseable {
    /** Additional room, since a file system that is almost full is slow. */
    private static final long MARGIN = 64L << 20;

    private final Path directory;
    private final Interruption interruption;

    private ScratchDirectory(Path directory) {
        this.directory = directory;
        this.interruption = new Interruption(Thread.currentThread()::interrupt, this::deleteInHaste);
    }

    /**
     * @param parent where the directory is made
     * @param bytesNeeded the largest size of all files together
     * @throws IOException with a message for the user: no such directory, or too little room in it
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
            interruption.close(); // the directory is removed, so the process may end
        }
    }

    /** Whether the process must end. A method is needed, since some libraries swallow the interrupt. */
    boolean mustEnd() {
        return interruption.happened();
    }

    private void deleteInHaste() {
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
