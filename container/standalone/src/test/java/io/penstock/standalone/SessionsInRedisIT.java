package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import io.penstock.testing.RedisServer;
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

/** Tests two servers in separate processes that store their sessions in one Redis server. */
@NeedsProgram(Program.REDIS_SERVER)
class SessionsInRedisIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path folder;

    private HttpResponse<String> send(JarProcess jar, int port, HttpRequest.Builder request, String cookie)
            throws Exception {
        request.uri(URI.create("http://localhost:" + port + "/guestbook"));
        if (!cookie.isEmpty()) {
            request.header("Cookie", cookie);
        }
        HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        assertTrue(response.statusCode() < 400, () -> response + log(jar));
        return response;
    }

    private static String log(JarProcess jar) {
        try {
            return jar.log();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static HttpRequest.Builder guestBookEntry() {
        return HttpRequest.newBuilder()
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("name=Ada&message=Hello"));
    }

    @Test
    void twoServersShareASessionThatContinuesAfterOneServerIsKilled() throws Exception {
        Path secret = Files.writeString(folder.resolve("secret"), "open-sesame\n");
        try (RedisServer redis = RedisServer.start("--requirepass", "open-sesame")) {
            String store = "redis://127.0.0.1:" + redis.port() + "?timeout=60s&password-file=" + secret;
            try (JarProcess other = JarProcess.run("--port", "0", "--session-store", store, "/=" + SAMPLE)) {
                int otherPort = JarProcess.port(other.startLine());
                String cookie;
                try (JarProcess one = JarProcess.run("--port", "0", "--session-store", store, "/=" + SAMPLE)) {
                    int port = JarProcess.port(one.startLine());
                    HttpResponse<String> signed = send(one, port, guestBookEntry(), "");
                    cookie = signed.headers()
                            .firstValue("Set-Cookie")
                            .orElseThrow()
                            .split(";", -1)[0];
                    assertTrue(send(other, otherPort, HttpRequest.newBuilder(), cookie)
                            .body()
                            .contains("signed once"));
                    send(other, otherPort, guestBookEntry(), cookie);
                    assertTrue(send(one, port, HttpRequest.newBuilder(), cookie)
                            .body()
                            .contains("signed 2 times"));
                    send(one, port, guestBookEntry(), cookie);
                    // The end of this block kills the process with SIGKILL.
                }
                assertTrue(send(other, otherPort, HttpRequest.newBuilder(), cookie)
                        .body()
                        .contains("signed 3 times"));
                assertFalse(other.log().contains("WARN") || other.log().contains("ERROR"), other.log());
            }
        }
    }

    @Test
    void anInvalidAddressOfRedisIsReportedAtTheStart() throws Exception {
        try (JarProcess jar = JarProcess.run(
                Map.of("PENSTOCK_SESSION_STORE", "redis://ada:sesame@cache?colour=red"),
                "--port",
                "0",
                "/=" + SAMPLE)) {
            Ran ran = jar.ended();
            assertTrue(ran.exitCode() != 0);
            assertTrue(ran.err().contains("session-store: an option of the session store is unknown"), ran.err());
            assertFalse((ran.out() + ran.err()).contains("sesame"));
        }
    }

    @Test
    void thePasswordOfRedisIsNotInThePrintedConfiguration() throws Exception {
        try (JarProcess jar = JarProcess.run(
                Map.of("PENSTOCK_SESSION_STORE", "redis://ada:sesame@cache"), "--print-config", "/=" + SAMPLE)) {
            Ran ran = jar.ended();
            assertEquals(0, ran.exitCode());
            assertFalse((ran.out() + ran.err()).contains("sesame"));
        }
    }
}
