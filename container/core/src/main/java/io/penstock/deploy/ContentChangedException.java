package io.penstock.deploy;

import java.nio.file.Path;

/**
 * A file of the application has changed during the deployment. The deployment does not count as failed: the next scan of the folder of
 * applications tries again.
 */
final class ContentChangedException extends DeploymentException {
    ContentChangedException(Path content) {
        super(content + ": is being changed");
    }
}
