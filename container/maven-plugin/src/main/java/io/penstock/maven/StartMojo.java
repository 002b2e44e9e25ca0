package io.penstock.maven;

import java.nio.file.Path;
import java.util.Map;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Starts a server for the archive of the web application, for integration tests. The build continues while the server runs. The goal {@code
 * stop} ends the server.
 */
@Mojo(name = "start", defaultPhase = LifecyclePhase.PRE_INTEGRATION_TEST)
public final class StartMojo extends ArchiveMojo {
    /**
     * The key of the server in the plugin context. The goals of one project share this context, so the goal {@code stop} can find the
     * server.
     */
    static final String SERVER = "penstock.server";

    @Override
    Launch archive(Path war) {
        return Launch.archive(Launch.Kind.ARCHIVE, contextPath(), settings(), war);
    }

    @Override
    @SuppressWarnings("unchecked") // Maven's method has a raw type
    void use(LaunchedServer server) {
        ((Map<String, Object>) getPluginContext()).put(SERVER, server);
    }
}
