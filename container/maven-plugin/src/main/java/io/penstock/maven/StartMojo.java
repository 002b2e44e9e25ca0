package io.penstock.maven;

import java.io.File;
import java.util.Map;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** Serves the archive of the web application, and lets the build go on: for integration tests. {@code stop} ends the server. */
@Mojo(name = "start", defaultPhase = LifecyclePhase.PRE_INTEGRATION_TEST)
public final class StartMojo extends ServerMojo {
    /** Where {@code stop} finds the server, in what the goals of one project share. */
    static final String SERVER = "penstock.server";

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
    @SuppressWarnings("unchecked") // Maven names no types here
    void use(LaunchedServer server) {
        ((Map<String, Object>) getPluginContext()).put(SERVER, server);
    }
}
