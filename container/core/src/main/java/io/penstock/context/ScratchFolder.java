package io.penstock.context;

import io.penstock.spool.OwnedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A context's private temporary directory.
 *
 * @param own it, where the context made it itself: it is deleted with all that is in it; otherwise its deployer's
 */
record ScratchFolder(Path path, @Nullable OwnedFolder own) {

    static ScratchFolder open(@Nullable Path given) throws IOException {
        if (given != null) {
            return new ScratchFolder(Files.createDirectories(given), null);
        }
        OwnedFolder own = OwnedFolder.create(null, "context");
        return new ScratchFolder(own.path(), own);
    }

    void close() throws IOException {
        if (own != null) {
            own.close();
        }
    }
}
