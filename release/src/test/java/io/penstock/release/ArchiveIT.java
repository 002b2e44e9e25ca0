package io.penstock.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.release.Staging.Result;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Unpacks {@code penstock-VERSION.tar.gz}, and tests the script {@code bin/penstock}. Without an argument that names an application, the
 * script serves the sample application. The flow board is the page of the admin port.
 */
class ArchiveIT {
    private static final String ARCHIVE = "penstock-" + Staging.version();
    private static final String JAVA_HOME = System.getProperty("java.home");

    @TempDir
    Path folder;

    private Path home;
    private String penstock;

    @BeforeEach
    void unpack() throws Exception {
        Result result = Staging.run(
                folder, List.of("tar", "-xzf", Staging.file(ARCHIVE + ".tar.gz").toString()));
        assertEquals(0, result.exitCode(), result.text());
        home = folder.resolve(ARCHIVE);
        penstock = home.resolve("bin/penstock").toString();
    }

    @Test
    void theCommandServesTheSampleAndTheJvmIsStoppedBySigterm() throws Exception {
        // The test starts the command through a symbolic link, such as /usr/bin/penstock.
        Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of(penstock));
        try (StartedServer server = new StartedServer(folder, environment(Map.of()), List.of(link.toString()))) {
            server.assertServesTheSample();
            server.assertLinksToTheFlowBoard();
            assertEquals(
                    Path.of(JAVA_HOME, "bin", "java").toString(),
                    server.commandLine().get(0));
            assertEquals(StartedServer.TERMINATED, server.terminate());
        }
    }

    /** The options of this test name no application, so the script still serves the sample. */
    @Test
    void optionsAreAddedToTheConfigurationOfTheArchive() throws Exception {
        List<String> command =
                List.of(penstock, "--workers", "3", "--access-log=access.log", "--admin-tls", "off", "0");
        try (StartedServer server = new StartedServer(folder, environment(Map.of()), command)) {
            server.assertServesTheSample();
            server.assertLinksToTheFlowBoard();
            assertTrue(Files.exists(folder.resolve("access.log")));
        }
    }

    @Test
    void thePortOfTheFlowBoardIsReportedInOneLineIfItIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            int port = taken.getLocalPort();
            Result result = run("--port", "0", "--admin-port", Integer.toString(port));
            assertEquals(
                    new Result(
                            1,
                            "penstock: admin-port: cannot listen on 127.0.0.1:" + port + ": Address already in use\n"),
                    result);
        }
    }

    @Test
    void theOptionsForTheCheckAndTheHelpAndTheVersionAndTheConfigurationAreAccepted() throws Exception {
        Result checked = run("--check");
        assertEquals(0, checked.exitCode(), checked.text());
        assertTrue(checked.text().contains("chat.war"), checked.text());
        assertEquals(2, run("--check", "--workers", "none").exitCode());
        assertTrue(run("--help").text().startsWith("Usage: "));
        assertTrue(run("--help-all").text().startsWith("Usage: "));
        assertTrue(run("--version").text().contains(Staging.version()));
        String configuration = run("--print-config", "--queue", "7").text();
        assertTrue(configuration.contains(home.resolve("webapps").toString()), configuration);
        assertTrue(configuration.contains(home.resolve("conf/penstock.properties") + ":"), configuration);
    }

    /** The script adds no arguments to a command line that names an application or a configuration. */
    @Test
    void anApplicationOnTheCommandLineIsServedInsteadOfTheSample() throws Exception {
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("index.html"), "my own");
        try (StartedServer server =
                new StartedServer(folder, environment(Map.of()), List.of(penstock, site.toString()))) {
            String url = "http://127.0.0.1:" + server.port() + "/";
            assertEquals("my own", server.get(url).body());
            assertEquals(404, server.get(url + "chat/").statusCode());
        }
    }

    private Result run(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "JAVA_HOME=" + JAVA_HOME, penstock));
        command.addAll(List.of(arguments));
        return Staging.run(folder, command);
    }

    /** Returns the variables in {@code givenVariables}, and variables for the running Java and for a free port of the flow board. */
    private static Map<String, String> environment(Map<String, String> givenVariables) {
        Map<String, String> environment = new HashMap<>(givenVariables);
        environment.put("JAVA_HOME", JAVA_HOME);
        environment.put("PENSTOCK_ADMIN_PORT", "0");
        return environment;
    }

    @Test
    void theArchiveContainsTheLicense() throws Exception {
        Path license = Path.of(System.getProperty("penstock.root"), "LICENSE");
        assertEquals(Files.readString(license), Files.readString(home.resolve("LICENSE")));
    }

    @Test
    void theJvmLoadsTheArchiveOfClassesThatTheTrainOptionCreates() throws Exception {
        Result trained = run("--train");
        assertEquals(0, trained.exitCode(), trained.text());
        String archive = Runtime.version().feature() < 25
                ? "-XX:SharedArchiveFile=" + home.resolve("lib/penstock.jsa")
                : "-XX:AOTCache=" + home.resolve("lib/penstock.aot");
        // With -Xshare:on, a JVM does not start if it cannot use the archive of classes.
        Map<String, String> environment = environment(Map.of("JAVA_OPTS", "-Xshare:on -Xmx100m"));
        try (StartedServer server = new StartedServer(folder, environment, List.of(penstock))) {
            server.assertServesTheSample();
            assertTrue(
                    server.commandLine().containsAll(List.of(archive, "-Xshare:on", "-Xmx100m")),
                    server.commandLine().toString());
        }
    }

    @Test
    void theErrorForAnOldJavaContainsThePathOfJava() throws Exception {
        Path old = Files.createDirectories(folder.resolve("old/bin"));
        Path java = Files.createSymbolicLink(old.resolve("java"), Path.of("/bin/true"));
        assertTrue(Files.isExecutable(java));
        // An old Java installation is simulated by an executable file bin/java and a file "release" with the version.
        Files.delete(java);
        Files.copy(Path.of("/bin/true"), java);
        assertTrue(java.toFile().setExecutable(true));
        Files.writeString(folder.resolve("old/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"11.0.2\"\n");
        Result result = Staging.run(folder, List.of("env", "JAVA_HOME=" + folder.resolve("old"), penstock));
        assertEquals(new Result(1, "penstock: " + java + " is too old. Penstock needs Java 17 or newer.\n"), result);
    }

    @Test
    void theErrorForAMissingJavaContainsThePathOfJava() throws Exception {
        Result result = Staging.run(folder, List.of("env", "JAVA_HOME=/nowhere", penstock));
        assertEquals(new Result(1, "penstock: no Java at /nowhere/bin/java (JAVA_HOME)\n"), result);
    }

    /** If a Java installation has no file with its version, the script runs {@code java} to get the version. */
    @Test
    void aJavaInstallationWithoutAVersionFileIsAccepted() throws Exception {
        Path java = folder.resolve("odd/bin/java");
        Files.createDirectories(java.getParent());
        Files.writeString(java, "#!/bin/sh\nexec " + JAVA_HOME + "/bin/java \"$@\"\n");
        assertTrue(java.toFile().setExecutable(true));
        Result result =
                Staging.run(folder, List.of("env", "JAVA_HOME=" + folder.resolve("odd"), penstock, "--version"));
        assertEquals(0, result.exitCode(), result.text());
        assertTrue(result.text().contains(Staging.version()), result.text());
    }

    @Test
    @NeedsProgram({Program.CURL, Program.SYSTEMD_NSPAWN, Program.UNSHARE})
    void theDocumentedCommandsInstallAService() throws Exception {
        BootedMachine.require(folder);
        BootedMachine machine = new BootedMachine(Files.createDirectory(folder.resolve("machine")));
        Path archive = Staging.file(ARCHIVE + ".tar.gz");
        Files.copy(archive, machine.files().resolve(archive.getFileName()));
        Files.writeString(machine.files().resolve("service.sh"), Commands.with("useradd", "release.md", "The archive"));
        Files.writeString(
                machine.files().resolve("samples.sh"), Commands.with("webapps/*.war", "release.md", "The archive"));
        Files.writeString(
                machine.files().resolve("attach.sh"), Commands.with("nsenter", "guide/running.md", "Under systemd"));
        Files.writeString(
                machine.files().resolve("socket.sh"),
                Commands.with("systemctl", "production.md", "A socket from systemd"));
        Result result = machine.run("archive.sh");
        assertEquals(0, result.exitCode(), result.text());
        assertTrue(result.text().endsWith("== done\n"), result.text());
    }

    /** The systemd units in docs/production.md must be the same as the units in the archive. */
    @Test
    void theSystemdUnitsForTheSocketAreTheSameInTheDocumentAndInTheArchive() throws Exception {
        Path document = Path.of(System.getProperty("penstock.root"), "docs/production.md");
        Matcher blocks = Pattern.compile("```ini\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(document));
        for (String unit : List.of("penstock.socket", "socket.conf")) {
            assertTrue(blocks.find(), unit);
            assertEquals(
                    blocks.group(1), Files.readString(home.resolve("systemd").resolve(unit)));
        }
        assertFalse(Files.readString(home.resolve("systemd/penstock.service")).isEmpty());
    }

    @Test
    void theManualPageNamesTheVersion() throws Exception {
        String page = Files.readString(home.resolve("share/man/man1/penstock.1"));
        assertTrue(page.contains("\n.TH PENSTOCK 1 \"\" \"Penstock " + Staging.version() + "\" "), page);
    }
}
