package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.testing.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A node of a cluster: {@code penstock.jar} in a separate process. The node can be stopped, and started again at the same ports.
 *
 * <p>{@link #close} ends the process.
 */
final class ClusterNode implements AutoCloseable {
    private final String name;
    private final String store;
    private final String route;
    private final Path users;
    private final int port = FreePort.next();
    private final int adminPort = FreePort.next();
    private final StringBuilder formerLogs = new StringBuilder();
    private JarProcess process;

    /**
     * Creates a node without a running process.
     *
     * @param store the value of {@code session-store}
     * @param route the value of {@code session-route}
     * @param users the file of users
     */
    ClusterNode(String name, String store, String route, Path users) throws IOException {
        this.name = name;
        this.store = store;
        this.route = route;
        this.users = users;
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    int adminPort() {
        return adminPort;
    }

    /** Starts the process. The method {@link #awaitStart} returns when the node is ready. */
    void launch(Path application, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--host=127.0.0.1",
                "--port=" + port,
                "--admin-port=" + adminPort,
                "--shutdown-delay=1500ms",
                "--session-route=" + route,
                "--trusted-proxies=127.0.0.1",
                "--realm-file=" + users));
        arguments.addAll(List.of(more));
        arguments.add("/=" + application);
        process = JarProcess.run(
                Map.of("PENSTOCK_NODE_NAME", name, "PENSTOCK_SESSION_STORE", store), arguments.toArray(String[]::new));
    }

    void awaitStart() throws IOException {
        assertEquals(port, JarProcess.port(process.startLine()), "the port of " + name);
    }

    /** Kills the process like {@code kill -9}, and waits until it has ended. */
    void kill() throws IOException, InterruptedException {
        end();
    }

    /** Stops the process normally, and waits until it has ended. */
    void stop() throws Exception {
        process.terminate();
        assertEquals(143, process.ended().exitCode(), "the exit code of " + name);
        end();
    }

    private void end() throws IOException, InterruptedException {
        formerLogs.append(process.log());
        process.close();
        process = null;
    }

    /** Returns the log of the current process of this node, after the logs of the former processes. */
    String log() throws IOException {
        return formerLogs + (process == null ? "" : process.log());
    }

    @Override
    public void close() throws IOException, InterruptedException {
        if (process != null) {
            process.close();
        }
    }
}
