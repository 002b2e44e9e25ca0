package io.penstock.deploy;

import java.nio.file.Path;

/** The file was being written while it was read: no failure, since it is looked at again. */
final class StillChangingException extends DeploymentException {
    StillChangingException(Path content) {
        super(content + ": is being changed");
    }
}
