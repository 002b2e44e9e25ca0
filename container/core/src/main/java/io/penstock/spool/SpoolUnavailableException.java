package io.penstock.spool;

import java.io.IOException;
import java.nio.file.Path;

/** Bodies cannot be stored on disk: the directory does not exist, or cannot be written to. */
public final class SpoolUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    SpoolUnavailableException(Path directory, IOException cause) {
        super("cannot write to " + directory + ": " + cause, cause);
    }
}
