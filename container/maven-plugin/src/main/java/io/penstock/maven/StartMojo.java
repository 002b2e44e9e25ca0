package io.penstock.maven;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
     * The key of the list of servers in the plugin context. The goals of one project share this context, so the goal {@code stop} can find
     * the servers. There are several if the goal {@code start} has several executions.
     */
    static final String SERVERS = "penstock.servers";

    @Override
    Launch archive(Path war) {
        return Launch.archive(Launch.Kind.ARCHIVE, contextPath(), settings(), war);
    }

    @Override
    @SuppressWarnings("unchecked") // Maven's method has a raw type
    void use(LaunchedServer server) {
        Map<String, Object> context = getPluginContext();
        ((List<LaunchedServer>) context.computeIfAbsent(SERVERS, key -> new ArrayList<>())).add(server);
    }
}
