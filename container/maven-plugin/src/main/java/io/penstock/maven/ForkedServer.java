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
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A server in a JVM of its own, which ends when its standard input does: so it does not outlive Maven.
 *
 * <p>Thread: any. Owns: the process, and a thread that passes its output on.
 */
final class ForkedServer implements LaunchedServer {
    /** More than the time in which a server finishes its requests. */
    private static final long PATIENCE_SECONDS = 60;

    private final Process process;
    private final int port;

    private ForkedServer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts the process, and waits until it serves.
     *
     * @param folder for the file with the launch
     * @param output gets each line that the process prints
     * @throws LaunchException if it does not serve; its error stream says why
     */
    static ForkedServer start(
            Launch launch, List<Path> classPath, List<String> jvmArguments, Path folder, Consumer<String> output)
            throws IOException, LaunchException {
        Files.createDirectories(folder);
        Path file = folder.resolve("launch.properties");
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
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader lines = process.inputReader();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(ForkedMain.PORT)) {
                pass(lines, output);
                return new ForkedServer(process, Integer.parseInt(line.substring(ForkedMain.PORT.length())));
            }
            output.accept(line);
        }
        throw new LaunchException("the forked server does not start: see above", null);
    }

    private static void pass(BufferedReader lines, Consumer<String> output) {
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
    }

    @Override
    public int port() {
        return port;
    }

    @Override
    public void await() throws InterruptedException {
        process.waitFor();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close(); // its standard input: it ends
        try {
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt(); // an interrupt ends the server
        }
    }
}
