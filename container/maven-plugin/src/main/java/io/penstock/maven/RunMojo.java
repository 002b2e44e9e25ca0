package io.penstock.maven;

import java.io.IOException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/**
 * Serves the web application from its sources until Ctrl-C. Changes of files and pages are visible at once. After changes of classes,
 * libraries or descriptors, a new version of the application starts as soon as these files are stable. Changed Java sources are compiled.
 */
@Mojo(name = "run", requiresDependencyResolution = ResolutionScope.TEST)
@Execute(phase = LifecyclePhase.TEST_COMPILE)
public final class RunMojo extends ServerMojo {
    /** Adds test classes and test dependencies to the application. */
    @Parameter(property = "penstock.useTestClasspath", defaultValue = "false")
    private boolean useTestClasspath;

    /** Compiles changed Java sources in the server. */
    @Parameter(property = "penstock.compile", defaultValue = "true")
    private boolean compile;

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
                live(),
                compile ? compilation() : Launch.Compilation.NONE);
    }

    @Override
    void use(LaunchedServer server) throws IOException, InterruptedException, LaunchException {
        try (server) {
            getLog().info("Ctrl-C ends it");
            server.await();
        }
    }
}
