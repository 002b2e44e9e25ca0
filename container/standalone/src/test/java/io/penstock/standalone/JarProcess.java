package io.penstock.standalone;

import io.penstock.testing.Program;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs {@code penstock.jar} in a separate process. The process does not inherit {@code PENSTOCK_} variables from the environment.
 *
 * <p>{@link #close} ends the process, and deletes the folder with the temporary files of the process.
 */
final class JarProcess implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("https?://[^/\\s]+:([0-9]+)/");
    private static final long PATIENCE_SECONDS = 60;
    private static final List<String> USUAL_MEMORY = List.of("-Xmx128m");

    private final Process process;
    private final BufferedReader out;
    private final Path folder;
    private final Path err;

    private JarProcess(Process process, Path folder, Path err) {
        this.process = process;
        this.folder = folder;
        this.out = process.inputReader(StandardCharsets.UTF_8);
        this.err = err;
    }

    static JarProcess run(Map<String, String> environment, String... args) throws IOException {
        return run(List.of(), environment, USUAL_MEMORY, usualJar(), args);
    }

    /** Runs the jar with at most this number of file descriptors. */
    static JarProcess withDescriptors(int most, String... args) throws IOException {
        return run(
                List.of("sh", "-c", "ulimit -n " + most + "; exec \"$@\"", "sh"),
                Map.of(),
                USUAL_MEMORY,
                usualJar(),
                args);
    }

    /**
     * Runs the jar in two processes, one after the other. Each process inherits a listening socket as its standard input, like a systemd
     * service with socket activation. The first process starts when a client has connected. The second process starts when the first
     * process has ended. {@link #log} returns the output of both processes.
     */
    static JarProcess twoProcessesAtSocket(String address, String... args) throws IOException {
        return run(
                List.of(
                        Program.SYSTEMD_SOCKET_ACTIVATE.path().toString(),
                        "--inetd",
                        "-l",
                        address,
                        "sh",
                        "-c",
                        "\"$@\" >&2; \"$@\" >&2",
                        "sh"),
                Map.of(),
                USUAL_MEMORY,
                usualJar(),
                args);
    }

    /** Runs the jar in a JVM with these options for its memory, such as {@code -Xmx64m}. */
    static JarProcess withMemory(List<String> options, String... args) throws IOException {
        return run(List.of(), Map.of(), options, usualJar(), args);
    }

    /** Runs a copy of the jar. The folder of the copy can contain other jars that the server loads. */
    static JarProcess ofCopy(Path jar, String... args) throws IOException {
        return run(List.of(), Map.of(), USUAL_MEMORY, jar, args);
    }

    static Path usualJar() {
        return Path.of(System.getProperty("penstock.jar", "target/penstock.jar"));
    }

    /** @param before the beginning of the command line, before {@code java}; can be empty */
    private static JarProcess run(
            List<String> before, Map<String, String> environment, List<String> memory, Path jar, String... args)
            throws IOException {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // A server removes temporary files of killed servers, and logs the removal. Each server gets a new folder, so
        // that it does not find files of another test.
        Path folder = Files.createTempDirectory("penstock-jar");
        command.addAll(memory);
        boolean isUsual = jar.equals(usualJar()) && memory.equals(USUAL_MEMORY);
        if (isUsual
                && !environment.containsKey("JDK_JAVA_OPTIONS")
                && !List.of(args).contains("--train")) {
            command.add(ArchiveKind.ofThisJvm().toUse(archive()));
        }
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + folder, "-jar"));
        command.add(jar.toString());
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("PENSTOCK_") || name.equals("JAVA_TOOL_OPTIONS"));
        builder.environment().putAll(environment);
        Path err = folder.resolve("err.log");
        return new JarProcess(builder.redirectError(err.toFile()).start(), folder, err);
    }

    static JarProcess run(String... args) throws IOException {
        return run(Map.of(), args);
    }

    /**
     * The archive of classes for the usual jar, which halves the processor time of a start. The first test that needs it makes it; other
     * JVMs of the build wait meanwhile.
     */
    private static synchronized Path archive() throws IOException {
        Path jar = usualJar();
        Path archive = jar.resolveSibling("classes-of-tests");
        try (FileChannel file = FileChannel.open(
                        jar.resolveSibling("classes-of-tests.lock"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            if (!Files.exists(archive)
                    || Files.getLastModifiedTime(archive).compareTo(Files.getLastModifiedTime(jar)) < 0) {
                Path site = Files.createTempDirectory("penstock-empty");
                try (JarProcess training = run(
                        List.of(),
                        Map.of(),
                        List.of(),
                        jar,
                        "--train",
                        "--train-to",
                        archive.toString(),
                        "0",
                        site.toString())) {
                    Ran trained = training.ended();
                    if (trained.exitCode() != 0) {
                        throw new IOException("no archive of classes: " + trained.err());
                    }
                } catch (InterruptedException | TimeoutException e) {
                    throw new IOException(e);
                } finally {
                    Files.delete(site);
                }
            }
        }
        return archive;
    }

    /** Returns the line that the server prints when it is ready. */
    String startLine() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IOException("the server ended without a start line: " + Files.readString(err));
        }
        return line;
    }

    static int port(String startLine) {
        Matcher address = ADDRESS.matcher(startLine);
        if (!address.find()) {
            throw new IllegalArgumentException("no address in: " + startLine);
        }
        return Integer.parseInt(address.group(1));
    }

    /** Sends SIGTERM to the process. Service managers end a process with this signal. */
    void terminate() {
        // Process.destroy() would also close the output, which ended() still reads.
        process.toHandle().destroy();
    }

    /** Sends SIGTERM to the child process. After {@link #twoProcessesAtSocket}, the child process is the running server. */
    void terminateChild() {
        ProcessHandle.of(process.pid()).orElseThrow().children().forEach(ProcessHandle::destroy);
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Returns the processor time of all threads of the process since the start of the process. */
    Duration cpuTime() {
        return process.toHandle().info().totalCpuDuration().orElseThrow();
    }

    /** Returns the log that the server has written until now. */
    String log() throws IOException {
        return Files.readString(err);
    }

    /** Waits for the end of the process, and returns the exit code and the output. */
    Ran ended() throws IOException, InterruptedException, TimeoutException {
        StringBuilder rest = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            rest.append(line).append(System.lineSeparator());
        }
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("the process did not end within " + PATIENCE_SECONDS + " seconds");
        }
        return new Ran(process.exitValue(), rest.toString(), Files.readString(err));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly().waitFor();
        children.forEach(ProcessHandle::destroyForcibly);
        // The JVM creates its socket for jcmd and --reload in /tmp, even with another java.io.tmpdir. A killed JVM does
        // not remove this socket.
        Files.deleteIfExists(Path.of("/tmp", ".java_pid" + process.pid()));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
