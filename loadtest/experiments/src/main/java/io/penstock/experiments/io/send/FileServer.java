package io.penstock.experiments.io.send;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A server for one file. */
interface FileServer extends AutoCloseable {
    /** Its name in a table. */
    String label();

    /**
     * Serves the files in a directory.
     *
     * @param root the directory that holds {@code files/}
     * @param file a file below it
     */
    void start(Path root, Path file) throws IOException, InterruptedException;

    /** The address of that file, once the server has started. */
    URI url();

    @Override
    void close() throws IOException;
}
