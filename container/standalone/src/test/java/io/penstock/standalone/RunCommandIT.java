package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.FreePort;
import io.penstock.testing.Signals;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests {@code ./run}, the first command of the README. The script works in a clone with only a few files. In place of Maven it finds a
 * script that writes down its arguments and copies the jar and the WAR files of this build.
 */
@DisabledOnOs(OS.WINDOWS)
class RunCommandIT {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    @TempDir
    Path folder;

    private Path clone;
    private Path programs;

    @BeforeEach
    void makeClone() throws Exception {
        clone = Files.createDirectory(folder.resolve("a clone"));
        programs = Files.createDirectory(folder.resolve("programs"));
        Files.copy(ROOT.resolve("run"), clone.resolve("run"));
        Files.createFile(clone.resolve("pom.xml"));
        for (String module : List.of("container/standalone", "sample-webapp", "sample-chat")) {
            Files.createDirectories(clone.resolve(module).resolve("src/main"));
        }
        program(
                "mvn",
                "if [ \"$1\" = -v ]; then echo 'Apache Maven 3.8.7 (Debian)'; exit; fi",
                "echo \"$@\" >> '" + folder + "/builds'",
                "for module in container/standalone sample-webapp sample-chat; do mkdir -p '" + clone
                        + "'/$module/target; done",
                "ln -sf '" + JarProcess.usualJar() + "' '" + clone + "/container/standalone/target/penstock.jar'",
                "ln -sf '" + System.getProperty("sample.webapp") + "' '" + clone
                        + "/sample-webapp/target/sample-webapp.war'",
                "ln -sf '" + System.getProperty("sample.chat") + "' '" + clone
                        + "/sample-chat/target/sample-chat.war'");
    }

