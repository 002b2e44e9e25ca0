package io.penstock.maven;

import java.io.IOException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Packs the web application, and serves the archive until Ctrl-C. */
@Mojo(name = "run-war")
@Execute(phase = LifecyclePhase.PACKAGE)
public final class RunWarMojo extends ArchiveMojo {
    @Override
    void use(LaunchedServer server) throws IOException, InterruptedException {
        try (server) {
            getLog().info("Ctrl-C ends it");
            server.await();
        }
    }
}
