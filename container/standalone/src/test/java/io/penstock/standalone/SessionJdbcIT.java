package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.FreePort;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.PostgresServer;
import io.penstock.testing.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests servers in separate processes that store their sessions in one database. */
class SessionJdbcIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private static URI guestBook(int port) {
        return URI.create("http://localhost:" + port + "/guestbook");
    }

    /** Adds an entry to the guest book, and returns the session cookie. */
    private String sign(int port) throws IOException, InterruptedException {
        HttpResponse<String> signed = client.send(
                HttpRequest.newBuilder(guestBook(port))
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString("name=Ada&message=Hello"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertEquals(303, signed.statusCode());
        return signed.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
    }

    private boolean hasSigned(int port, String cookie) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(guestBook(port))
                                .header("Cookie", cookie)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body()
                .contains("You have signed once in this session");
    }

    @Test
    @NeedsProgram(Program.POSTGRES)
    void serversShareASessionInPostgresqlAndALaterServerContinuesTheSession() throws Exception {
        try (PostgresServer database = PostgresServer.start()) {
            String[] arguments = {
                "--port",
                "0",
                "--session-store",
                database.url() + "?user=" + PostgresServer.USER + "#password-env=DB_PASSWORD&timeout=60s",
                "/=" + SAMPLE
            };
            Map<String, String> environment = Map.of("DB_PASSWORD", PostgresServer.PASSWORD);
            String cookie;
            try (JarProcess other = JarProcess.run(environment, arguments)) {
                try (JarProcess one = JarProcess.run(environment, arguments)) {
                    int port = JarProcess.port(one.startLine());
                    cookie = sign(port);
                    assertTrue(hasSigned(port, cookie));
                    assertTrue(hasSigned(JarProcess.port(other.startLine()), cookie));
                    assertFalse(one.log().contains(PostgresServer.PASSWORD), one.log());
                    // The end of this block kills the process with SIGKILL.
                }
            }
            try (JarProcess next = JarProcess.run(environment, arguments)) {
                assertTrue(hasSigned(JarProcess.port(next.startLine()), cookie));
            }
        }
    }

    @Test
    void theServerLoadsADatabaseDriverFromTheFolderOfTheJar() throws Exception {
        Path jar = Files.copy(JarProcess.usualJar(), folder.resolve("penstock.jar"));
        Path driver = Path.of(org.h2.Driver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Files.copy(driver, folder.resolve("penstock-jdbc-driver.jar"));
        String store = "jdbc:h2:" + folder.resolve("sessions") + ";AUTO_SERVER=TRUE#timeout=60s";
        String[] arguments = {"--port", "0", "--session-store", store, "/=" + SAMPLE};
        String cookie;
        try (JarProcess one = JarProcess.ofCopy(jar, arguments)) {
            cookie = sign(JarProcess.port(one.startLine()));
            try (JarProcess other = JarProcess.ofCopy(jar, arguments)) {
                assertTrue(hasSigned(JarProcess.port(other.startLine()), cookie));
            }
        }
    }

    @Test
    void theServerDoesNotStartWithoutADriverForTheDatabase() throws Exception {
        assertServerDoesNotStart(
                "jdbc:h2:" + folder.resolve("sessions") + ";PASSWORD=secret",
                "no driver on the class path knows URLs of 'jdbc:h2:'; penstock.jar finds one in"
                        + " penstock-jdbc-driver.jar beside it");
    }

    @Test
    void onlyRequestsWithASessionFailWhileTheDatabaseIsDown() throws Exception {
        int free = FreePort.next();
        String store = "jdbc:postgresql://127.0.0.1:" + free + "/shop?user=ada&password=secret#timeout=5s";
        try (JarProcess jar = JarProcess.run("--port", "0", "--session-store", store, "/=" + SAMPLE)) {
            int port = JarProcess.port(jar.startLine());
            URI page = URI.create("http://localhost:" + port + "/site.css");
            assertEquals(
                    200,
                    client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode());
            HttpResponse<Void> response = client.send(
                    HttpRequest.newBuilder(guestBook(port))
                            .header("Cookie", "JSESSIONID=0123456789")
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
            assertEquals(503, response.statusCode());
            assertTrue(response.headers().firstValue("Retry-After").isPresent());
            String log = jar.log();
            assertTrue(log.contains("the database cannot be used: Connection to 127.0.0.1:" + free + " refused"), log);
            assertFalse(log.contains("secret"), log);
        }
    }

    @Test
    @NeedsProgram(Program.POSTGRES)
    void theServerDoesNotStartWithAWrongPasswordForTheDatabase() throws Exception {
        try (PostgresServer database = PostgresServer.start()) {
            assertServerDoesNotStart(
                    database.url() + "?user=" + PostgresServer.USER + "&password=secret",
                    "the database cannot be used: FATAL: password authentication failed for user \""
                            + PostgresServer.USER + "\"");
        }
    }

    private static void assertServerDoesNotStart(String store, String problem) throws Exception {
        try (JarProcess process = JarProcess.run("--port", "0", "--session-store", store, "/=" + SAMPLE)) {
            Ran ran = process.ended();
            assertEquals(ExitCode.START_FAILED.number(), ran.exitCode(), ran.err());
            assertTrue(ran.err().contains("session-store: " + problem), ran.err());
            assertFalse(ran.err().contains("secret"), ran.err());
        }
    }
}
