package io.penstock.request;

import io.penstock.http.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The bytes of one part of a multipart form.
 *
 * <p>Thread: one application thread at a time.
 */
interface PartContent {

    /**
     * Adds the next bytes of the part. The parser calls this method in the order of the bytes.
     *
     * @throws Violation if the server's limit for bytes on disk is reached
     */
    void append(byte[] bytes, int offset, int length) throws IOException, Violation;

    /** Called when the part is complete. */
    void end() throws IOException;

    InputStream open() throws IOException;

    /** Moves or copies the bytes to a file of the application. An existing file is replaced. */
    void writeTo(Path target) throws IOException;

    /** Deletes the bytes. */
    void delete() throws IOException;

    /** Called when the request has ended. Deletes the bytes, but keeps a file that {@link #writeTo} has made. */
    void discard() throws IOException;
}
