package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code --train}, which creates an archive of classes. A server that starts with the archive loads classes from the archive. */
class TrainIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    @TempDir
    Path folder;

    private Path archive;
    private Path site;

    @BeforeEach
    void site() throws IOException {
        archive = folder.resolve("of-classes");
        site = Files.createDirectory(folder.resolve("site"));
        Files.writeString(site.resolve("hello.txt"), "Hello");
    }

    private static Ran run(String... args) throws Exception {
        try (JarProcess jar = JarProcess.run(args)) {
            return jar.ended();
        }
    }

    private static String get(JarProcess jar, String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    /** The archive contains the classes that start the server, handle a request, and deploy an application. */
    @Test
    void theServerLoadsClassesFromTheArchiveThatTheTrainingHasCreated() throws Exception {
        Ran trained = run("--train", "--train-to", archive.toString(), "0", "/=" + SAMPLE, "/site=" + site);
        assertFalse(trained.err().matches("(?s).*(WARN|ERROR).*"), trained.err());
        assertEquals(0, trained.exitCode());
        String use = ArchiveKind.ofThisJvm().toUse(archive);
        assertTrue(trained.out().startsWith("Trained: " + archive + " ("), trained.out());
        assertTrue(trained.out().contains("Start with: java " + use + " -jar "), trained.out());
        Path log = folder.resolve("classes.log");
        Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", use + " -Xlog:class+load:file=" + log);
        try (JarProcess jar = JarProcess.run(environment, "0", "/=" + SAMPLE, "/site=" + site)) {
            assertEquals("Hello", get(jar, "/site/hello.txt"));
        }
        List<String> loaded = Files.readAllLines(log);
        for (String type : List.of(
                "io.penstock.standalone.Command",
                "io.penstock.server.Server",
                "io.penstock.http1.Http1Connection",
                "io.penstock.files.DefaultServlet",
                "io.penstock.deploy.WebXmlParser")) {
            assertEquals(
                    List.of("shared objects file"),
                    loaded.stream()
                            .filter(line -> line.contains(" " + type + " source: "))
                            .map(line -> line.replaceFirst(".* source: (shared objects file)?.*", "$1"))
                            .toList(),
                    type);
        }
    }

    /**
     * The archive contains classes of the server and of the JDK. The default archive of the JDK does not contain the JDK class that this
     * test checks, so this class must come from the new archive.
     */
    @Test
    void aTrainingOverTlsAddsTheClassesForATlsHandshakeToTheArchive() throws Exception {
        Ran trained = run("--train", "--train-to", archive.toString(), "--tls-self-signed", "0", site.toString());
        assertEquals(0, trained.exitCode(), trained.err());
        Path log = folder.resolve("classes.log");
        String use = ArchiveKind.ofThisJvm().toUse(archive);
        Map<String, String> environment = Map.of("JDK_JAVA_OPTIONS", use + " -Xlog:class+load:file=" + log);
        try (JarProcess jar = JarProcess.run(environment, "--tls-self-signed", "0", site.toString())) {
            assertEquals("Hello", HttpsIT.get(JarProcess.port(jar.startLine())).body());
        }
        List<String> loaded = Files.readAllLines(log);
        for (String type : List.of("io.penstock.tls.Handshake", "sun.security.ssl.ServerHello")) {
            assertTrue(
                    loaded.stream()
                            .anyMatch(line ->
                                    line.contains(" " + type + " source: ") && line.contains("shared objects file")),
                    type);
        }
    }

    /** A training must not create files in configured folders, because a running server may use the same folders. */
    @Test
    void aTrainingDoesNotRequestACertificateFromTheAcmeAuthority() throws Exception {
        Path kept = folder.resolve("acme");
        Ran trained = run(
                "--train",
                "--train-to",
                archive.toString(),
                "--acme",
                "a.example",
                "--acme-directory",
                "http://localhost:1/dir",
                "--acme-dir",
                kept.toString(),
                "0",
                site.toString());
        assertEquals(0, trained.exitCode(), trained.err());
        assertFalse(Files.exists(kept));
    }

    @Test
    void aTrainingIgnoresTheConfiguredListenersAndTheAccessLogAndTheSessionFolder() throws Exception {
        Path log = folder.resolve("access.log");
        Path sessions = Files.createDirectory(folder.resolve("sessions"));
        try (ServerSocket taken = new ServerSocket(0)) {
            Ran trained = run(
                    "--train",
                    "--train-to=" + archive,
                    "--access-log=" + log,
                    "--session-dir=" + sessions,
                    "--listen=http://127.0.0.1:" + taken.getLocalPort(),
                    "--listen=unix:" + folder.resolve("s") + "?proxy-protocol=on",
                    "--trusted-proxies=unix",
                    site.toString());
            assertFalse(trained.err().matches("(?s).*(WARN|ERROR).*"), trained.err());
            assertEquals(0, trained.exitCode());
        }
        assertTrue(Files.exists(archive));
        assertFalse(Files.exists(log));
        assertEquals(List.of(), contents(sessions));
        assertFalse(Files.exists(folder.resolve("s")));
    }

    @Test
    void aFailedTrainingDoesNotChangeTheExistingArchive() throws Exception {
        Files.writeString(archive, "former");
        Ran wrong = run("--train", "--train-to", archive.toString(), "--workers", "many", site.toString());
        wrong.assertUsageError("workers: 'many' is not a whole number (from --workers)");
        Files.createDirectories(site.resolve("WEB-INF"));
        Files.writeString(site.resolve("WEB-INF/web.xml"), "<web-app>\n<servlt/></web-app>");
        Ran broken = run("--train", "--train-to", archive.toString(), site.toString());
        broken.assertOneLineStartingWith(1, "penstock: " + site + ": WEB-INF/web.xml:2: ");
        assertEquals("former", Files.readString(archive));
        assertEquals(List.of("of-classes", "site"), contents(folder));
    }

    @Test
    void anArchiveFileThatCannotBeWrittenIsReportedOnOneLine() throws Exception {
        Path missing = folder.resolve("missing");
        run("--train", "--train-to", missing.resolve("a.jsa").toString(), site.toString())
                .assertError(
                        1,
                        "--train: cannot write to " + missing + ": no such folder (--train-to FILE writes elsewhere)");
        run("--train", "--train-to", folder.toString(), site.toString())
                .assertError(1, "--train: " + folder + " is a folder");
    }

    @Test
    void anInvalidArchiveDoesNotPreventTheStart() throws Exception {
        Files.writeString(archive, "This is no archive.");
        String use = ArchiveKind.ofThisJvm().toUse(archive);
        try (JarProcess jar = JarProcess.run(Map.of("JDK_JAVA_OPTIONS", use), "0", site.toString())) {
            assertEquals("Hello", get(jar, "/hello.txt"));
        }
    }

    private static List<String> contents(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
