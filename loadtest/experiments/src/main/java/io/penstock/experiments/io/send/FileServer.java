package io.penstock.experiments.io.send;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A server that can be made to serve a file. */
interface FileServer extends AutoCloseable {
    /** What it is called in a table. */
    String label();

    /**
     * Serves what is in a directory.
     *
     * @param root the directory that holds {@code files/}
     * @param file one below it
     */
    void start(Path root, Path file) throws IOException, InterruptedException;

    /** Where it serves that file, once started. */
    URI url();

    @Override
    void close() throws IOException;
}