    private void program(String name, String... lines) throws IOException {
        Path file = programs.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + String.join("\n", lines) + "\n");
        assertTrue(file.toFile().setExecutable(true));
    }

    private Process run(String... options) throws IOException {
        // If a shell has started this build in the background, its children ignore Ctrl-C. A terminal's do not.
        List<String> command = new ArrayList<>(List.of(
                "sh",
                "-c",
                "env --default-signal=INT true 2>/dev/null && exec env --default-signal=INT \"$0\" \"$@\" || exec \"$0\" \"$@\"",
                clone.resolve("run").toString()));
        command.addAll(List.of(options));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("PENSTOCK_"));
        builder.environment().merge("PATH", programs + ":", (path, before) -> before + path);
        builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        return builder.start();
    }

    /** Returns the lines of {@code ./run} until it has printed the three addresses. The process runs on. */
    private static List<String> linesUntilReady(Process run) throws IOException {
        BufferedReader out = run.inputReader(StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line.strip());
            if (line.startsWith("Ctrl-C")) {
                break;
            }
        }
        return lines;
    }

    private static String address(List<String> lines, String what) {
        return lines.stream()
                .filter(line -> line.startsWith(what + " "))
                .map(line -> line.substring(what.length()).strip())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no address of the " + what + " in " + lines));
    }

    private static int status(String address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private List<String> builds() throws IOException {
        Path file = folder.resolve("builds");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void stop(Process run) throws Exception {
        assertTrue(Signals.send("INT", run.pid()));
        assertTrue(run.waitFor(1, TimeUnit.MINUTES));
        assertNotEquals(0, run.exitValue());
        assertTrue(Files.readString(folder.resolve("err")).contains("Stopped after"));
    }

    @Test
    void oneCommandBuildsAndStartsTheSampleAndTheChatAndTheFlowBoardUntilCtrlC() throws Exception {
        Process run = run();
        List<String> lines = linesUntilReady(run);
        for (String what : List.of("sample", "chat", "flow board")) {
            assertEquals(200, status(address(lines, what)), what);
        }
        stop(run);
        assertEquals(1, builds().size());
        List<String> arguments = List.of(builds().get(0).split(" "));
        for (String module : arguments.get(arguments.indexOf("-pl") + 1).split(",")) {
            assertTrue(Files.exists(ROOT.resolve(module).resolve("pom.xml")), module);
        }
    }

    @Test
    void nothingIsBuiltAgainUntilASourceFileIsChangedOrDeletedOrAResultIsMissing() throws Exception {
        Path source = Files.createFile(clone.resolve("sample-webapp/src/main/Page.java"));
        stop(started());
        stop(started());
        assertEquals(1, builds().size(), "builds of unchanged sources");
        FileTime later = FileTime.from(Instant.now().plusSeconds(3600));
        Files.setLastModifiedTime(source, later);
        stop(started());
        assertEquals(2, builds().size(), "builds after a changed source file");
        // With its time in the future, the file would be newer than each build.
        Files.setLastModifiedTime(source, FileTime.from(Instant.EPOCH));
        Files.delete(source);
        Files.setLastModifiedTime(source.getParent(), later);
        stop(started());
        assertEquals(3, builds().size(), "builds after a deleted source file");
        Files.setLastModifiedTime(source.getParent(), FileTime.from(Instant.EPOCH));
        Files.delete(clone.resolve("sample-chat/target/sample-chat.war"));
        stop(started());
        assertEquals(4, builds().size(), "builds after a deleted WAR");
    }

    private Process started() throws IOException {
        Process run = run();
        linesUntilReady(run);
        return run;
    }

    @Test
    void optionsArePassedToTheServerAlsoIfTheyNameThePorts() throws Exception {
        int port = FreePort.next();
        int admin = FreePort.next();
        Process run = run("--port", Integer.toString(port), "--admin-port=" + admin, "--node-name", "first");
        List<String> lines = linesUntilReady(run);
        assertEquals("http://localhost:" + port + "/", address(lines, "sample"));
        assertEquals("http://127.0.0.1:" + admin + "/", address(lines, "flow board"));
        assertTrue(lines.stream().anyMatch(line -> line.contains(", node first, serves")), lines::toString);
        stop(run);
    }

    @Test
    void aUsedPortIsPassedOverIfNoneIsNamedAndElseItIsAnError() throws Exception {
        Process first = started();
        Process second = run();
        List<String> lines = linesUntilReady(second);
        assertEquals(200, status(address(lines, "chat")));
        stop(second);
        stop(first);
        try (ServerSocket used = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process third = run("--port", Integer.toString(used.getLocalPort()), "--host", "127.0.0.1");
            assertNotEquals(0, third.waitFor());
            String error = Files.readString(folder.resolve("err"));
            assertTrue(error.contains(used.getLocalPort() + ": Address already in use"), error);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java, 'openjdk version \"11.0.25\" 2024-10-15', 'a JDK, 17 or newer, is needed. '",
        "java, 'java version \"1.8.0_432\"', 'a JDK, 17 or newer, is needed. '",
        "mvn, 'Apache Maven 3.6.3', 'Maven, 3.8 or newer, is needed. '",
        "mvn, 'Apache Maven 2.2.1', 'Maven, 3.8 or newer, is needed. '"
    })
    void anOldJdkOrMavenIsNamedWithItsVersion(String program, String version, String message) throws Exception {
        program(program, "echo '" + version + "' >&2");
        assertFails(program, message, version);
    }

    @ParameterizedTest
    @CsvSource({"java, 'a JDK, 17 or newer, is needed: '", "mvn, 'Maven, 3.8 or newer, is needed: '"})
    void aMissingJdkOrMavenIsNamed(String program, String message) throws Exception {
        program(program, "exit 127");
        assertFails(program, message, program);
    }

    @Test
    void aFailedBuildStartsNothingAndIsTriedAgain() throws Exception {
        program("mvn", "[ \"$1\" = -v ] && { echo Apache Maven 3.9.9; exit; }", "exit 1");
        assertFails("mvn", "the build failed", "");
        assertTrue(Files.notExists(clone.resolve("target/built-by-run")));
    }

    /** If Java is to fail, it is the one in the folder of programs. */
    private void assertFails(String program, String message, String detail) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(clone.resolve("run").toString()).redirectErrorStream(true);
        builder.environment().merge("PATH", programs + ":", (path, before) -> before + path);
        if (program.equals("java")) {
            builder.environment().remove("JAVA_HOME");
        } else {
            builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
        }
        Process run = builder.start();
        String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, run.waitFor(), output);
        String last = Stream.of(output.split("\n")).reduce("", (before, line) -> line);
        assertTrue(last.startsWith("run: " + message), output);
        assertTrue(last.contains(detail), output);
    }
}
