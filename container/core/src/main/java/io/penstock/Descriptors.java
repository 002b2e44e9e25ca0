package io.penstock;

import io.penstock.context.DispatcherFactory;
import io.penstock.deploy.Deployer;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.DeploymentServices;
import io.penstock.limits.Configuration;
import java.nio.file.Path;

/** Shows the merged declarations of web applications, before they are deployed. Thread: any. */
public final class Descriptors {
    private Descriptors() {}

    /**
     * Merges {@code web.xml}, the {@code web-fragment.xml} files and the annotations of an application into one descriptor (Servlet 8.2.3).
     * A comment beside each element names its source: a file and line, or a class. Passwords are hidden. No code of the application runs.
     *
     * @param content a WAR file, or an exploded web application
     * @throws StartException if the application cannot be read or merged. The message is one line that names the error and its location
     */
    public static String effective(Path content) throws StartException {
        return effective("/", content, Configuration.defaults());
    }

    /** Like {@link #effective(Path)}, and also uses the configured settings of the application. */
    static String effective(String contextPath, Path content, Configuration configuration) throws StartException {
        try {
            return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, configuration::application))
                    .effectiveDescriptor(contextPath, content);
        } catch (DeploymentException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }
}
