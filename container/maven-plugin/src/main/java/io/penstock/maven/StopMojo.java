package io.penstock.maven;

import java.io.IOException;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Ends all servers that the goal {@code start} has started in the same build. */
@Mojo(name = "stop", defaultPhase = LifecyclePhase.POST_INTEGRATION_TEST)
public final class StopMojo extends AbstractMojo {
    /** Skips this goal. */
    @Parameter(property = "penstock.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public void execute() throws MojoExecutionException {
        if (skip) {
            getLog().info("Penstock is skipped");
        } else if (getPluginContext().remove(StartMojo.SERVERS) instanceof List<?> servers) {
            stop(servers);
        } else {
            getLog().info("No server has been started");
        }
    }

    /** Stops all servers, even if one of them has failed. */
    private void stop(List<?> servers) throws MojoExecutionException {
        MojoExecutionException failure = null;
        for (Object server : servers) {
            try {
                stop((LaunchedServer) server);
            } catch (MojoExecutionException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
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
