package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.testing.Signals;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a running server reloads its configuration, after a signal and after the command {@code --reload}. */
class ReloadIT {
    @TempDir
    Path folder;

    private Path site;
    private Path configuration;

    @BeforeEach
    void createSite() throws IOException {
        site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
        configuration = folder.resolve("penstock.properties");
        configure("one", "");
    }

    /** @param more the lines after the line {@code response-rules} in the configuration file */
    private void configure(String version, String more) throws IOException {
        Path rules = Files.writeString(folder.resolve("rules.txt"), "/* X-Version: " + version + "\n");
        Files.writeString(configuration, "response-rules = " + rules + "\n" + more);
    }

    private JarProcess start(String... more) throws IOException {
        String[] all = new String[more.length + 4];
        System.arraycopy(new String[] {"--config", configuration.toString(), "0"}, 0, all, 0, 3);
        System.arraycopy(more, 0, all, 3, more.length);
        all[all.length - 1] = site.toString();
        return JarProcess.run(all);
    }

    private static HttpResponse<String> get(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello.txt"))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static List<String> versions(int port) throws IOException, InterruptedException {
        return get(port).headers().allValues("X-Version");
    }

    private static Ran reload(JarProcess server) throws Exception {
        try (JarProcess reloading = JarProcess.run("--reload", Long.toString(server.pid()))) {
            return reloading.ended();
        }
    }

    private static void signal(JarProcess server) throws Exception {
        assertTrue(Signals.send("USR1", server.pid()));
    }

    @Test
    void theCommandReloadAppliesNewSettingsAndPrintsWhichSettingsNeedARestart() throws Exception {
        try (JarProcess server = start()) {
            int port = JarProcess.port(server.startLine());
            assertEquals(List.of("one"), versions(port));

            configure("two", "denied-addresses = 127.0.0.1\n");
            assertEquals(new Ran(0, "Reloaded" + System.lineSeparator(), ""), reload(server));
            HttpResponse<String> denied = get(port);
            assertEquals(403, denied.statusCode());
            assertEquals(List.of("two"), denied.headers().allValues("X-Version"));
            assertTrue(
                    server.log().contains("Reloaded. Changed settings: denied-addresses, response-rules\n"),
                    server.log());

            assertEquals(0, reload(server).exitCode());
            assertTrue(server.log().contains("Reloaded. Changed settings: none\n"), server.log());

            configure("three", "workers = 3\nhead-timeout = 7s\n");
            String out = String.join(
                    System.lineSeparator(),
                    "Reloaded",
                    "needs a restart: workers",
                    "needs a restart: head-timeout",
                    "");
            assertEquals(new Ran(4, out, ""), reload(server));
            assertEquals(List.of("three"), versions(port));
            assertTrue(
                    server.log().contains("Changed settings that need a restart: workers, head-timeout"), server.log());

            configure("four", "request-rate = many\n");
            String why = "not reloaded; nothing has changed: request-rate: 'many' is not a whole number (from "
                    + configuration + ":2)";
            reload(server).assertError(2, why);
            assertEquals(List.of("three"), versions(port));
            assertEquals(
                    1,
                    server.log()
                            .lines()
                            .filter(line -> line.contains("Not reloaded; nothing has changed: request-rate:"))
                            .count(),
                    server.log());
        }
    }

    @Test
    void aSignalReloadsTheConfigurationAndReopensTheAccessLog() throws Exception {
        assumeTrue(OS.LINUX.isCurrentOs(), "the test needs signals");
        Path log = folder.resolve("access.log");
        try (JarProcess server = start("--access-log", log.toString())) {
            int port = JarProcess.port(server.startLine());
            assertEquals(List.of("one"), versions(port));
            Awaitility.await().until(() -> Files.readString(log).contains("/hello.txt"));
            Files.move(log, folder.resolve("moved.log"));
            configure("two", "log-level = debug\n");
            assertFalse(server.log().contains("DEBUG"), server.log());
            signal(server);
            Awaitility.await().until(() -> versions(port).equals(List.of("two")));
            Awaitility.await().until(() -> Files.exists(log));
            Awaitility.await().until(() -> server.log().contains(" DEBUG "));
            assertTrue(server.log().contains("Changed settings: log-level"), server.log());

            Files.writeString(folder.resolve("rules.txt"), "/* Content-Length: 7\n");
            signal(server);
            Awaitility.await().until(() -> server.log()
                    .contains("Not reloaded; nothing has changed: response-rules: " + folder.resolve("rules.txt")
                            + ":1: Content-Length is not for rules"));
            assertEquals(List.of("two"), versions(port));
            assertTrue(server.isAlive());
        }
    }

    @Test
    void aReloadOfAProcessWithoutAServerIsAnError() throws Exception {
        String process = Long.toString(ProcessHandle.current().pid());
        try (JarProcess reloading = JarProcess.run("--reload", process)) {
            reloading.ended().assertError(1, "process " + process + " has no running server");
        }
    }
}
