package io.penstock.pipe;

import java.io.IOException;

/** The server could not read a file while it sent the file. The connection to the client has not failed. The failure has been logged. */
public final class FileFailed extends IOException {
    private static final long serialVersionUID = 1L;

    FileFailed(IOException cause) {
        super("a file could not be read while it was sent: " + cause, cause);
    }
}
