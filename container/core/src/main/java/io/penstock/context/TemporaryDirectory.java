package io.penstock.context;

import io.penstock.spool.OwnedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A context's private temporary directory.
 *
 * @param own the directory if {@link #open} has created it; {@link #close} deletes this directory. Null if the directory was given
 */
record TemporaryDirectory(Path path, @Nullable OwnedFolder own) {

    static TemporaryDirectory open(@Nullable Path given) throws IOException {
        if (given != null) {
            return new TemporaryDirectory(Files.createDirectories(given), null);
        }
        OwnedFolder own = OwnedFolder.create(null, "context");
        return new TemporaryDirectory(own.path(), own);
    }

    void close() throws IOException {
        if (own != null) {
            own.close();
        }
    }
}
