package io.penstock.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.maven.plugin.MojoExecutionException;
import org.junit.jupiter.api.Test;

/** Tests that the goal {@code stop} ends the servers of all executions of the goal {@code start}. */
class StopMojoTest {
    private final Map<String, Object> context = new HashMap<>();
    private final List<String> closed = new ArrayList<>();

    private final class Server implements LaunchedServer {
        private final String name;

        Server(String name) {
            this.name = name;
        }

        @Override
        public int port() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String url() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void await() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() throws LaunchException {
            closed.add(name);
            if (name.contains("failed")) {
                throw new LaunchException(name, null);
            }
        }
    }

    private void start(String name) {
        StartMojo mojo = new StartMojo();
        mojo.setPluginContext(context);
        mojo.use(new Server(name));
    }

    private void stop() throws MojoExecutionException {
        StopMojo mojo = new StopMojo();
        mojo.setPluginContext(context);
        mojo.execute();
    }

    @Test
    void theServersOfAllExecutionsAreStoppedOnce() throws Exception {
        start("shop");
        start("forum");
        stop();
        stop();
        assertEquals(List.of("shop", "forum"), closed);
    }

    @Test
    void aServerIsStoppedAlthoughAnotherHasFailed() {
        start("failed shop");
        start("failed forum");
        start("blog");
        MojoExecutionException e = assertThrows(MojoExecutionException.class, this::stop);
        assertEquals("failed shop", e.getMessage());
        assertEquals(List.of("failed shop", "failed forum", "blog"), closed);
    }
}
