package io.penstock.pipe;

import java.io.IOException;

/** A file could not be read while it was sent: no fault of the client, nor of its connection. */
public final class FileFailed extends IOException {
    private static final long serialVersionUID = 1L;

    FileFailed(IOException cause) {
        super("a file could not be read while it was sent: " + cause, cause);
    }
}
