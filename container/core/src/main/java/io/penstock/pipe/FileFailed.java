package io.penstock.pipe;

import java.io.IOException;

/** A file could not be read while it was sent. Neither the client nor its connection has failed. The failure has been logged. */
public final class FileFailed extends IOException {
    private static final long serialVersionUID = 1L;

    FileFailed(IOException cause) {
        super("a file could not be read while it was sent: " + cause, cause);
    }
}
