package io.penstock.maven;

import java.io.IOException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Serves the web application from its sources until Ctrl-C. Files and pages are always the latest. A new version starts when classes,
 * libraries or descriptors have changed and no longer change.
 */
@Mojo(name = "run", requiresDependencyResolution = ResolutionScope.TEST)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class RunMojo extends ServerMojo {
    /** Adds test classes and test dependencies to the application. */
    @Parameter(property = "penstock.useTestClasspath", defaultValue = "false")
    private boolean useTestClasspath;

    @Override
    boolean isFor(ServedProject served) {
        return served.isWebApplication();
    }

    @Override
    Launch launch(ServedProject served) throws IOException {
        return served.launch(
                contextPath(),
                settingsWithSessions(),
                useTestClasspath ? ServedProject.Extent.WITH_TESTS : ServedProject.Extent.MAIN,
                live());
    }

    @Override
    void use(LaunchedServer server) throws IOException, InterruptedException, LaunchException {
        try (server) {
            getLog().info("Ctrl-C ends it");
            server.await();
        }
    }
}
