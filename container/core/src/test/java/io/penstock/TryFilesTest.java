package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the setting {@code try-files} for a single-page application. Most paths of such an application have no file. If a browser requests
 * such a path, the server sends the page of the application.
 */
class TryFilesTest {
    private static final String PAGE = "<!DOCTYPE html><script src=/app/main.js></script>";
    private static final String BROWSER = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

    @TempDir
    Path folder;

    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        Files.writeString(folder.resolve("index.html"), PAGE);
        Files.writeString(folder.resolve("main.js"), "start()");
        Files.createDirectories(folder.resolve("images"));
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("/app:try-files", "/index.html")
                .set("/broken:try-files", "/missing.html")
                .context("/app", context -> context.resources(folder).servlet("api", api(), "/api/*"))
                .context("/broken", context -> context.resources(folder))
                .context("/plain", context -> context.resources(folder))
                .start();
    }

    private static HttpServlet api() {
        return new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                response.sendError(404);
            }
        };
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawExchange get(String target, String... lines) throws IOException {
        return RawExchange.get(server, target, lines);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/app/customers", "/app/customers/42/", "/app/a.b/c", "/app/images/", "/app/%C3%BC?x=y.z"})
    void aBrowserGetsTheConfiguredPageIfItNavigatesToAPathWithoutAFile(String target) throws Exception {
        RawExchange answer = get(target, BROWSER);
        assertEquals(200, answer.status(), answer.head());
        assertEquals(PAGE, answer.body());
        assertEquals(List.of("text/html"), answer.values("Content-Type"));
        assertEquals(List.of("Accept"), answer.values("Vary"));
        String tag = answer.values("ETag").get(0);
        assertEquals(304, get(target, BROWSER, "If-None-Match: " + tag).status());
        RawExchange head = RawExchange.of(
                server, "HEAD " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + BROWSER + "\r\n\r\n");
        assertEquals(200, head.status());
        assertEquals("", head.body());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/app/missing.js", "/app/customers/42.png", "/app/.env", "/app/WEB-INF/x", "/app/meta-inf/"})
    void protectedPathsAndMissingFilesWithADotInTheirNamesGet404(String target) throws Exception {
        assertEquals(404, get(target, BROWSER).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Accept: */*", "Accept: application/json", "Accept: image/*", "X-None: x"})
    void requestsWithoutHtmlInTheAcceptFieldGet404(String line) throws Exception {
        RawExchange answer = get("/app/customers", line);
        assertEquals(404, answer.status());
        assertEquals(List.of("Accept"), answer.values("Vary"), "a cache must not use this 404 response for a browser");
    }

    @Test
    void aPostRequestToAPathWithoutAFileGets404() throws Exception {
        RawExchange post = RawExchange.of(
                server,
                "POST /app/customers HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n" + BROWSER
                        + "\r\n\r\n");
        assertEquals(404, post.status());
    }

    @Test
    void tryFilesDoesNotAffectExistingFilesOrDirectoriesOrServlets() throws Exception {
        assertEquals("start()", get("/app/main.js", BROWSER).body());
        assertEquals(PAGE, get("/app/", BROWSER).body());
        assertEquals(404, get("/app/api/none", BROWSER).status(), "the page must not replace a 404 of a servlet");
        assertEquals(302, get("/app/images", BROWSER).status());
    }

    @Test
    void anUnknownPathGets404IfTheSettingOrThePageIsMissing() throws Exception {
        assertEquals(404, get("/plain/customers", BROWSER).status());
        assertEquals(404, get("/broken/customers", BROWSER).status());
    }
}
