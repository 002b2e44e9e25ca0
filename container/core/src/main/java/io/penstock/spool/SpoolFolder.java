package io.penstock.spool;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder for the files of one {@link Spool}. Each file is deleted directly after it has been opened. So the operating system frees the
 * bytes of the file when the channel is closed, even after a crash of the server.
 *
 * <p>Thread: the owner of the server calls {@link #create} and {@link #close}. The threads of the spool call {@link #newFile}.
 */
final class SpoolFolder {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolFolder.class);

    private final OwnedFolder folder;

    private SpoolFolder(OwnedFolder folder) {
        this.folder = folder;
    }

    /**
     * Makes a folder inside {@code parent}, which must exist.
     *
     * @throws IOException if the folder cannot be made
     */
    static SpoolFolder create(Path parent) throws IOException {
        return new SpoolFolder(OwnedFolder.create(parent, "spool"));
    }

    /** Makes a file without a name, and opens the file for reads and writes. */
    FileChannel newFile() throws IOException {
        try {
            return openUnnamed();
        } catch (NoSuchFileException e) {
            // A cleanup program for temporary folders has removed the folder. The folder looks unused, because its
            // files have no names.
            LOG.info("The spool folder {} has been removed; it is made again", path());
            folder.makeAgain();
            return openUnnamed();
        }
    }

    private FileChannel openUnnamed() throws IOException {
        Path file = path().resolve(UUID.randomUUID().toString());
        FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
                folder.readableByOwner());
        try {
            Files.delete(file);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
        return channel;
    }

    Path path() {
        return folder.path();
    }

    void close() throws IOException {
        folder.close();
    }
}
