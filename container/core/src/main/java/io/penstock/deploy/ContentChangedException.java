package io.penstock.deploy;

import java.nio.file.Path;

/** The file has changed while it was read. This is not a failed deployment: the next scan tries again. */
final class ContentChangedException extends DeploymentException {
    ContentChangedException(Path content) {
        super(content + ": is being changed");
    }
}
