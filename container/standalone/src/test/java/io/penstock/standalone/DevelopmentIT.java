package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Breaks a class, a descriptor and a page of an application in development, and reads what the browser and the terminal show. */
class DevelopmentIT {
    private static final String DESCRIPTOR = "<web-app version='6.1'>%s</web-app>";

    @TempDir
    Path folder;

    private Path web;
    private Path sources;

    @BeforeEach
    void createApplication() throws IOException {
        web = Files.createDirectories(folder.resolve("shop/WEB-INF")).getParent();
        sources = Files.createDirectories(folder.resolve("java/shop")).getParent();
        descriptor("");
        servlet("response.getWriter().print(\"one\");");
    }

    private void descriptor(String content) throws IOException {
        Files.writeString(web.resolve("WEB-INF/web.xml"), DESCRIPTOR.formatted(content));
    }

    private void servlet(String statement) throws IOException {
        Files.writeString(sources.resolve("shop/Till.java"), """
                package shop;
                import jakarta.servlet.annotation.WebServlet;
                import jakarta.servlet.http.*;
                @WebServlet("/till")
                public class Till extends HttpServlet {
                    @Override
                    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws java.io.IOException {
                        %s
                    }
                }
                """.formatted(statement));
    }

    private JarProcess start() throws IOException {
        return JarProcess.run("--port", "0", "--dev", web.toString(), "--sources", sources.toString());
    }

    /** What a browser gets. */
    private static HttpResponse<String> page(int port, String target) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                .header("Accept", "text/html,application/xhtml+xml")
                .timeout(PATIENCE)
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    private static void assertShown(HttpResponse<String> page, String... texts) {
        assertEquals(500, page.statusCode(), page.body());
        assertTrue(page.headers().firstValue("Content-Type").orElse("").startsWith("text/html"));
        for (String text : texts) {
            assertTrue(page.body().contains(text), "not shown: " + text + "\n" + page.body());
        }
    }

    private static void awaitLog(JarProcess jar, String text) {
        await().atMost(PATIENCE).until(() -> jar.log().contains(text));
    }

    @Test
    void aClassThatDoesNotCompileIsShownAndTheRepairedClassAnswersTheFirstRequest() throws Exception {
        try (JarProcess jar = start()) {
            int port = JarProcess.port(jar.startLine());
            assertEquals("one", page(port, "/till").body());
            servlet("response.getWriter().print(nothing);");
            // The terminal shows the error although no request has arrived.
            awaitLog(jar, "Till.java:8: error: cannot find symbol\n");
            awaitLog(jar, "\n          response.getWriter().print(nothing);\n");
            assertShown(
                    page(port, "/till"),
                    "<h1>/ does not compile</h1>",
                    "Till.java:8: error: cannot find symbol",
                    "symbol:   variable nothing");
            servlet("response.getWriter().print(\"two\");");
            HttpResponse<String> repaired = page(port, "/till");
            assertEquals("two", repaired.body());
        }
    }

    @Test
    void aBrokenDescriptorIsShownWithItsLineAndTheRepairedDescriptorAnswersTheFirstRequest() throws Exception {
        try (JarProcess jar = start()) {
            int port = JarProcess.port(jar.startLine());
            descriptor("\n<servlet><servlet-name>till</servlet-name></wrong>");
            assertShown(page(port, "/till"), "<h1>/ does not start</h1>", "web.xml:2");
            awaitLog(jar, "Does not start: ");
            assertTrue(jar.log().contains("web.xml:2"), jar.log());
            descriptor(
                    "<servlet-mapping><servlet-name>shop.Till</servlet-name><url-pattern>/desk</url-pattern></servlet-mapping>");
            assertEquals("one", page(port, "/desk").body());
        }
    }

    @Test
    void aPageThatDoesNotCompileIsShownInLinesAndTheRepairedPageAnswersTheFirstRequest() throws Exception {
        Files.writeString(web.resolve("page.jsp"), "<h1>Shop</h1>\n<% int number = \"<none>\"; %>\n");
        try (JarProcess jar = start()) {
            int port = JarProcess.port(jar.startLine());
            assertShown(
                    page(port, "/page.jsp"),
                    "<p id=\"reason\">page /page.jsp cannot be compiled</p>",
                    "line: [2] in the jsp file: [/page.jsp]",
                    "cannot convert",
                    "&lt;none&gt;");
            awaitLog(jar, "line: [2] in the jsp file: [/page.jsp]\n");
            assertFalse(jar.log().contains("\\n"), jar.log());
            Files.writeString(web.resolve("page.jsp"), "two");
            assertEquals("two", page(port, "/page.jsp").body());
        }
    }

    @Test
    void aFailureOfAPageAtRunTimeIsShownWithItsCauseAndItsLine() throws Exception {
        Files.writeString(
                web.resolve("page.jsp"),
                "<h1>Shop</h1>\n<% if (true) throw new IllegalStateException(\"no <umbrella>\"); %>\n");
        try (JarProcess jar = start()) {
            int port = JarProcess.port(jar.startLine());
            assertShown(
                    page(port, "/page.jsp"),
                    "<p id=\"reason\">An exception occurred processing [/page.jsp] at line [2]\nCaused by: java.lang.IllegalStateException: no &lt;umbrella&gt;</p>",
                    "2: &lt;% if (true) throw new IllegalStateException(&quot;no &lt;umbrella&gt;&quot;); %&gt;",
                    "page_jsp.java:",
                    "<summary>");
            awaitLog(jar, "\n  2: <% if (true) throw");
            awaitLog(jar, "Caused by: java.lang.IllegalStateException: no <umbrella>\n");
            assertFalse(jar.log().contains("at org.apache.jasper."), jar.log());
        }
    }

    @Test
    void anExceptionOfAServletIsShownWithoutTheFramesOfTheServer() throws Exception {
        servlet("throw new IllegalStateException(\"no <umbrella>\");");
        try (JarProcess jar = start()) {
            int port = JarProcess.port(jar.startLine());
            assertShown(
                    page(port, "/till"),
                    "<p id=\"reason\">java.lang.IllegalStateException: no &lt;umbrella&gt;</p>",
                    "\tat shop.Till.doGet(Till.java:8)",
                    " frames of the server</summary>");
            awaitLog(jar, "IllegalStateException: no <umbrella>");
            assertTrue(jar.log().contains("shop.Till.doGet(Till.java:8)"), jar.log());
            assertFalse(jar.log().contains("at io.penstock."), jar.log());
            assertFalse(jar.log().contains("jakarta.servlet.http.HttpServlet"), jar.log());
        }
    }
}
