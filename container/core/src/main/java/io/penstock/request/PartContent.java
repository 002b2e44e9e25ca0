package io.penstock.request;

import io.penstock.http.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * The bytes of one part.
 *
 * <p>Thread: one application thread at a time.
 */
interface PartContent {

    /**
     * Adds the next bytes of the part, as the parser has found them.
     *
     * @throws Violation if the limit of bytes on disk is reached
     */
    void append(byte[] bytes, int offset, int length) throws IOException, Violation;

    /** The part is complete. */
    void end() throws IOException;

    InputStream open() throws IOException;

    /** Moves or copies the bytes to a file of the application; replaces an existing one. */
    void writeTo(Path target) throws IOException;

    /** Deletes the bytes. */
    void delete() throws IOException;

    /** The request has ended: deletes the bytes, but no file made by {@link #writeTo}. */
    void discard() throws IOException;
}
