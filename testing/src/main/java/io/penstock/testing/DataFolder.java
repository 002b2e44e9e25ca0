package io.penstock.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Creates data folders for servers that tests start. The folders are in the memory file system if it has enough space. In this case, a
 * server is not slower while other programs use the disk.
 */
final class DataFolder {
    private static final Path MEMORY = Path.of("/dev/shm");

    /** The necessary space for a database with its log. The memory file system of a Docker container is often much smaller. */
    private static final long ROOM_BYTES = 1L << 30;

    private DataFolder() {}

    /** Creates a new folder. The caller must remove the folder. */
    static Path create(String prefix) throws IOException {
        if (Files.isWritable(MEMORY) && MEMORY.toFile().getUsableSpace() >= ROOM_BYTES) {
            return Files.createTempDirectory(MEMORY, prefix);
        }
        return Files.createTempDirectory(prefix);
    }
}
