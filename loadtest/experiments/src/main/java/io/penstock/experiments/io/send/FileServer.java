package io.penstock.experiments.io.send;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A server from which one file is requested. */
interface FileServer extends AutoCloseable {
    /** The name of the server in a table. */
    String label();

    /**
     * Starts to serve the files in a directory.
     *
     * @param root the directory that contains the subdirectory {@code files/}
     * @param file the file to request, which is in a subdirectory of {@code root}
     */
    void start(Path root, Path file) throws IOException, InterruptedException;

    /** The URL of the file. Call this only after {@link #start}. */
    URI url();

    @Override
    void close() throws IOException;
}
