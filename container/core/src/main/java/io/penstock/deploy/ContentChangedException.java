package io.penstock.deploy;

import java.nio.file.Path;

/** The file changed while it was read. The deployment has not failed: the next scan tries again. */
final class ContentChangedException extends DeploymentException {
    ContentChangedException(Path content) {
        super(content + ": is being changed");
    }
}
