package io.penstock;

import io.penstock.context.DispatcherFactory;
import io.penstock.deploy.Deployer;
import io.penstock.deploy.DeploymentException;
import io.penstock.deploy.DeploymentServices;
import io.penstock.limits.Configuration;
import java.nio.file.Path;

/** What web applications declare, for those who want to look before they serve. Thread: any. */
public final class Descriptors {
    private Descriptors() {}

    /**
     * What {@code web.xml}, the {@code web-fragment.xml}s and the annotations of an application say together (Servlet 8.2.3), as one
     * descriptor. Beside each element stands, as a comment, where it comes from: file and line, or class. Passwords are not shown.
     * None of the application's code runs.
     *
     * @param content a WAR file, or an exploded web application
     * @throws StartException with one line that names what is wrong, and where
     */
    public static String effective(Path content) throws StartException {
        return effective("/", content, Configuration.defaults());
    }

    /** The same with what is configured for the application. */
    static String effective(String contextPath, Path content, Configuration configuration) throws StartException {
        try {
            return new Deployer(DeploymentServices.of(DispatcherFactory.NONE, configuration::application))
                    .effectiveDescriptor(contextPath, content);
        } catch (DeploymentException e) {
            throw new StartException(String.valueOf(e.getMessage()), e);
        }
    }
}
