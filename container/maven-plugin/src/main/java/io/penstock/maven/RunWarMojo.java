package io.penstock.maven;

import java.io.File;
import java.io.IOException;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Packs the web application, and serves the archive until Ctrl-C. */
@Mojo(name = "run-war")
@Execute(phase = LifecyclePhase.PACKAGE)
public final class RunWarMojo extends ServerMojo {
    /** Another archive than that of the project. */
    @Parameter(property = "penstock.war")
    private @Nullable File war;

    @Override
    boolean isFor(ServedProject served) {
        return war != null || served.isWebApplication();
    }

    @Override
    Launch launch(ServedProject served) throws MojoExecutionException {
        return ofArchive(war);
    }

    @Override
    void use(LaunchedServer server) throws IOException, InterruptedException {
        try (server) {
            getLog().info("Ctrl-C ends it");
            server.await();
        }
    }
}
