package io.penstock.maven;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A run of Maven in a folder, without a network. The artifacts of Penstock are in a {@link LocalRepository} of the test. Maven reads all
 * other artifacts from the local repository of the Penstock build that runs this test.
 *
 * <p>This object owns the process. {@link #close} ends the process.
 */
final class MavenRun implements AutoCloseable {
    private static final Pattern SERVES = Pattern.compile("Penstock serves .* at http://127\\.0\\.0\\.1:([0-9]+)/");

    private final Process process;
    private final BufferedReader lines;
    private final StringBuilder output = new StringBuilder();

    private MavenRun(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    static MavenRun start(LocalRepository repository, Path folder, String... arguments) throws IOException {
        Path maven = Path.of(System.getProperty("maven.home"), "bin", "mvn");
        List<String> command = new ArrayList<>(List.of(
                maven.toString(),
                "-B",
                "-s",
                repository.settings().toString(),
                "-Dmaven.repo.local=" + repository.folder()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        Path home = Files.createDirectories(repository.home());
        environment.put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -Xmx256m -Duser.home=" + home);
        environment.remove("MAVEN_ARGS");
        // Without a folder .mvn in the project, Maven uses the folder .mvn of a parent folder.
        Files.createDirectories(folder.resolve(".mvn"));
        return new MavenRun(builder.start());
    }

    /** Waits until the server is ready. Returns the port of the server. */
    int port() throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
            Matcher serves = SERVES.matcher(line);
            if (serves.find()) {
                return Integer.parseInt(serves.group(1));
            }
        }
        return fail("Maven has ended before the server was ready: " + output);
    }

    /** Waits for a line with this text. */
    void awaitLine(String text) throws IOException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
            if (line.contains(text)) {
                return;
            }
        }
        fail("Maven has ended without a line with '" + text + "': " + output);
    }

    /** Waits for the end of a successful build. Returns the output of the build. */
    String awaitSuccess() throws IOException, InterruptedException {
        String all = awaitEnd();
        assertEquals(0, process.exitValue(), all);
        return all;
    }

    /** Stops Maven as Ctrl-C does. Waits for the end of Maven and of a forked server. Returns the output of Maven. */
    String interruptAndAwaitEnd() throws IOException, InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.toHandle().destroy();
        String all = awaitEnd();
        await().atMost(PATIENCE).until(() -> children.stream().noneMatch(MavenRun::runs));
        return all;
    }

    /**
     * Returns whether a process runs. After the end of a process, Java still reports the process as alive until the parent process reads
     * the exit code. In a Docker container, the parent process may never read the exit code. But an ended process has no command.
     */
    private static boolean runs(ProcessHandle process) {
        return process.isAlive() && process.info().command().isPresent();
    }

    private String awaitEnd() throws IOException, InterruptedException {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            output.append(line).append('\n');
        }
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            fail("Maven does not end: " + output);
        }
        return output.toString();
    }

    @Override
    public void close() throws InterruptedException {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroyForcibly().waitFor();
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
