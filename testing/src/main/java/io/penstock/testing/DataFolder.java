package io.penstock.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Data folders for servers that tests start. They are in memory if there is room, so that other programs' use of the disk does not slow a
 * server.
 */
final class DataFolder {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** Enough for a database with its log. Containers often have much less. */
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
