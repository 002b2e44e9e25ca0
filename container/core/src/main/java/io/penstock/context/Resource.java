package io.penstock.context;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * One existing file or directory of a web application, as it was when it was looked up.
 *
 * @param path within the context, starting with {@code /}, a directory's ending with {@code /}
 * @param file where it is; in the default file system, or in that of a jar
 * @param kind what it is
 * @param size in bytes; of a directory undefined
 * @param modified when it was last changed
 */
public record Resource(String path, Path file, Kind kind, long size, Instant modified) {

    /** What a resource is, and how its bytes can be had. */
    public enum Kind {
        DIRECTORY,
        /** A file on disk: a {@code FileChannel} can be opened. */
        FILE,
        /** An entry of a jar: a stream only. */
        JAR_ENTRY
    }

    public InputStream open() throws IOException {
        return Files.newInputStream(file);
    }

    public URL url() throws MalformedURLException {
        return file.toUri().toURL();
    }
}
