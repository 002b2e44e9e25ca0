package io.penstock.spool;

import io.penstock.limits.OperatorFile;
import java.io.IOException;
import java.nio.file.Path;

/** Thrown if the spool cannot store files in its directory. The directory does not exist, or the server cannot write to it. */
public final class SpoolUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    SpoolUnavailableException(Path directory, IOException cause) {
        super(OperatorFile.explainedFolder(directory, cause), cause);
    }
}
