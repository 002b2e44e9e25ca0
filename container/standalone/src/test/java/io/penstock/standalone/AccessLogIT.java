package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
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

/** Tests the access log of {@code penstock.jar}: on the standard output, and in a file that another program moves. */
class AccessLogIT {
    @TempDir
    Path folder;

    private Path site;

    @BeforeEach
    void createSite() throws IOException {
        site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
    }

    private static int get(int port, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .statusCode();
    }

    @Test
    void aDashAsTheFileNameSelectsTheStandardOutput() throws Exception {
        try (JarProcess jar = JarProcess.run(
                "0",
                "--access-log",
                "-",
                "--access-log-format",
                "cs-method cs-uri sc-status x-outcome",
                site.toString())) {
            int port = JarProcess.port(jar.startLine());
            assertEquals(200, get(port, "/hello.txt"));
            assertEquals(404, get(port, "/WEB-INF/web.xml?a"));
            jar.terminate();
            List<String> lines = jar.ended().out().lines().toList();
            assertEquals(
                    List.of("#Version: 1.0", "#Fields: cs-method cs-uri sc-status x-outcome"), lines.subList(0, 2));
            assertEquals(
                    List.of("GET /WEB-INF/web.xml?a 404 answered", "GET /hello.txt 200 answered"),
                    lines.stream().skip(2).sorted().toList(),
                    "the sorted log lines of the two requests");
        }
    }

    @Test
    void theSignalUsr1ReopensTheAccessLog() throws Exception {
        assumeTrue(OS.LINUX.isCurrentOs(), "this test needs Linux signals");
        Path file = folder.resolve("access.log");
        Path moved = folder.resolve("moved.log");
        try (JarProcess jar = JarProcess.run("0", "--access-log", file.toString(), site.toString())) {
            int port = JarProcess.port(jar.startLine());
            assertEquals(200, get(port, "/hello.txt?before"));
            Awaitility.await().until(() -> Files.readString(file).contains("?before"));
            Files.move(file, moved);
            assertTrue(Signals.send("USR1", jar.pid()));
            Awaitility.await().until(() -> Files.exists(file));
            assertEquals(200, get(port, "/hello.txt?after"));
            Awaitility.await().until(() -> Files.readString(file).contains("?after"));
            assertTrue(jar.isAlive());
            assertTrue(Files.readString(moved).endsWith("\n"));
        }
    }

    @Test
    void anAccessLogThatCannotBeCreatedPreventsTheStart() throws Exception {
        try (JarProcess jar =
                JarProcess.run("0", "--access-log", folder.resolve("none/a.log").toString(), site.toString())) {
            jar.ended()
                    .assertOneLineStartingWith(
                            ExitCode.START_FAILED.number(), "penstock: access-log: cannot be written: ");
        }
    }
}
