package io.penstock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A Redis server at the loopback address. Tests that use this class must have {@link NeedsProgram} with {@link Program#REDIS_SERVER}. By
 * default, Redis does not write data to disk.
 *
 * <p>Thread: the thread of the test. Owns: the process and its folder. {@link #close} ends the process and removes the folder.
 */
public final class RedisServer implements AutoCloseable {
    private static final List<String> USUAL = List.of("--bind", "127.0.0.1", "--save", "", "--daemonize", "no");

    private final Path folder;
    private final List<String> command;
    private final int port;
    private Process process;

    private RedisServer(Path folder, List<String> command, int port) throws IOException {
        this.folder = folder;
        this.command = command;
        this.port = port;
        this.process = begin();
    }

    /** Starts Redis on a free port. A later option overrides an earlier option. */
    public static RedisServer start(String... options) throws IOException {
        return at(FreePort.next(), options);
    }

    public static RedisServer at(int port, String... options) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--port", Integer.toString(port)));
        arguments.addAll(List.of(options));
        return start(DataFolder.create("penstock-redis"), port, arguments);
    }

    /** Starts a Sentinel with this configuration. */
    public static RedisServer sentinel(String configuration) throws IOException {
        int port = FreePort.next();
        Path folder = DataFolder.create("penstock-sentinel");
        Path file = Files.writeString(folder.resolve("sentinel.conf"), configuration);
        return start(folder, port, List.of(file.toString(), "--sentinel", "--port", Integer.toString(port)));
    }

    private static RedisServer start(Path folder, int port, List<String> arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(Program.REDIS_SERVER.path().toString()));
        boolean file = !arguments.get(0).startsWith("-");
        command.addAll(arguments.subList(0, file ? 1 : 0));
        command.addAll(USUAL);
        command.addAll(List.of("--dir", folder.toString()));
        command.addAll(arguments.subList(file ? 1 : 0, arguments.size()));
        return new RedisServer(folder, command, port);
    }

    private Process begin() throws IOException {
        Process begun = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("redis.log").toFile())
                .start();
        Awaitility.await().until(() -> isReady(begun));
        return begun;
    }

    private boolean isReady(Process begun) {
        String log = log();
        if (!begun.isAlive()) {
            throw new IllegalStateException("Redis has ended: " + log);
        }
        return log.contains("Ready to accept connections") || log.contains("+monitor master");
    }

    public int port() {
        return port;
    }

    /** The output of Redis since its latest start. */
    public String log() {
        try {
            return Files.readString(folder.resolve("redis.log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Pauses Redis. Its connections remain open, but it does not answer. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    public void resume() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        if (!Signals.send(name, process.pid())) {
            throw new IOException("SIG" + name + " did not reach Redis");
        }
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts Redis again after {@link #kill}, on the same port. */
    public void startAgain() throws IOException {
        process = begin();
    }

    @Override
    public void close() throws IOException {
        try {
            kill();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
