package io.penstock.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A server in a separate JVM. The JVM ends when its standard input ends. So the JVM ends if Maven ends. The output of the JVM contains only
 * the output of the application. A file signals that the server is ready.
 *
 * <p>Thread: any. Owns: the process, and a thread that forwards the output of the process.
 */
final class ForkedServer implements LaunchedServer {
    /** The time limit for the end of the process. A server finishes its requests in less time. */
    private static final long PATIENCE_SECONDS = 60;

    /** The pause between two checks for the file that signals a ready server. */
    private static final long LOOK_MILLIS = 20;

    /** The time limit of the wait for the last output of a process. A child of the process can keep the output open. */
    private static final long LAST_WORDS_MILLIS = 1000;

    /** The exit codes of a normal end, of an end by Ctrl-C, and of an end by SIGTERM. */
    private static final Set<Integer> ORDERLY = Set.of(0, 128 + 2, 128 + 15);

    private final Process process;
    private final int port;
    private final String url;

    /** The packages that the manifest of {@code penstock.jar} opens to applications. A class path needs options for them. */
    private static final List<String> OPENED = List.of(
            "java.base/java.lang",
            "java.base/java.io",
            "java.base/java.util",
            "java.base/java.util.concurrent",
            "java.rmi/sun.rmi.transport");

    private ForkedServer(Process process, int port, String url) {
        this.process = process;
        this.port = port;
        this.url = url;
    }

    /**
     * Starts the process, and waits until the server is ready.
     *
     * @param folder the folder for temporary files, which are deleted when the server is ready
     * @param output receives each line of the process's standard output
     * @throws LaunchException if the process ends before the server is ready; the error stream of the process contains the reason
     */
    static ForkedServer start(
            Launch launch, List<Path> classPath, List<String> jvmArguments, Path folder, Consumer<String> output)
            throws IOException, InterruptedException, LaunchException {
        Files.createDirectories(folder);
        Path file = Files.createTempFile(folder, "launch-", ".properties");
        Path ready = file.resolveSibling(file.getFileName() + ".ready");
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                launch.toProperties().store(out, "What the forked server serves");
            }
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            OPENED.forEach(opened -> command.add("--add-opens=" + opened + "=ALL-UNNAMED"));
            command.addAll(jvmArguments);
            command.add("-cp");
            command.add(classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
            command.add(ForkedMain.class.getName());
            command.add(file.toString());
            command.add(ready.toString());
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            Thread passing = pass(process.inputReader(), output);
            await(process, ready, passing);
            List<String> serves = Files.readAllLines(ready);
            return new ForkedServer(process, Integer.parseInt(serves.get(0)), serves.get(1));
        } finally {
            Files.deleteIfExists(file);
            Files.deleteIfExists(ready);
        }
    }

    private static void await(Process process, Path ready, Thread passing)
            throws InterruptedException, LaunchException {
        try {
            while (!Files.exists(ready)) {
                if (process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                    passing.join(LAST_WORDS_MILLIS);
                    throw new LaunchException(
                            "the forked server does not start, and has ended with exit value " + process.exitValue()
                                    + ": see above",
                            null);
                }
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static Thread pass(BufferedReader lines, Consumer<String> output) {
        Thread thread = new Thread(() -> {
            try (lines) {
                lines.lines().forEach(output);
            } catch (IOException | UncheckedIOException e) {
                output.accept("the output of the forked server cannot be read: " + e);
            }
        });
        thread.setName("penstock-output");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public void await() throws InterruptedException, LaunchException {
        process.waitFor();
        checkEnd();
    }

    @Override
    public void close() throws IOException, LaunchException {
        if (!process.isAlive()) {
            checkEnd();
            return;
        }
        process.getOutputStream().close(); // closing its standard input ends the process
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            // An interrupt ends the server.
            Thread.currentThread().interrupt();
        }
    }

    /** Throws an exception if the process has ended with an error code. */
    private void checkEnd() throws LaunchException {
        if (!ORDERLY.contains(process.exitValue())) {
            throw new LaunchException("the forked server has ended with exit value " + process.exitValue(), null);
        }
    }
}
