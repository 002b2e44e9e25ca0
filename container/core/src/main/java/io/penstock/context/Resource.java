package io.penstock.context;

import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/**
 * A file or directory of a web application, as it was at the time of the lookup.
 *
 * @param path the path within the context, starting with {@code /}; the path of a directory also ends with {@code /}
 * @param file the path of the file in the default file system, or in the file system of a jar
 * @param kind the kind: file, directory, or entry of a jar
 * @param size the size in bytes; undefined for a directory
 * @param modified the time of the last change
 */
public record Resource(String path, Path file, Kind kind, long size, Instant modified) {

    /** The kind of a resource decides how its bytes can be read. */
    public enum Kind {
        DIRECTORY,
        /** A file on disk, which a {@code FileChannel} can read. */
        FILE,
        /** An entry of a jar, which only a stream can read. */
        JAR_ENTRY
    }

    public InputStream open() throws IOException {
        return Files.newInputStream(file);
    }

    public URL url() throws MalformedURLException {
        return file.toUri().toURL();
    }
}
