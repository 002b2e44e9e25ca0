package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the process of a server. A new server in another process must find the sessions of the killed server. */
class SessionKilledIT {
    private static final String SAMPLE =
            System.getProperty("sample.webapp", "../../sample-webapp/target/sample-webapp.war");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @TempDir
    Path sessions;

    private JarProcess start() throws IOException {
        return JarProcess.run("--port", "0", "--session-dir", sessions.toString(), "/=" + SAMPLE);
    }

    private String guestBook(JarProcess jar, String cookie) throws IOException, InterruptedException {
        URI page = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/guestbook");
        HttpRequest request =
                HttpRequest.newBuilder(page).header("Cookie", cookie).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    @Test
    void aSessionContinuesAfterTheProcessOfTheServerIsKilled() throws Exception {
        String cookie;
        try (JarProcess jar = start()) {
            URI page = URI.create("http://localhost:" + JarProcess.port(jar.startLine()) + "/guestbook");
            HttpResponse<String> signed = client.send(
                    HttpRequest.newBuilder(page)
                            .header("Content-Type", "application/x-www-form-urlencoded")
                            .POST(HttpRequest.BodyPublishers.ofString("name=Ada&message=Hello"))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            assertEquals(303, signed.statusCode());
            cookie = signed.headers().firstValue("Set-Cookie").orElseThrow().split(";", -1)[0];
            // The end of this block kills the process with SIGKILL.
        }
        try (JarProcess jar = start()) {
            assertTrue(guestBook(jar, cookie).contains("You have signed once in this session"));
            assertFalse(jar.log().contains("is not read again"), jar.log());
        }
    }
}
