package io.penstock.maven;

import java.nio.file.Path;
import java.util.Map;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Starts a server for the archive of the web application, and continues the build, for integration tests. {@code stop} ends the server. */
@Mojo(name = "start", defaultPhase = LifecyclePhase.PRE_INTEGRATION_TEST)
public final class StartMojo extends ArchiveMojo {
    /** The key of the server in the plugin context, which the goals of one project share. {@code stop} finds it there. */
    static final String SERVER = "penstock.server";

    @Override
    Launch archive(Path war) {
        return Launch.archive(Launch.Kind.ARCHIVE, contextPath(), settings(), war);
    }

    @Override
    @SuppressWarnings("unchecked") // Maven declares the map without its types
    void use(LaunchedServer server) {
        ((Map<String, Object>) getPluginContext()).put(SERVER, server);
    }
}
