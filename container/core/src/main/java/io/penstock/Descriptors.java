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
     * Merges {@code web.xml}, the {@code web-fragment.xml}s and the annotations of an application into one descriptor (Servlet 8.2.3). A
     * comment beside each element has its source: file and line, or class. Passwords are hidden.
     * None of the application's code runs.
     *
     * @param content a WAR file, or an exploded web application
     * @throws StartException with one line that names the error and its place
     */
    public static String effective(Path content) throws StartException {
        return effective("/", content, Configuration.defaults());
    }

    /** As {@link #effective(Path)}, with the configured settings of the application. */
    static String effective(String contextPath, Path content, Configuration configuration) throws StartException {
        try {
            return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, configuration::application))
                    .effectiveDescriptor(contextPath, content);
        } catch (DeploymentException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }
}
