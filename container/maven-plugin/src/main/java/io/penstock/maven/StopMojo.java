package io.penstock.maven;

import java.io.IOException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Ends the server that the goal {@code start} has started in the same build. */
@Mojo(name = "stop", defaultPhase = LifecyclePhase.POST_INTEGRATION_TEST)
public final class StopMojo extends AbstractMojo {
    /** Skips this goal. */
    @Parameter(property = "penstock.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public void execute() throws MojoExecutionException {
        if (skip) {
            getLog().info("Penstock is skipped");
        } else if (getPluginContext().remove(StartMojo.SERVER) instanceof LaunchedServer server) {
            stop(server);
        } else {
            getLog().info("No server has been started");
        }
    }

    private void stop(LaunchedServer server) throws MojoExecutionException {
        try {
            server.close();
            getLog().info("Penstock has stopped");
        } catch (LaunchException e) {
            throw new MojoExecutionException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new MojoExecutionException("The server cannot be stopped: " + e, e);
        }
    }
}
