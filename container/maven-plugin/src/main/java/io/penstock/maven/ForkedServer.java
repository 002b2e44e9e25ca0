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
 * A server in a separate JVM, which ends when its standard input ends. So it does not outlive Maven. Its output contains only
 * that of the application; a file shows that the server is ready.
 *
 * <p>Thread: any. Owns: the process, and a thread that forwards its output.
 */
final class ForkedServer implements LaunchedServer {
    /** Longer than a server takes to finish its requests. */
    private static final long PATIENCE_SECONDS = 60;

    /** The pause between two checks for the file that shows that the server is ready. */
    private static final long LOOK_MILLIS = 20;

    /** The time limit for the last output of a process. A child of the process may keep the output open. */
    private static final long LAST_WORDS_MILLIS = 1000;

    /** The exit codes of a JVM that ends by itself, by Ctrl-C, and by SIGTERM. */
    private static final Set<Integer> ORDERLY = Set.of(0, 128 + 2, 128 + 15);

    private final Process process;
    private final int port;
    private final String url;

    private ForkedServer(Process process, int port, String url) {
        this.process = process;
        this.port = port;
        this.url = url;
    }

    /**
     * Starts the process, and waits until the server is ready.
     *
     * @param folder for files that exist until the server is ready
     * @param output gets each line that the process prints
     * @throws LaunchException if the server does not become ready; the reason is on its error stream
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
        process.getOutputStream().close(); // closes its standard input, so it ends
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt(); // an interrupt ends the server
        }
    }

    /** The process has ended, but not because this object has ended it. */
    private void checkEnd() throws LaunchException {
        if (!ORDERLY.contains(process.exitValue())) {
            throw new LaunchException("the forked server has ended with exit value " + process.exitValue(), null);
        }
    }
}
