package io.penstock.maven;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/**
 * Packs the web application and serves the archive until Ctrl-C. If another run of Maven packs a new archive in the meantime, the server
 * deploys the new archive.
 */
@Mojo(name = "run-war")
@Execute(phase = LifecyclePhase.PACKAGE)
public final class RunWarMojo extends ArchiveMojo {
    @Override
    Launch archive(Path war) throws IOException {
        return Launch.archive(Launch.Kind.FOLLOWED_ARCHIVE, contextPath(), settingsWithSessions(), war);
    }

    @Override
    void use(LaunchedServer server) throws IOException, InterruptedException, LaunchException {
        try (server) {
            getLog().info("Ctrl-C ends it");
            server.await();
        }
    }
}
