package io.penstock.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Folders for the data of servers that tests start: in memory where it has room, so that other users of the disk do not make a server slow. */
final class DataFolder {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** For a database with its log. Containers often have much less. */
    private static final long ROOM_BYTES = 1L << 30;

    private DataFolder() {}

    /** Makes a new folder, which the caller removes. */
    static Path create(String prefix) throws IOException {
        if (Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() >= ROOM_BYTES) {
            return Files.createTempDirectory(MEMORY, prefix);
        }
        return Files.createTempDirectory(prefix);
    }
}
