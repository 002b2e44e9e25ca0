package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.testing.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One of several nodes: {@code penstock.jar} in a process. It can end, and start again at the same ports.
 *
 * <p>Owns: the process.
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
     * Does not start the process yet.
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

    /** Begins the start; {@link #awaitStart} returns when the node is ready. */
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
        assertEquals(port, JarProcess.port(process.startLine()), name);
    }

    /** Ends the process at once, as {@code kill -9} does; returns when it has ended. */
    void kill() throws IOException, InterruptedException {
        end();
    }

    /** Ends the process by an orderly stop. */
    void stop() throws Exception {
        process.terminate();
        assertEquals(143, process.ended().exitCode(), name);
        end();
    }

    private void end() throws IOException, InterruptedException {
        formerLogs.append(process.log());
        process.close();
        process = null;
    }

    /** The log so far, including that of its former processes. */
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
