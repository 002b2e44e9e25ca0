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
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL at a port of this machine, with an empty database {@code postgres}. Tests that use this class must have {@link NeedsProgram}
 * with {@link Program#POSTGRES}.
 *
 * <p>PostgreSQL refuses to run as root. If the test runs as root, PostgreSQL runs as the user {@code postgres}. The package of PostgreSQL
 * creates this user.
 *
 * <p>Owns: the process and its folder. {@link #close} ends the process and removes the folder.
 */
public final class PostgresServer implements AutoCloseable {
    /** The database user with all rights. */
    public static final String USER = "penstock";

    /** The password of {@link #USER}. */
    public static final String PASSWORD = "open & sesame";

    private static final boolean ROOT = System.getProperty("user.name").equals("root");
    private static final String OTHER_USER = "postgres";

    private final Path folder;
    private final int port;
    private int starts;
    private @Nullable Process process;

    private PostgresServer(Path folder, int port) {
        this.folder = folder;
        this.port = port;
    }

    /** Creates a database and starts the server of the database. */
    public static PostgresServer start() throws IOException, InterruptedException {
        Path folder = DataFolder.create("penstock-postgres");
        if (ROOT) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(OTHER_USER));
        }
        PostgresServer server = new PostgresServer(folder, FreePort.next());
        try {
            server.create();
            server.startAgain();
        } catch (IOException | InterruptedException | RuntimeException e) {
            server.close();
            throw e;
        }
        return server;
    }

    private void create() throws IOException, InterruptedException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD);
        Path log = folder.resolve("initdb.log");
        Process initdb = run(
                log,
                "initdb",
                "--pgdata=" + folder.resolve("data"),
                "--username=" + USER,
                "--pwfile=" + password,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync");
        if (initdb.waitFor() != 0) {
            throw new IOException("initdb failed: " + Files.readString(log));
        }
    }

    /**
     * Starts a program of PostgreSQL. The program {@code setpriv} executes PostgreSQL's program in the same process. So the process id is
     * always the id of PostgreSQL's program.
     */
    private Process run(Path log, String program, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        if (ROOT) {
            command.addAll(List.of("setpriv", "--reuid=" + OTHER_USER, "--regid=" + OTHER_USER, "--clear-groups"));
        }
        command.add(Program.POSTGRES.path().resolveSibling(program).toString());
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Starts the server, after {@link #stop} or {@link #kill}, and waits until it accepts connections. */
    public void startAgain() throws IOException {
        Path log = folder.resolve("postgres" + starts++ + ".log");
        Process started = run(
                log,
                "postgres",
                "-D",
                folder.resolve("data").toString(),
                "-p",
                Integer.toString(port),
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=" + folder,
                "-c",
                "fsync=off");
        process = started;
        Awaitility.await().until(() -> isReady(started, log));
    }

    private static boolean isReady(Process started, Path log) {
        try {
            String text = Files.readString(log);
            if (!started.isAlive()) {
                throw new IllegalStateException("PostgreSQL has ended: " + text);
            }
            return text.contains("ready to accept connections");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Process process() {
        if (process == null) {
            throw new IllegalStateException("PostgreSQL does not run");
        }
        return process;
    }

    /** The process of the server, and its child processes for connections. */
    private List<ProcessHandle> all() {
        ProcessHandle server = process().toHandle();
        return Stream.concat(Stream.of(server), server.descendants()).toList();
    }

    private static void signal(String name, List<ProcessHandle> processes) throws IOException, InterruptedException {
        // The result is ignored, because a process can end at any time.
        Signals.send(name, processes.stream().mapToLong(ProcessHandle::pid).toArray());
    }

    /** Pauses all processes with SIGSTOP. The connections remain open, but the server does not answer. */
    public void pause() throws IOException, InterruptedException {
        signal("STOP", all());
    }

    /** Resumes all processes. */
    public void resume() throws IOException, InterruptedException {
        signal("CONT", all());
    }

    /** Stops the server normally, and closes open connections. */
    public void stop() throws IOException, InterruptedException {
        signal("INT", List.of(process().toHandle()));
        process().waitFor();
        process = null;
    }

    /** Kills all processes at once. */
    public void kill() {
        List<ProcessHandle> all = all();
        all.forEach(ProcessHandle::destroyForcibly);
        Awaitility.await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
        process = null;
    }

    /** The port of the server at 127.0.0.1. */
    public int port() {
        return port;
    }

    /** The JDBC URL of the database, without user and password. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** The server's log since its last start. */
    public String log() throws IOException {
        return Files.readString(folder.resolve("postgres" + (starts - 1) + ".log"));
    }

    @Override
    public void close() throws IOException {
        if (process != null && process.isAlive()) {
            kill();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
