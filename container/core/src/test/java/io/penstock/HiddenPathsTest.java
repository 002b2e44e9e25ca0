package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that three kinds of paths are refused in every spelling: files outside the document root, the folders {@code WEB-INF} and
 * {@code META-INF}, and paths that a filter refuses. The requests are sent as bytes over sockets. Two servlets serve the files: the default
 * servlet, and a servlet that reads the requested resource, like a template engine.
 */
class HiddenPathsTest {
    @TempDir
    Path folder;

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private Penstock server;

    /** Sends the resource at the path of the request. */
    private static final class ReadingServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String path = request.getServletPath();
            try (InputStream in = getServletContext().getResourceAsStream(path)) {
                if (in == null) {
                    response.sendError(404);
                } else {
                    in.transferTo(response.getOutputStream());
                }
            }
        }
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @BeforeEach
    void start() throws Exception {
        write("outside.txt", "forbidden");
        write("outside.html", "forbidden");
        for (String hidden : new String[] {"WEB-INF", "META-INF", "guarded"}) {
            write("root/" + hidden + "/page.txt", "forbidden");
            write("root/" + hidden + "/page.html", "forbidden");
        }
        write("root/open/page.txt", "shown");
        write("root/open/page.html", "shown");
        Filter guard = (request, response, chain) -> ((HttpServletResponse) response).sendError(403);
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.resources(folder.resolve("root"))
                        .servlet("reading", new ReadingServlet(), "*.txt")
                        .filter("guard", guard, "/guarded/*"))
                .start();
    }

    @AfterEach
    void stop() {
        left.awaitIn(server);
        server.close();
    }

    /** Requests a {@code .txt} file from the reading servlet, and a {@code .html} file from the default servlet. */
    private void assertHidden(String path) throws IOException {
        for (String target : new String[] {path, path.replace(".txt", ".html")}) {
            RawExchange exchange = RawExchange.get(server, target);
            assertTrue(exchange.status() >= 400 && exchange.status() < 500, () -> target + "\n" + exchange);
            assertFalse(exchange.text().contains("forbidden"), target);
        }
    }

    @Test
    void filesInPublicFoldersAreServed() throws IOException {
        for (String path : new String[] {
            "/open/page.txt", "/open/page.html", "/open;a=b/page.txt", "//open/./page.html", "/a/../open/%70age.txt"
        }) {
            assertEquals("shown", RawExchange.get(server, path).body(), path);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/WEB-INF/page.txt",
                "/web-inf/page.txt",
                "/Web-Inf/page.txt",
                "/WEB-INF;a=b/page.txt",
                "/WEB-INF/page.txt;a=b",
                "/;/WEB-INF/page.txt",
                "/WEB-INF/;/page.txt",
                "//WEB-INF/page.txt",
                "/WEB-INF//page.txt",
                "/./WEB-INF/page.txt",
                "/WEB-INF/./page.txt",
                "/open/../WEB-INF/page.txt",
                "/open/%2e%2e/WEB-INF/page.txt",
                "/open/..;/WEB-INF/page.txt",
                "/open/..%2fWEB-INF/page.txt",
                "/open/..%5cWEB-INF/page.txt",
                "/%57EB-INF/page.txt",
                "/WEB%2DINF/page.txt",
                "/%2557EB-INF/page.txt",
                "/WEB-INF%2Fpage.txt",
                "/WEB-INF%252Fpage.txt",
                "/WEB-INF%5Cpage.txt",
                "/WEB-INF\\page.txt",
                "\\WEB-INF\\page.txt",
                "/WEB-INF%00/page.txt",
                "/WEB-INF/page.txt%00",
                "/WEB-INF/page.txt%00.html",
                "/WEB-INF/page.txt/",
                "/WEB-INF./page.txt",
                "/WEB-INF../page.txt",
                "/WEB-INF%20/page.txt",
                "/%20WEB-INF/page.txt",
                "/WEB-INF::$DATA/page.txt",
                "/WEB-%C4%B1NF/page.txt",
                "/%C0%AFWEB-INF/page.txt",
                "/META-INF/page.txt",
                "/meta-inf/page.txt",
                "/META-INF;a/page.txt",
                "http://good.example/WEB-INF/page.txt",
                "http://good.example//WEB-INF/page.txt",
            })
    void webInfAndMetaInfAreHiddenInEverySpelling(String path) throws IOException {
        assertHidden(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/../outside.txt",
                "/open/../../outside.txt",
                "/open/../../../../../../outside.txt",
                "/%2e%2e/outside.txt",
                "/.%2e/outside.txt",
                "/%2E%2E%2Foutside.txt",
                "/..%2foutside.txt",
                "/..%5coutside.txt",
                "/..\\outside.txt",
                "/..;/outside.txt",
                "/..;a=b/outside.txt",
                "/open/..;/..;/outside.txt",
                "/;/../outside.txt",
                "//../outside.txt",
                "/./../outside.txt",
                "/%252e%252e/outside.txt",
                "/%252e%252e%252foutside.txt",
                "/%c0%ae%c0%ae/outside.txt",
                "/%e0%80%ae%e0%80%ae/outside.txt",
                "/%uff0e%uff0e/outside.txt",
                "/%EF%BC%8E%EF%BC%8E/outside.txt",
                "/.../outside.txt",
                "/....//outside.txt",
                "/%00/../../outside.txt",
                "/..%00/outside.txt",
                "/..%0d/outside.txt",
                "/open%2f..%2f..%2foutside.txt",
                "../outside.txt",
                "http://good.example/../outside.txt",
            })
    void filesOutsideTheDocumentRootAreHiddenInEverySpelling(String path) throws IOException {
        assertHidden(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/guarded/page.txt",
                "/guarded;a=b/page.txt",
                "/guarded/page.txt;a=b",
                "/guarded/;a=b/page.txt",
                "//guarded/page.txt",
                "/guarded//page.txt",
                "/./guarded/page.txt",
                "/guarded/./page.txt",
                "/open/../guarded/page.txt",
                "/%67uarded/page.txt",
                "/guarded/%70age.txt",
                "/%2567uarded/page.txt",
                "/guarded%2fpage.txt",
                "/guarded%5cpage.txt",
                "/guarded\\page.txt",
                "/GUARDED/page.txt",
                "/guarded%20/page.txt",
                "/guarded./page.txt",
                "/guarded%00/page.txt",
                "http://good.example/guarded/page.txt",
            })
    void aPathIsHiddenInEverySpellingIfAFilterRefusesIt(String path) throws IOException {
        assertHidden(path);
    }
}
