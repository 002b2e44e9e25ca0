package io.penstock.request;

import io.penstock.http.Violation;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * Where the bytes of one part are.
 *
 * <p>Thread: one application thread at a time.
 */
interface PartContent {

    /**
     * The next bytes of the part, as the parser has found them.
     *
     * @throws Violation where the disk has been given to others
     */
    void append(byte[] bytes, int offset, int length) throws IOException, Violation;

    /** The part is complete. */
    void end() throws IOException;

    InputStream open() throws IOException;

    /** Makes them a file of the application's, in place of one that is there. */
    void writeTo(Path target) throws IOException;

    /** They are not wanted any more. */
    void delete() throws IOException;

    /** The request has ended: what {@link #writeTo} has made the application's stays. */
    void discard() throws IOException;
}
